/**
 * Options of `crawl` that only a program can give, in JavaScript perhaps: each is looked at before anything is made.
 * The parts with methods (fetcher, store) are looked at where they are taken. All others are settings, which their
 * table checks.
 */
import { gotInWords, isRecord, messageOf, UsageError } from "../base/index.ts";
import { expectSession } from "./own-session.ts";
import { settingsTable } from "./settings/table.ts";

/** What is expected of each option, which is not undefined. Throws a `UsageError`. */
type Check = (given: unknown, name: string) => void;

const whereTaken: Check = () => {};

/** By the names of all these options: whoever adds one adds it here (crawl.ts). */
export const programChecks = {
  accept: functionOf("(page) => boolean"),
  crawlStore: whereTaken,
  dir: expectPath,
  extract: functionOf("(page) => data"),
  fetcher: whereTaken,
  makeOrder: functionOf("(context) => order"),
  onEvent: functionOf("(event) => void"),
  onStatus: functionOf("(status) => void"),
  readers: expectReaders,
  session: expectSession,
  signal: expectSignal,
  transform: functionOf("(html, page) => html"),
  valueOfPage: functionOf("(page) => number"),
} satisfies Readonly<Record<string, Check>>;

const CHECKS: Readonly<Record<string, Check>> = {
  ...programChecks,
  urls: () => {
    throw new UsageError("urls are the first argument of crawl: give them there, and leave them out of the options");
  },
};

/** Throws a `UsageError` for the first option that is of another kind than expected. */
export function expectOptions(given: unknown): void {
  if (!isRecord(given)) {
    throw new UsageError(`the options are ${gotInWords(given)}; expected an object, such as { coverage: 0.9 }`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && Object.hasOwn(CHECKS, name)) CHECKS[name](value, name);
  }
}

function functionOf(shape: string): Check {
  return (given, name) => {
    if (typeof given !== "function") throw unexpected(name, given, `a function, ${shape}`);
  };
}

function expectPath(given: unknown, name: string): void {
  if (typeof given !== "string" || given === "") throw unexpected(name, given, "the path of a directory, as a string");
}

function expectReaders(given: unknown, name: string): void {
  try {
    if (typeof given === "number") return void settingsTable.readers.kind.read(given);
  } catch (error) {
    throw new UsageError(`${name} is ${gotInWords(given)}. ${messageOf(error)}`, { cause: error });
  }
  throw unexpected(name, given, "a number of threads; 0 reads pages in the calling one");
}

/** Signals of other realms, and those that libraries make, are none by `instanceof`. */
function expectSignal(given: unknown, name: string): void {
  const methods = ["addEventListener", "removeEventListener", "throwIfAborted"] as const;
  const parts = typeof given === "object" && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
  if (methods.every((method) => typeof parts[method] === "function") && typeof parts["aborted"] === "boolean") return;
  const hint = given instanceof AbortController ? "its signal (controller.signal)" : "an AbortSignal";
  throw unexpected(name, given, hint);
}

function unexpected(name: string, given: unknown, expected: string): UsageError {
  return new UsageError(`${name} is ${gotInWords(given)}; expected ${expected}`);
}
