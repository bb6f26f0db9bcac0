/** Rereads that were folded into a later one of the same URL: their number, and all that they say about change. */
import { type EarlierReads, type Reread, rereadOutcomes } from "./records.ts";

export const NO_EARLIER_READS: EarlierReads = {
  unchanged: 0,
  gone: 0,
  moved: 0,
  failed: 0,
  quietMs: 0,
  changedAfterMs: [],
};

/** Of the reads that a row stands for besides its own, how many had each outcome. */
export function earlierCount(earlier: EarlierReads | undefined, outcome: Reread["outcome"]): number {
  if (earlier === undefined) return 0;
  return outcome === "changed" ? earlier.changedAfterMs.length : earlier[outcome];
}

export function earlierReads(earlier: EarlierReads | undefined): number {
  return rereadOutcomes.reduce((sum, outcome) => sum + earlierCount(earlier, outcome), 0);
}

/** From the read before the first of them to the last that showed the page. */
export function earlierMs({ quietMs, changedAfterMs }: EarlierReads): number {
  return changedAfterMs.reduce((sum, ms) => sum + ms, quietMs);
}

/** Of two groups of reads, the earlier first. */
export function joined(first: EarlierReads, then: EarlierReads): EarlierReads {
  return {
    unchanged: first.unchanged + then.unchanged,
    gone: first.gone + then.gone,
    moved: first.moved + then.moved,
    failed: first.failed + then.failed,
    quietMs: first.quietMs + then.quietMs,
    changedAfterMs: [...first.changedAfterMs, ...then.changedAfterMs],
  };
}

/** JSON, for whoever queries the table; without what is 0. */
export function encodeEarlierReads({ changedAfterMs, ...counts }: EarlierReads): string {
  const told = Object.entries(counts).filter(([, count]) => count !== 0);
  return JSON.stringify({ ...Object.fromEntries(told), ...(changedAfterMs.length === 0 ? {} : { changedAfterMs }) });
}

export function decodeEarlierReads(json: string): EarlierReads {
  return { ...NO_EARLIER_READS, ...(JSON.parse(json) as Partial<EarlierReads>) };
}
