/** `--keep-visits`: which earlier visits of pages are kept, as a number of visits, an age, or a time. */
import { isRecord, UsageError } from "../../base/index.ts";
import { duration, type Kind, wholeNumber } from "./kinds.ts";

export type KeepVisits =
  /** Of each page, with the one that counts. */
  | { readonly newest: number }
  /** Those that were replaced in this time until now, in milliseconds. */
  | { readonly ageMs: number }
  /** Those that were replaced since this time, Unix time in milliseconds. */
  | { readonly sinceMs: number };

const EXPECTED =
  "how many visits of each page to keep (5, at least 1), an age (90d, 12h) or a time (2026-11-18, 2026-11-18T14:30)";

export const keptVisits: Kind<KeepVisits> = {
  type: "string",
  placeholder: "n|time",
  expected: EXPECTED,
  schema: { type: ["integer", "string"] },
  read: (given) => {
    // The command line reads a flag before the crawl reads its options.
    if (isKeepVisits(given)) return given;
    const text = String(given);
    const sinceMs = timeOf(text, "00:00");
    if (sinceMs !== undefined) return { sinceMs };
    try {
      return /^\d+$/.test(text) ? { newest: wholeNumber(1).read(text) } : { ageMs: duration.read(text) };
    } catch (error) {
      throw new UsageError(`Expected ${EXPECTED}.`, { cause: error });
    }
  },
  write: (keep) => {
    if ("newest" in keep) return String(keep.newest);
    return "ageMs" in keep ? duration.write(keep.ageMs) : new Date(keep.sinceMs).toISOString();
  },
};

function isKeepVisits(given: unknown): given is KeepVisits {
  return isRecord(given) && ("newest" in given || "ageMs" in given || "sinceMs" in given);
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** Unix time in milliseconds; undefined if it is no time. A date without a time means this time of that day. */
export function timeOf(text: string, timeOfDay: string): number | undefined {
  const [, date = "", time = timeOfDay, zone = "Z"] = TIME.exec(text) ?? [];
  const isDate = new Date(Date.parse(`${date}T00:00:00Z`) || 0).toISOString().startsWith(`${date}T`);
  const ms = isDate ? Date.parse(`${date}T${time}${zone}`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
