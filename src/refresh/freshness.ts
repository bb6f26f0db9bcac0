/**
 * How often to read pages when reads are limited (J. Cho, H. Garcia-Molina, Effective page refresh policies for web
 * crawlers, TODS 28(4), 2003, sections 4 and 5; Y. Azar, E. Horvitz, E. Lubetzky, Y. Peres, D. Shahaf, Tractable
 * near-optimal policies for crawling, PNAS 115(32), 2018).
 *
 * A page of importance w changes at random times, `rate` times per unit of time on average (Poisson), and is read every
 * `interval`. It is fresh from a read until its next change, so the share of time in which it is fresh is
 *
 *     F = (1 - exp(-x)) / x                    x = rate * interval
 *
 * For a given number of reads per unit of time, the sum of w F over all pages is greatest if one more read would gain
 * the same on every page that is read at all (Lagrange): w dF/d(1/interval) = mu, with
 *
 *     w dF/d(1/interval) = (w / rate) (1 - (1 + x) exp(-x)) = gain(w, rate, interval)
 *
 * A page is read at equal intervals, which is best for a given number of reads because F is concave; Azar et al. take
 * random times, which has a closed form but is worth less. A page that changes so fast that w / rate <= mu is never
 * read: it would be stale again at once, and reads are worth more elsewhere.
 *
 * The gain also tells what to do now. It grows with the time since a page was read, from 0 to w / rate, and under the
 * best schedule each page is read when its gain reaches mu. Always reading the page of greatest gain leads to this
 * schedule without knowing mu, for any budget, and follows it when budget, importance or rates change. The gain is also
 * the Whittle index of this problem. A page that was never read has the gain of one that is certainly stale, w / rate:
 * so new pages compete with old ones.
 */
import { UsageError } from "../base/index.ts";

/** The share of time in which a page is fresh, if it changes at this rate and is read at this interval. */
export function freshness(rate: number, interval: number): number {
  const x = rate * interval;
  if (!(x > 0)) return 1;
  return x === Infinity ? 0 : -Math.expm1(-x) / x;
}

/** What one more read of a page gains, importance times time, by the time since it was read (Infinity: never). */
export function readingGain(importance: number, rate: number, sinceRead: number): number {
  if (rate === 0) return sinceRead === Infinity ? (importance > 0 ? Infinity : 0) : 0;
  return (importance / rate) * staleness(rate * sinceRead);
}

/** How often to read each page. */
export interface Schedule {
  /** Reads of each page per unit of time; 0 for pages that are not worth any. */
  readonly reads: Float64Array;
  /** mu: what one more read per unit of time would add to the freshness. */
  readonly marginalGain: number;
  /** Sum of importance times share of time fresh, over the sum of importance. */
  readonly freshness: number;
}

/** The best schedule for so many reads per unit of time. Rates are changes per unit of time; 0 gets no read. */
export function bestSchedule(importance: Float64Array, rates: Float64Array, readsPerTime: number): Schedule {
  checkPages(importance, rates);
  if (!(readsPerTime > 0 && readsPerTime < Infinity)) {
    throw new UsageError(`the budget is ${readsPerTime} reads, expected a number above 0`);
  }
  const reads = new Float64Array(rates.length);
  const spend = (marginalGain: number): number => {
    let total = 0;
    for (let page = 0; page < reads.length; page++) {
      total += reads[page] = readsAt(marginalGain, importance[page], rates[page]);
    }
    return total;
  };
  let high = 0;
  for (let page = 0; page < rates.length; page++) {
    if (rates[page] > 0) high = Math.max(high, importance[page] / rates[page]);
  }
  // Rounding must not make it worth reading the best page at the greatest gain.
  high *= 1 + 4 * Number.EPSILON;
  // Bisection on the exponent: the number of reads falls to zero as mu rises to its maximum.
  let low = high;
  while (low > Number.MIN_VALUE && spend(low) < readsPerTime) low /= 16;
  while (high > low * (1 + GAP)) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    if (spend(middle) < readsPerTime) high = middle;
    else low = middle;
  }
  // Reads of a page set in steeply, so the final schedule is interpolated between those of the last two marginal gains.
  const most = spend(low);
  const atLow = reads.slice();
  const least = spend(high);
  const share = most > least ? (readsPerTime - least) / (most - least) : 0;
  for (let page = 0; page < reads.length; page++) reads[page] += share * (atLow[page] - reads[page]);
  return { reads, marginalGain: high, freshness: freshnessOf(importance, rates, reads) };
}

/** Sum of importance times share of time fresh, over the sum of importance. */
export function freshnessOf(importance: Float64Array, rates: Float64Array, reads: Float64Array): number {
  checkPages(importance, rates);
  let fresh = 0;
  let total = 0;
  for (let page = 0; page < rates.length; page++) {
    total += importance[page];
    fresh += importance[page] * freshness(rates[page], 1 / reads[page]);
  }
  return total > 0 ? fresh / total : 0;
}

/** How close the two marginal gains come that enclose the best one. */
const GAP = 1e-12;

function checkPages(importance: Float64Array, rates: Float64Array): void {
  if (importance.length !== rates.length) {
    throw new UsageError(`got ${rates.length} change rates for ${importance.length} pages, expected one per page`);
  }
}

/** Reads per unit of time at which one more read gains mu. */
function readsAt(marginalGain: number, importance: number, rate: number): number {
  const share = (marginalGain * rate) / importance;
  return rate > 0 && share < 1 ? rate / inverseStaleness(share) : 0;
}

/** 1 - (1 + x) exp(-x), without loss of digits for small x. */
function staleness(x: number): number {
  if (x < 0.01) return x * x * (1 / 2 - x * (1 / 3 - x * (1 / 8 - x * (1 / 30 - x / 144))));
  return x === Infinity ? 1 : 1 - (1 + x) * Math.exp(-x);
}

/** The x with `staleness(x)` = y, for y in (0, 1): Newton's method, kept inside a bracket. */
function inverseStaleness(y: number): number {
  let low = 0;
  let high = Infinity;
  let x = firstGuess(y);
  for (let step = 0; step < 60; step++) {
    const error = staleness(x) - y;
    if (error > 0) high = x;
    else low = x;
    const next = x - error / (x * Math.exp(-x));
    const kept = next > low && next < high ? next : high === Infinity ? 2 * x : (low + high) / 2;
    if (Math.abs(kept - x) <= 1e-13 * x) return kept;
    x = kept;
  }
  return x;
}

/** From the series at 0 for small y; elsewhere by iterating x = -log(1 - y) + log(1 + x). */
function firstGuess(y: number): number {
  const s = Math.sqrt(2 * y);
  if (y < 0.3) return s + (s * s) / 3;
  const log = -Math.log1p(-y);
  return log + Math.log1p(log + Math.log1p(log + 1));
}
