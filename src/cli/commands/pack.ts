/** `tidemark pack` */
import type { Command } from "commander";
import { counted, percentAtLeast, UsageError } from "../../base/index.ts";
import type { Pack } from "../../content/index.ts";
import { importanceInWords } from "../../text/index.ts";
import { atOption, checkMoment, type MomentOptions } from "../input/moment.ts";
import { type Output, answerWith, type CommonOptions, examples, integer, notes } from "../options/command.ts";
import { checkOutputs, nextTurn, writeTexts } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface PackOptions extends CommonOptions, MomentOptions {
  readonly tokens: number;
  readonly out: string;
}

export function declare(command: Command): void {
  command
    .argument("<dir>", "the directory of a crawl that ran with --store markdown, or with --warc")
    .requiredOption("--tokens <n>", "the most tokens that the file may have, all of it", integer(1))
    .option("--out <file>", "where to write; - is standard output", "-");
  atOption(command);
  answerWith(command, pack);
  notes(command, [
    "Pages are chosen by proven importance per token, and written in the order of their importance. A page is packed " +
      "whole or not at all; of pages with the same content the most important one. Tokens are those of the encoding " +
      "o200k_base.",
  ]);
  examples(command, [
    "tidemark demo --coverage 0.9 --dir demo --no-serve",
    "tidemark pack demo --tokens 5000 --out pack.md",
    "tidemark pack demo --tokens 2000 | head -n 5",
    "tidemark pack demo --tokens 5000 --at 2999-12-31 --out then.md",
  ]);
}

async function pack(dir: string, options: PackOptions, terminal: Terminal): Promise<Output> {
  const { tokens: tokensMax, out, json = false } = options;
  if (json && out === "-") {
    throw new UsageError("--json prints a summary on standard output; write the pack to a file with --out FILE");
  }
  checkOutputs([out]);
  await checkMoment(dir, options, terminal);
  const { packCrawl } = await import("../../survey/index.ts");
  const { progress } = terminal;
  const packed = await packCrawl(dir, { tokensMax, progress, onStep: nextTurn, atMs: options.at });
  await writeTexts([{ path: out, text: packed.text }]);
  for (const note of notesOn(packed)) terminal.note(note);
  const { pages, tokens, coverage, universe, tooLong, withoutText } = packed;
  return {
    document: { pages, tokens, coverage, file: out, tooLong, withoutText },
    // A pack on standard output is itself the answer: nothing may follow it there.
    text: () =>
      out === "-"
        ? ""
        : `${out}: ${counted(pages, "page")}, ${counted(tokens, "token")}. ${pages === 1 ? "It holds" : "They hold"} ` +
          `at least ${percentAtLeast(coverage)} of ${importanceInWords(universe)}.\n`,
  };
}

function notesOn({ tooLong, withoutText }: Pack): string[] {
  const notes: string[] = [];
  if (tooLong > 0) notes.push(`${counted(tooLong, "page")} left out: too long for so few tokens`);
  if (withoutText > 0) notes.push(`${counted(withoutText, "page")} left out: no text stored, or none that is text`);
  return notes;
}
