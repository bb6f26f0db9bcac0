/** Numbers given as options. What does not fit is refused where it is written, before any work. */
import { InvalidArgumentError } from "commander";

/** Limits of 0 are refused by `min` 1: leaving a limit out means none. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** Strictly between 0 and 1. */
export function properFraction(text: string): number {
  const value = decimal(text);
  if (value > 0 && value < 1) return value;
  throw new InvalidArgumentError("Expected a number between 0 and 1, both excluded.");
}

/** Above 0 and at most 1. */
export function level(text: string): number {
  const value = decimal(text);
  if (value > 0 && value <= 1) return value;
  const percents = decimal(text.replace(/\s*%$/, ""));
  const isPercent = percents > 0 && percents <= 100 && (percents > 1 || text.endsWith("%"));
  const hint = isPercent ? ` Did you mean ${Number((percents / 100).toPrecision(12))}?` : "";
  throw new InvalidArgumentError(`Expected a number above 0 and at most 1.${hint}`);
}

export function positive(text: string): number {
  const value = decimal(text);
  if (value > 0 && value < Infinity) return value;
  throw new InvalidArgumentError("Expected a number above 0.");
}

/** NaN for what is not a decimal number; `Number` would take an empty text for 0. */
export function decimal(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** "500ms", "30s", "10m", "2h", "1d", in milliseconds; NaN for anything else. */
function milliseconds(text: string): number {
  const [, number = "", unit = ""] = /^(\d+\.?\d*|\.\d+)\s*(ms|s|m|min|h|d)$/i.exec(text.trim()) ?? [];
  return number === "" ? Number.NaN : Number(number) * MILLISECONDS[unit.toLowerCase()];
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A length of time with its unit, above 0. */
export function duration(text: string): number {
  const value = milliseconds(text);
  if (value > 0 && value < Infinity) return value;
  throw new InvalidArgumentError("Expected a length of time above 0 with its unit: 30s, 10m, 2h.");
}

/** A rest: milliseconds as a plain number, or with a unit; 0 is none. */
export function rest(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : milliseconds(text);
  if (value >= 0 && value <= REST_MS_MAX) return value;
  throw new InvalidArgumentError(
    "Expected milliseconds or a time with its unit (500, 500ms, 1s), at most a day.",
  );
}

const REST_MS_MAX = 86_400_000;

/** "10MB", "1.5GiB", or a plain number of bytes; above 0. */
export function byteCount(text: string): number {
  const [, number = "", prefix = "", binary] =
    /^(\d+\.?\d*|\.\d+)\s*([kmgt]?)(i?)b?$/i.exec(text.trim()) ?? [];
  const power = "kmgt".indexOf(prefix.toLowerCase()) + 1;
  const value =
    number === ""
      ? Number.NaN
      : Math.round(Number(number) * (binary === "i" ? 1024 : 1000) ** (prefix === "" ? 0 : power));
  if (value > 0 && value <= Number.MAX_SAFE_INTEGER) return value;
  throw new InvalidArgumentError("Expected a number of bytes above 0, such as 10MB, 1.5GB or 512KiB.");
}

/** A limit of a crawl, or "none" (Infinity), which lifts one that the crawl was begun with. */
export function orNone(parse: (text: string) => number): (text: string) => number {
  return (text) => (text === "none" ? Number.POSITIVE_INFINITY : parse(text));
}
