/**
 * What to read now: the pages whose reading gains most (freshness.ts), by what is known of their changes (change-rate.ts).
 *
 * Pure: the time is an argument. The gain of a page is the mean over the rates that it may have, so a page of which little is known counts
 * neither as one that never changes nor as one that always does. Pages that are gone have no place here: whoever calls leaves them out.
 *
 * Cost: 36 numbers a page and its observations; n log k for the best k of n.
 */
import { UsageError } from "../base/index.ts";
import { topPages } from "../rank/index.ts";
import { learnPrior, type Observations, RATES, typicalRate, updateRates } from "./change-rate.ts";
import { readingGain } from "./freshness.ts";

export interface KnownPage extends Observations {
  readonly importance: number;
  /** Unix time in milliseconds of the last time it was read, null if never. */
  readonly lastReadMs: number | null;
}

export interface PlannedRead {
  /** Index of the page among those given. */
  readonly page: number;
  /** Importance times milliseconds of freshness that one more read is worth. */
  readonly gain: number;
  /** Changes a millisecond, by what is known. */
  readonly changeRate: number;
  /** How likely it has changed since it was read; 1 for a page never read. */
  readonly staleChance: number;
}

/**
 * A copy of a page that never changes would be worth reading once for all time; nobody plans for so long. What a new page gains is
 * counted for a year.
 */
const HORIZON_MS = 365.25 * 86_400_000;

export interface PlanOptions {
  /** Unix time in milliseconds. */
  readonly nowMs: number;
  /** Pages read. */
  readonly budget: number;
  /** As `learnPrior` answers, which is asked unless given. */
  readonly prior?: Float64Array;
}

/** The best reads for a budget, best first. Pages that gain nothing are left out. */
export function planReads(pages: readonly KnownPage[], options: PlanOptions): PlannedRead[] {
  const { nowMs, budget, prior = learnPrior(pages) } = options;
  if (!Number.isInteger(budget) || budget < 1) {
    throw new UsageError(`the budget is ${budget} page reads, expected a whole number above 0`);
  }
  if (pages.length === 0) return [];
  const posterior = new Float64Array(prior.length);
  const gains = new Float64Array(pages.length);
  for (const [page, known] of pages.entries()) {
    updateRates(known, prior, posterior);
    gains[page] = meanGain(known, posterior, nowMs);
  }
  return Array.from(topPages(gains, budget))
    .filter((page) => gains[page] > 0)
    .map((page) => {
      const known = pages[page];
      updateRates(known, prior, posterior);
      return {
        page,
        gain: gains[page],
        changeRate: typicalRate(posterior),
        staleChance: staleChance(known, posterior, nowMs),
      };
    });
}

function sinceRead({ lastReadMs }: KnownPage, nowMs: number): number {
  return lastReadMs === null ? Infinity : Math.max(0, nowMs - lastReadMs);
}

/** Rates so unlikely count for nothing, and take no time. */
const NEGLIGIBLE = 1e-9;

function meanGain(known: KnownPage, posterior: Float64Array, nowMs: number): number {
  const since = sinceRead(known, nowMs);
  let gain = 0;
  for (let k = 0; k < posterior.length; k++) {
    if (posterior[k] < NEGLIGIBLE) continue;
    const rate = since === Infinity ? RATES[k] + 1 / HORIZON_MS : RATES[k];
    gain += posterior[k] * readingGain(known.importance, rate, since);
  }
  return gain;
}

function staleChance(known: KnownPage, posterior: Float64Array, nowMs: number): number {
  const since = sinceRead(known, nowMs);
  let chance = 0;
  for (let k = 0; k < posterior.length; k++) chance -= posterior[k] * Math.expm1(-RATES[k] * since);
  return chance;
}
