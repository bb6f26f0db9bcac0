/** What all commands share: options, examples, and how an answer is printed. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { FailureError, UsageError } from "../../base/index.ts";
import * as kinds from "../../crawl/settings/index.ts";
import { fitted, type TextStyle, wrapped } from "../terminal/layout.ts";
import { openTerminal, type Terminal, writeOut } from "../terminal/terminal.ts";
import { orImport } from "./foreign-file.ts";

export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface GraphOptions extends CommonOptions {
  /** Of a crawl: Unix time in milliseconds (input/moment.ts). */
  readonly at?: number;
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
export interface Output {
  /** Null where the command has written JSON lines to standard output itself. */
  readonly document: object | null;
  readonly text: (style: TextStyle) => string;
  /** Why nothing came of it: printed after the answer; the exit code is then 1. */
  readonly failure?: string;
}

export function commonOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON document on standard output, everything else on standard error")
    .option("--quiet", "print only the result and errors");
}

/** In the list of commands, and as the first sentence of its help. */
export function summarise(command: Command, summary: string): Command {
  return command.summary(summary).description(`${summary[0].toUpperCase()}${summary.slice(1)}.`);
}

export const GRAPH_HELP =
  "edge list (.arcs, .tsv, .csv, .txt, optionally gzipped; - for standard input), BV graph or crawl directory";

export function graphOptions(command: Command): Command {
  return command
    .argument("<graph>", GRAPH_HELP)
    .option("--urls <file>", "URLs of the pages: line i has the URL of page i; optionally gzipped")
    .addOption(new Option("--by <what>", "what counts as one host").choices(["host", "domain"]).default("host"))
    .option("--allow-sparse", "accept an edge list with far more pages than arcs");
}

export function dampingOption(command: Command): Command {
  return command.option("--damping <p>", "probability that the random surfer follows a link", properFraction, 0.85);
}

/** For commands with a random surfer who starts at trusted pages. */
export function surferOptions(command: Command): Command {
  graphOptions(command)
    .option("--self-links", "keep links from a page to itself")
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

/** Of options and notes alike. */
export function helpWidth(): number {
  return Math.min(process.stdout.columns || HELP_WIDTH_MAX, HELP_WIDTH_MAX);
}

/** Paragraphs and lists below the options, wrapped to the terminal. */
export function notes(command: Command, parts: readonly (string | HelpList)[]): void {
  command.addHelpText("after", () => {
    const width = helpWidth();
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

/** Adds the options of all commands. When the command is called, `work` finds the answer, which is printed. */
export function answerWith<Options extends CommonOptions>(
  command: Command,
  work: (target: string, options: Options, terminal: Terminal, command: Command) => Promise<Output>,
): void {
  commonOptions(command).action((target: string, options: Options) =>
    perform(options, (terminal) => orImport([target], () => work(target, options, terminal, command))),
  );
}

/** Whether the user gave an option, even with the value of its default. */
export function isGiven(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) === "cli";
}

/** Printed at the end of the help. They run as printed, one after the other, in an empty folder. */
export function examples(command: Command, lines: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join("")}`);
}

/** Does the work of a command and prints its answer. */
export async function perform(
  { json = false, quiet = false, verbose = false }: CommonOptions & { readonly verbose?: boolean },
  work: (terminal: Terminal) => Promise<Output>,
): Promise<void> {
  const terminal = openTerminal({ quiet, isPlain: verbose });
  try {
    const { document, text, failure } = await work(terminal);
    terminal.clear();
    const asJson = document === null ? "" : `${JSON.stringify(document)}\n`;
    writeOut(json ? asJson : fitted(text(terminal.style), terminal.style));
    if (failure !== undefined) throw new FailureError(failure);
  } finally {
    terminal.clear();
  }
}

export const level = argument(kinds.share);
export const properFraction = argument(kinds.properFraction);
export const positiveNumber = argument(kinds.positive);

export function integer(min: number, max?: number): (text: string) => number {
  return argument(kinds.wholeNumber(min, max));
}

/** Values of a kind, for an option of a command. */
export function argument<T>(kind: kinds.Kind<T>): (given: unknown) => T {
  return (given) => {
    try {
      return kind.read(given);
    } catch (error) {
      throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Names separated by commas. */
export function nameList(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}
