/**
 * Kinds of values: which values a setting accepts, how people write them, and how they are printed.
 *
 * One kind serves flags and config files (texts), options of the library (values), and the JSON schema of the config
 * file. The kinds are written by hand. A schema library takes longer to load than `--help` may take, and it does not
 * know times and sizes as people write them ("30s", "10MB").
 */
import { isIP } from "node:net";
import { UsageError } from "../../base/index.ts";

export interface Kind<T> {
  /** Of the value once it is read. */
  readonly type: "number" | "string" | "boolean" | "list" | "object";
  /** Of a number, where it has one. */
  readonly unit?: "milliseconds" | "bytes";
  /** What stands for the value in help; empty for a switch, which has none. */
  readonly placeholder: string;
  /** The end of "Expected ...". */
  readonly expected: string;
  /** What a config file may say. */
  readonly schema: object;
  /** The values, where there are few. */
  readonly choices?: readonly string[];
  /** Reads a text as people write it, or a value that was read before. Throws a `UsageError`: "Expected ...". */
  read(given: unknown): T;
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
    choices,
    read: (given) => choices.find((each) => each === given) ?? refuse(expected),
    write: String,
  };
}

/** Some of the choices, with commas between them; `none` is none of them. */
export function choices<const T extends string>(...all: readonly T[]): Kind<readonly T[]> {
  const expected = `one or several of ${all.join(", ")}, with commas between them`;
  const isChoice = (each: unknown): each is T => all.some((choice) => choice === each);
  return {
    type: "list",
    placeholder: "what",
    expected,
    schema: { anyOf: [{ type: "string" }, { type: "array", items: { enum: all } }] },
    choices: all,
    read: (given) => {
      // A flag of a list comes as a list.
      if (given === NONE || (Array.isArray(given) && given.length === 1 && given[0] === NONE)) return [];
      const named: readonly unknown[] = Array.isArray(given)
        ? given.flatMap((each) => String(each).split(","))
        : String(given).split(",");
      const trimmed = named.map((each) => String(each).trim());
      return trimmed.every(isChoice) ? all.filter((each) => trimmed.includes(each)) : refuse(expected);
    },
    write: (values) => values.join(","),
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

export const file: Kind<string> = text({ placeholder: "file" });

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

/** How names are looked up: `direct`, `system`, or the address of a name server, "9.9.9.9" or "[2620:fe::fe]:53". */
export const nameServer: Kind<string> = text({
  placeholder: "server",
  expected: "direct, system or the IP address of a name server, such as 9.9.9.9 or 127.0.0.1:5353",
  accepts: (given) => {
    if (given === "direct" || given === "system") return true;
    const [, bracketed, plain = "", port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(given) ?? [];
    const family = bracketed === undefined ? 4 : 6;
    const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
    return isPort && isIP(bracketed ?? plain) === family;
  },
});

function isListenAddress(given: unknown): given is ListenAddress {
  return typeof given === "object" && given !== null && "host" in given && "port" in given;
}

function unexpected(expected: string, hint = ""): UsageError {
  return new UsageError(`Expected ${expected}.${hint}`);
}

function refuse(expected: string): never {
  throw unexpected(expected);
}

/** Numbers as people write them: counts, shares, times and sizes. Zero is refused unless a kind allows it. */
interface NumberRules {
  readonly placeholder: string;
  readonly unit?: "milliseconds" | "bytes";
  readonly expected: string;
  readonly schema: object;
  readonly accepts: (value: number) => boolean;
  /** From a text; NaN for what is none. */
  readonly parse: (text: string) => number;
  readonly write?: (value: number) => string;
  /** More to say about a text that was refused. */
  readonly hint?: (text: string) => string;
}

function number({ accepts, parse, hint = () => "", write = String, ...described }: NumberRules): Kind<number> {
  return {
    type: "number",
    ...described,
    read: (given) => {
      const value = typeof given === "string" ? parse(given) : given;
      if (typeof value === "number" && accepts(value)) return value;
      throw unexpected(described.expected, hint(String(given)));
    },
    write,
  };
}

export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  return number({
    placeholder: "n",
    expected: `a whole number ${isOpen ? `of at least ${min}` : `from ${min} to ${max}`}`,
    schema: { type: "integer", minimum: min, ...(isOpen ? {} : { maximum: max }) },
    accepts: (value) => Number.isSafeInteger(value) && value >= min && value <= max,
    parse: (text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN),
  });
}

export const share: Kind<number> = number({
  placeholder: "level",
  expected: "a share above 0 and at most 1",
  schema: { type: "number", exclusiveMinimum: 0, maximum: 1 },
  accepts: (value) => value > 0 && value <= 1,
  parse: decimal,
  hint: (text) => {
    const percents = decimal(text.replace(/\s*%$/, ""));
    const isPercent = percents > 0 && percents <= 100 && (percents >= 2 || text.endsWith("%"));
    return isPercent ? ` Did you mean ${Number((percents / 100).toPrecision(12))}?` : "";
  },
});

export const properFraction: Kind<number> = number({
  placeholder: "p",
  expected: "a number between 0 and 1, both excluded",
  schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
  accepts: (value) => value > 0 && value < 1,
  parse: decimal,
});

export const positive: Kind<number> = number({
  placeholder: "n",
  expected: "a number above 0",
  schema: { type: "number", exclusiveMinimum: 0 },
  accepts: (value) => value > 0 && value < Infinity,
  parse: decimal,
});

const TIME = "^(\\d+\\.?\\d*|\\.\\d+)\\s*(ms|s|m|min|h|d)$";

/** A time above 0, with its unit. */
export const duration: Kind<number> = number({
  placeholder: "time",
  unit: "milliseconds",
  expected: "a time above 0 with its unit, such as 30s, 10m or 2h",
  schema: { type: "string", pattern: TIME },
  accepts: (value) => value > 0 && value < Infinity,
  parse: milliseconds,
  write: timeWritten,
});

const PAUSE_MS_MAX = 86_400_000;

/** A pause: milliseconds as a plain number, or a time with its unit; 0 is none. */
export const pause: Kind<number> = number({
  placeholder: "time",
  unit: "milliseconds",
  expected: "milliseconds or a time with its unit (500, 500ms, 1s), at most one day",
  schema: { type: ["integer", "string"], minimum: 0, maximum: PAUSE_MS_MAX, pattern: TIME },
  accepts: (value) => value >= 0 && value <= PAUSE_MS_MAX,
  parse: (text) => (/^\d+$/.test(text) ? Number(text) : milliseconds(text)),
  write: timeWritten,
});

const SIZE = "^(\\d+\\.?\\d*|\\.\\d+)\\s*([kmgtKMGT]?)(i?)[bB]?$";

/** "10MB", "1.5GiB", or a plain number of bytes; above 0. */
export const byteCount: Kind<number> = number({
  placeholder: "size",
  unit: "bytes",
  expected: "a number of bytes above 0, such as 10MB, 1.5GB or 512KiB",
  schema: { type: ["integer", "string"], minimum: 1, pattern: SIZE },
  accepts: (value) => Number.isSafeInteger(value) && value > 0,
  parse: (text) => {
    const [, digits = "", prefix = "", binary] = new RegExp(SIZE, "i").exec(text.trim()) ?? [];
    const power = prefix === "" ? 0 : "kmgt".indexOf(prefix.toLowerCase()) + 1;
    return digits === "" ? Number.NaN : Math.round(Number(digits) * (binary === "" ? 1000 : 1024) ** power);
  },
});

/** NaN for what is not a decimal number; `Number` would take an empty text for 0. */
export function decimal(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  min: 60_000,
  s: 1000,
  ms: 1,
};

function milliseconds(text: string): number {
  const [, digits = "", unit = ""] = new RegExp(TIME, "i").exec(text.trim()) ?? [];
  return digits === "" ? Number.NaN : Number(digits) * MILLISECONDS[unit.toLowerCase()];
}

/** In the largest unit up to hours that says it exactly. */
function timeWritten(ms: number): string {
  const unit = ["h", "m", "s"].find((each) => ms >= MILLISECONDS[each] && ms % MILLISECONDS[each] === 0);
  return unit === undefined ? `${ms}ms` : `${ms / MILLISECONDS[unit]}${unit}`;
}
