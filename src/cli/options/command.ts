/** What all commands have in common: options, examples, and the way in which they answer. */
import { type Command, Option } from "commander";
import { FailureError } from "../../base/index.ts";
import { properFraction } from "./numbers.ts";
import { writeOut } from "../terminal/streams.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";

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
  /** Nothing came of it: said after the answer, and the exit code is 1. */
  readonly failure?: string;
}

export function commonOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON document on standard output, everything else on standard error")
    .option("--quiet", "no progress and no remarks");
}

export const DEFAULT_DAMPING = 0.85;

export const GRAPH_HELP =
  "edge list (.arcs, .tsv, .csv, .txt, also gzipped; - for stdin), BV graph or crawl directory";

/** For commands that read a graph. */
export function graphOptions(command: Command): Command {
  return command
    .argument("<graph>", GRAPH_HELP)
    .option("--urls <file>", "URLs of the pages, line i for page i, also gzipped")
    .addOption(
      new Option("--by <what>", "what counts as one host").choices(["host", "domain"]).default("host"),
    )
    .option("--allow-sparse", "accept an edge list with far more pages than arcs");
}

/** For commands whose graph is walked on by a random surfer who starts at trusted pages. */
export function surferOptions(command: Command): Command {
  return graphOptions(command)
    .option("--self-links", "keep links of a page to itself")
    .option("--normalise-trust", "divide the weights of the trusted pages by their sum")
    .option("--damping <d>", "chance to follow a link", properFraction, DEFAULT_DAMPING);
}

export const TRUST_HELP = "trusted pages: an id or URL a line, then perhaps a weight";

/** Shown at the end of the help. They run as printed, one after the other, in an empty folder. */
export function examples(command: Command, lines: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join("")}`);
}

/** Does the work of a command and prints its answer. */
export async function perform(
  { json = false, quiet = false }: CommonOptions,
  work: (terminal: Terminal) => Promise<Answer>,
): Promise<void> {
  const { openTerminal } = await import("../terminal/terminal.ts");
  const terminal = openTerminal({ quiet });
  try {
    const { document, text, failure } = await work(terminal);
    terminal.clear();
    writeOut(json ? `${JSON.stringify(document)}\n` : text(terminal.style));
    if (failure !== undefined) throw new FailureError(failure);
  } finally {
    terminal.clear();
  }
}
