/** Rereads that were folded into a later one of the same URL: their number, and all that they say about change. */
import { type EarlierChange, type EarlierReads, type QuietReads, type Reread, rereadOutcomes } from "./records.ts";

export const NO_EARLIER_READS: EarlierReads = {
  unchanged: 0,
  gone: 0,
  moved: 0,
  failed: 0,
  changes: [],
  quietMs: 0,
  quietAgeMs: null,
};

/** Of the reads that a row stands for besides its own, how many had each outcome. */
export function earlierCount(earlier: EarlierReads | undefined, outcome: Reread["outcome"]): number {
  if (earlier === undefined) return 0;
  return outcome === "changed" ? earlier.changes.length : earlier[outcome];
}

export function earlierReads(earlier: EarlierReads | undefined): number {
  return rereadOutcomes.reduce((sum, outcome) => sum + earlierCount(earlier, outcome), 0);
}

/** From the read before the first of them to the last that showed the page. */
export function earlierMs({ changes, quietMs }: EarlierReads): number {
  return changes.reduce((sum, change) => sum + change.quietMs + change.afterMs, quietMs);
}

/** Of two groups of reads, the earlier first. */
export function joined(first: EarlierReads, then: EarlierReads): EarlierReads {
  const [next, ...others] = then.changes;
  const counts = {
    unchanged: first.unchanged + then.unchanged,
    gone: first.gone + then.gone,
    moved: first.moved + then.moved,
    failed: first.failed + then.failed,
  };
  if (next === undefined) return { ...counts, changes: first.changes, ...longer(first, then) };
  const { quietMs, quietAgeMs } = then;
  return {
    ...counts,
    changes: [...first.changes, { ...next, ...longer(first, next) }, ...others],
    quietMs,
    quietAgeMs,
  };
}

/** Reads that found nothing new, and then more of them: the last of all says how old the content was. */
function longer(first: QuietReads, then: QuietReads): QuietReads {
  const { quietAgeMs } = then.quietMs > 0 ? then : first;
  return { quietMs: first.quietMs + then.quietMs, quietAgeMs };
}

/** JSON, for whoever queries the table; without what is 0 or unknown. Changes are lists of numbers. */
export function encodeEarlierReads({ changes, ...others }: EarlierReads): string {
  const told = Object.entries(others).filter(([, value]) => value !== 0 && value !== null);
  return JSON.stringify({
    ...Object.fromEntries(told),
    ...(changes.length === 0 ? {} : { changes: changes.map(numbersOf) }),
  });
}

export function decodeEarlierReads(json: string): EarlierReads {
  const { changes = [], ...others } = JSON.parse(json) as Partial<Encoded>;
  return { ...NO_EARLIER_READS, ...others, changes: changes.map(changeOf) };
}

type ChangeNumbers = readonly [quietMs: number, afterMs: number, ageMs?: number | null, quietAgeMs?: number | null];
type Encoded = Omit<EarlierReads, "changes"> & { readonly changes: readonly ChangeNumbers[] };

function numbersOf({ quietMs, afterMs, ageMs, quietAgeMs }: EarlierChange): ChangeNumbers {
  if (quietAgeMs !== null) return [quietMs, afterMs, ageMs, quietAgeMs];
  return ageMs === null ? [quietMs, afterMs] : [quietMs, afterMs, ageMs];
}

function changeOf([quietMs, afterMs, ageMs = null, quietAgeMs = null]: ChangeNumbers): EarlierChange {
  return { quietMs, quietAgeMs, afterMs, ageMs };
}
