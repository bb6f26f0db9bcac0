/**
 * What to read now, planned once, as `refresh --plan` and `--once` do (`--forever` asks read-scheduler.ts again and
 * again): the pages whose reading gains most (freshness.ts), given what is known of their changes (change-rate.ts).
 *
 * A page whose sitemap says that it has changed since it was read counts as stale for certain, like a new page. But
 * sitemaps lie: some date every page today. So they choose at most half of the reads: the better half of the plan that
 * is made without them is always part of the plan.
 *
 * The time is an argument. The gain of a page is the mean over its possible rates, so a page with few observations
 * counts neither as one that never changes nor as one that always does. The caller leaves out pages that are gone.
 *
 * Cost: 36 numbers per page and per observed change; n log k for the best k of n.
 */
import { UsageError } from "../base/index.ts";
import { topPages } from "../rank/index.ts";
import { learnPriors, type Observations, updateRates } from "./change-rate.ts";
import { readingGain } from "./freshness.ts";
import { HostPriors } from "./host-priors.ts";
import { RATES, RATES_COUNT, typicalRate } from "./rate-grid.ts";

/** A page that may be read again, and what is known of it. */
export interface KnownPage extends Observations {
  readonly importance: number;
  /** Its host, as a number; pages of one host often change alike (default: unknown). */
  readonly host?: number;
  /** When it was last read, Unix time in milliseconds; null if never. */
  readonly lastReadMs: number | null;
  /** A sitemap says that it has changed since (default: false). */
  readonly isSaidChanged?: boolean;
}

/** A read that is worth making. */
export interface PlannedRead {
  /** Index of the page in the input. */
  readonly page: number;
  /** What the read is worth: importance times milliseconds of freshness. */
  readonly gain: number;
  /** Estimated changes per millisecond. */
  readonly changeRate: number;
  /** The probability that it has changed since it was read; 1 for a page never read, or said to have changed. */
  readonly staleChance: number;
}

/** What a new page gains is counted for a year. Else one that never changes would be worth any price. */
const HORIZON_MS = 365.25 * 86_400_000;

/** Options of `planReads`. */
export interface PlanOptions {
  /** Unix time in milliseconds. */
  readonly nowMs: number;
  /** How many pages to read. */
  readonly budget: number;
  /** The prior of change rates (default: learnt from these pages, per host where hosts are known). */
  readonly prior?: Float64Array;
}

/** The most valuable reads for a budget, best first. Pages whose read gains nothing are left out. */
export function planReads(pages: readonly KnownPage[], options: PlanOptions): PlannedRead[] {
  const { nowMs, budget, prior } = options;
  if (!Number.isInteger(budget) || budget < 1) {
    throw new UsageError(`the budget is ${budget} page reads, expected a whole number above 0`);
  }
  if (pages.length === 0) return [];
  const priors = prior === undefined ? learnPriors(pages) : new HostPriors(prior);
  const posterior = new Float64Array(RATES_COUNT);
  const gains = new Float64Array(pages.length);
  /** The same, by what sitemaps say. */
  const saidGains = new Float64Array(pages.length);
  for (const [page, known] of pages.entries()) {
    updateRates(known, priors.of(known.host), posterior);
    gains[page] = meanGain(known.importance, posterior, sinceRead(known, nowMs));
    const stale = known.isSaidChanged === true ? meanGain(known.importance, posterior, Infinity) : 0;
    saidGains[page] = Math.max(gains[page], stale);
  }
  return chosen(gains, saidGains, budget)
    .filter((page) => saidGains[page] > 0)
    .map((page) => {
      const known = pages[page];
      updateRates(known, priors.of(known.host), posterior);
      const isStale = known.isSaidChanged === true;
      return {
        page,
        gain: saidGains[page],
        changeRate: typicalRate(posterior),
        staleChance: isStale ? 1 : staleChance(posterior, sinceRead(known, nowMs)),
      };
    });
}

/** The better half by the first gains, then the best by the second; all in the order of the second. */
function chosen(gains: Float64Array, saidGains: Float64Array, budget: number): number[] {
  const best = new Set(topPages(gains, Math.ceil(budget / 2)).filter((page) => gains[page] > 0));
  for (const page of topPages(saidGains, budget)) if (best.size < budget) best.add(page);
  return [...best].sort((a, b) => saidGains[b] - saidGains[a] || a - b);
}

function sinceRead({ lastReadMs }: KnownPage, nowMs: number): number {
  return lastReadMs === null ? Infinity : Math.max(0, nowMs - lastReadMs);
}

/** Less likely rates are skipped, to save time. */
const NEGLIGIBLE = 1e-9;

function meanGain(importance: number, posterior: Float64Array, since: number): number {
  let gain = 0;
  for (let k = 0; k < posterior.length; k++) {
    if (posterior[k] < NEGLIGIBLE) continue;
    const rate = since === Infinity ? RATES[k] + 1 / HORIZON_MS : RATES[k];
    gain += posterior[k] * readingGain(importance, rate, since);
  }
  return gain;
}

function staleChance(posterior: Float64Array, since: number): number {
  let chance = 0;
  for (let k = 0; k < posterior.length; k++) chance -= posterior[k] * Math.expm1(-RATES[k] * since);
  return chance;
}
