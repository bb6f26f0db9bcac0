/** The value of `--keep-visits`: a number of visits, an age, or a time. */
import { InvalidArgumentError } from "commander";
import { duration, wholeNumber } from "../../crawl/settings/index.ts";
import { timeOf } from "./moment.ts";

export type KeepVisits =
  /** Of each page, with the one that counts. */
  | { readonly newest: number }
  /** Those that were replaced in this time until now, in milliseconds. */
  | { readonly ageMs: number }
  /** Those that were replaced since this time, Unix time in milliseconds. */
  | { readonly sinceMs: number };

export function keepVisitsOf(text: string): KeepVisits {
  const sinceMs = timeOf(text, "00:00");
  if (sinceMs !== undefined) return { sinceMs };
  try {
    return /^\d+$/.test(text) ? { newest: wholeNumber(1).read(text) } : { ageMs: duration.read(text) };
  } catch {
    throw new InvalidArgumentError(
      "Expected how many visits of each page to keep (5, at least 1), an age (90d, 12h) or a time (2026-11-18, " +
        "2026-11-18T14:30).",
    );
  }
}
