/** The arguments of `tidemark rank`. */
import { type Command, Option } from "commander";
import { commonOptions, examples, perform, surferOptions, TRUST_HELP } from "../options/command.ts";
import { positive, wholeNumber } from "../options/numbers.ts";
import type { RankOptions } from "../actions/rank.ts";

export function declare(command: Command): void {
  surferOptions(command)
    .option("--trust <file>", `${TRUST_HELP} (all pages alike unless given)`)
    .addOption(
      new Option("--dangling <rule>", "where pages without links lead")
        .choices(["restart", "uniform", "none"])
        .default("restart"),
    )
    .addOption(new Option("--norm <norm>", "of the residual").choices(["l1", "linf"]).default("l1"))
    .option("--tolerance <r>", "stop at this residual", positive, 1e-10)
    .option("--max-iterations <n>", "stop after so many sweeps", wholeNumber(1), 1000)
    .option("--threads <n>", "threads (all processors for large graphs unless given)", wholeNumber(1))
    .option("--top <n>", "how many pages to list", wholeNumber(1), 10)
    .option("--out <file>", "write a line for every page: id, rank, URL where known, separated by tabs");
  commonOptions(command).action((path: string, options: RankOptions) =>
    perform(options, async (terminal) => (await import("../actions/rank.ts")).rank(path, options, terminal)),
  );
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark rank web.arcs --urls web.urls --top 5",
    "echo http://host0.example/ > trust.txt",
    "tidemark rank web.arcs --urls web.urls --trust trust.txt --out ranks.tsv --json",
  ]);
}
