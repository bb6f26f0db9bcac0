/** What all commands share: options, examples, and how an answer is printed. */
import { type Command, Option } from "commander";
import { FailureError } from "../../base/index.ts";
import { writeOut } from "../terminal/streams.ts";
import { openTerminal, type Terminal, type TextStyle } from "../terminal/terminal.ts";
import { fitted, wrapped } from "../terminal/words.ts";
import { properFraction } from "./numbers.ts";

export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface GraphOptions extends CommonOptions {
  readonly urls?: string;
  readonly by: "host" | "domain";
  readonly allowSparse?: boolean;
}

/** How the random surfer walks. */
export interface SurferOptions extends GraphOptions {
  readonly selfLinks?: boolean;
  readonly normaliseTrust?: boolean;
  readonly damping: number;
}

/** One document for programs, the same as text for people. */
export interface Answer {
  readonly document: object;
  readonly text: (style: TextStyle) => string;
  /** Why nothing came of it: printed after the answer; the exit code is then 1. */
  readonly failure?: string;
}

export function commonOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON document on standard output, everything else on standard error")
    .option("--quiet", "no progress and no notes");
}

export const DEFAULT_DAMPING = 0.85;

export const GRAPH_HELP =
  "edge list (.arcs, .tsv, .csv, .txt, also gzipped; - for standard input), BV graph or crawl directory";

/** For commands that read a graph. */
export function graphOptions(command: Command): Command {
  return command
    .argument("<graph>", GRAPH_HELP)
    .option("--urls <file>", "URLs of the pages: line i has the URL of page i; also gzipped")
    .addOption(new Option("--by <what>", "what counts as one host").choices(["host", "domain"]).default("host"))
    .option("--allow-sparse", "accept an edge list with far more pages than arcs");
}

export function dampingOption(command: Command): Command {
  return command.option(
    "--damping <d>",
    "probability that the random surfer follows a link",
    properFraction,
    DEFAULT_DAMPING,
  );
}

/** For commands with a random surfer who starts at trusted pages. */
export function surferOptions(command: Command): Command {
  graphOptions(command)
    .option("--self-links", "keep links of a page to itself")
    .option("--normalise-trust", "divide the weights of the trusted pages by their sum");
  return dampingOption(command);
}

export const PAGES_HELP = "one id or URL per line";
export const TRUST_HELP = `trusted pages: ${PAGES_HELP}, optionally followed by a weight`;

/** A list in the help: names with their descriptions. */
export interface HelpList {
  readonly title: string;
  readonly lines: readonly (readonly [name: string, description: string])[];
}

const HELP_WIDTH_MAX = 120;

/** Paragraphs and lists below the options, wrapped to the terminal. */
export function notes(command: Command, parts: readonly (string | HelpList)[]): void {
  command.addHelpText("after", () => {
    const width = Math.min(process.stdout.columns || HELP_WIDTH_MAX, HELP_WIDTH_MAX);
    return parts
      .map((part) => `\n${typeof part === "string" ? wrapped(part, { width }) : listed(part, width)}`)
      .join("")
      .trimEnd();
  });
}

function listed({ title, lines }: HelpList, width: number): string {
  const column = Math.max(...lines.map(([name]) => name.length)) + 2;
  const rows = lines.map(([name, description]) =>
    wrapped(`${name.padEnd(column)}${description}`, { width, indent: 2, hanging: column + 2 }),
  );
  return `${title}:\n${rows.join("")}`;
}

/** Printed at the end of the help. They run as printed, one after the other, in an empty folder. */
export function examples(command: Command, lines: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join("")}`);
}

/** Does the work of a command and prints its answer. */
export async function perform(
  { json = false, quiet = false }: CommonOptions,
  work: (terminal: Terminal) => Promise<Answer>,
): Promise<void> {
  const terminal = openTerminal({ quiet });
  try {
    const { document, text, failure } = await work(terminal);
    terminal.clear();
    writeOut(json ? `${JSON.stringify(document)}\n` : fitted(text(terminal.style), terminal.style));
    if (failure !== undefined) throw new FailureError(failure);
  } finally {
    terminal.clear();
  }
}
