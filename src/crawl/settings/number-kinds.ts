/**
 * Numbers as people write them: counts, shares, times and sizes with a unit. Zero is refused unless a kind allows it.
 */
import { type Kind, unexpected } from "./kinds.ts";

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

/** Above 0 and at most 1. */
export const share: Kind<number> = number({
  placeholder: "level",
  expected: "a number above 0 and at most 1",
  schema: { type: "number", exclusiveMinimum: 0, maximum: 1 },
  accepts: (value) => value > 0 && value <= 1,
  parse: decimal,
  hint: (text) => {
    const percents = decimal(text.replace(/\s*%$/, ""));
    const isPercent = percents > 0 && percents <= 100 && (percents > 1 || text.endsWith("%"));
    return isPercent ? ` Did you mean ${Number((percents / 100).toPrecision(12))}?` : "";
  },
});

/** Strictly between 0 and 1. */
export const properFraction: Kind<number> = number({
  placeholder: "d",
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
