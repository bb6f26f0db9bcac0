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
  throw new InvalidArgumentError("Expected a number above 0 and at most 1.");
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
