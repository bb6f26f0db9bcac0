/**
 * Kinds of values: which values a setting accepts, how people write them, and how they are printed.
 *
 * One kind serves flags and config files (texts), options of the library (values), and the JSON schema of the config
 * file. The kinds are written by hand. A schema library takes longer to load than `--help` may take, and it does not
 * know times and sizes as people write them ("30s", "10MB").
 */
import { UsageError } from "../../base/index.ts";

export interface Kind<T> {
  /** Of the value once it is read. */
  readonly type: "number" | "string" | "boolean" | "list";
  /** Of a number, where it has one. */
  readonly unit?: "milliseconds" | "bytes";
  /** What stands for the value in help; empty for a switch, which has none. */
  readonly placeholder: string;
  /** The end of "Expected ...". */
  readonly expected: string;
  /** What a config file may say. */
  readonly schema: object;
  /** Reads a text as people write it, or a value that was read before. Throws a `UsageError`: "Expected ...". */
  read(given: unknown): T;
  /** As people write it. */
  write(value: T): string;
}

/** Removes a setting that the crawl had before. */
export const NONE = "none";

/** A flag without a value. */
export const toggle: Kind<boolean> = {
  type: "boolean",
  placeholder: "",
  expected: "true or false",
  schema: { type: "boolean" },
  read: (given) => {
    if (typeof given === "boolean") return given;
    if (given === "true" || given === "false") return given === "true";
    throw unexpected("true or false");
  },
  write: String,
};

export function choice<const T extends string>(...choices: readonly T[]): Kind<T> {
  const expected = `one of ${choices.join(", ")}`;
  return {
    type: "string",
    placeholder: "what",
    expected,
    schema: { enum: choices },
    read: (given) => choices.find((each) => each === given) ?? refuse(expected),
    write: String,
  };
}

export interface TextRules {
  readonly placeholder: string;
  readonly expected?: string;
  readonly accepts?: (text: string) => boolean;
  /** The form in which it is kept. */
  readonly kept?: (text: string) => string;
}

export function text(rules: TextRules): Kind<string> {
  const { placeholder, expected = "a text", accepts = () => true, kept = String } = rules;
  return {
    type: "string",
    placeholder,
    expected,
    schema: { type: "string" },
    read: (given) => (typeof given === "string" && accepts(given) ? kept(given) : refuse(expected)),
    write: String,
  };
}

/** A flag that may be repeated; several values in a config file. */
export function list(rules: TextRules): Kind<readonly string[]> {
  const item = text(rules);
  return {
    type: "list",
    placeholder: item.placeholder,
    expected: item.expected,
    schema: { type: ["string", "array"], items: { type: "string" } },
    read: (given) => (Array.isArray(given) ? given : [given]).map((each) => item.read(each)),
    write: (values) => values.join(" "),
  };
}

/** A list that `none` empties. */
export function listOrNone(rules: TextRules): Kind<readonly string[]> {
  const kind = list(rules);
  const isNone = (given: unknown): boolean => String(given) === NONE;
  return { ...kind, read: (given) => (isNone(given) ? [] : kind.read(given)) };
}

/** A limit; `none` is Infinity, which removes a limit that the crawl had before. */
export function limit(kind: Kind<number>): Kind<number> {
  const isNone = (given: unknown): boolean => given === NONE || given === Number.POSITIVE_INFINITY;
  return {
    ...kind,
    schema: { anyOf: [kind.schema, { const: NONE }] },
    read: (given) => (isNone(given) ? Number.POSITIVE_INFINITY : kind.read(given)),
  };
}

/** Null leaves the choice to others, such as the environment. */
export function orNull<T>(kind: Kind<T>): Kind<T | null> {
  return { ...kind, read: (given) => (given === null ? null : kind.read(given)) };
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** "8080", "0.0.0.0:8080", "[::1]:8080"; without a host, this machine alone. */
export const listenAddress: Kind<ListenAddress> = {
  type: "string",
  placeholder: "address",
  expected: "a port from 0 to 65535, or host:port such as 0.0.0.0:8080",
  schema: { type: ["integer", "string"] },
  read: (given) => {
    // The command line reads a flag before the crawl reads its options.
    if (isListenAddress(given)) return given;
    const match = /^(?:(?:\[([0-9a-f:.%]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/i.exec(String(given));
    const port = Number(match?.[3]);
    if (match === null || port > 65_535) throw unexpected(listenAddress.expected);
    return { host: match[1] ?? match[2] ?? "127.0.0.1", port };
  },
  write: ({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
};

function isListenAddress(given: unknown): given is ListenAddress {
  return typeof given === "object" && given !== null && "host" in given && "port" in given;
}

export function unexpected(expected: string, hint = ""): UsageError {
  return new UsageError(`Expected ${expected}.${hint}`);
}

function refuse(expected: string): never {
  throw unexpected(expected);
}
