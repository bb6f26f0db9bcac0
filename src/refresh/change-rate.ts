/**
 * How often a page changes, estimated from a few observations.
 *
 * Changes are modelled as a Poisson process of rate r (J. Cho, H. Garcia-Molina, Estimating frequency of change, TOIT
 * 3(3), 2003). Three observations have these likelihoods: a page has changed when read again after a time t, 1 - exp(-r
 * t); it has not, exp(-r t); and it says that it was last modified a time a before it was read, r exp(-r a). How often
 * a page changed between two reads is not observed, so the share of changed reads over time is biased; their estimator
 * and ours use the likelihood.
 *
 * With few observations the maximum of the likelihood is at 0 or infinity, so the estimate is Bayesian: a distribution
 * over a grid of rates (rate-grid.ts). Pages without observations have the prior, which is learnt from the other pages
 * of the host and of the crawl (host-priors.ts).
 *
 * Cost: the grid's 36 numbers per observed change.
 */
import { type HostPriors, learnHostPriors } from "./host-priors.ts";
import { normalise, RATES, SLOWEST } from "./rate-grid.ts";

/** A page that says it was modified just now was generated for this response, which says nothing about its content. */
const GENERATED_MS = 120_000;

/** All that matters for the change rate of a page, however often it was read. Times are in milliseconds. */
export interface Observations {
  /** For each read that found it changed: the time since the read before. */
  readonly changedAfterMs: readonly number[];
  /** The total time between reads that found it unchanged. */
  readonly unchangedMs: number;
  /** How long before its first read it was last modified, according to the page; null if it says nothing useful. */
  readonly ageMs: number | null;
}

/** A read that found a page changed. */
export interface PastChange {
  /** How long the page was known not to change before, since the change before that. */
  readonly quietMs: number;
  /** The time since the read before. */
  readonly afterMs: number;
  /** How long before this read it was modified, according to the page; null if that is unknown. */
  readonly ageMs: number | null;
}

/** The age of a page by its Last-Modified header; null without a credible one. */
export function ageOf(lastModified: string | null, readAtMs: number): number | null {
  const modifiedMs = lastModified === null ? Number.NaN : Date.parse(lastModified);
  const ageMs = readAtMs - modifiedMs;
  return ageMs >= GENERATED_MS ? ageMs : null;
}

/** What a sitemap says of a page, and when it was read. Times are Unix times in milliseconds. */
interface SitemapDate {
  /** Its `lastmod`; null where it has none. */
  readonly modifiedMs: number | null;
  readonly listedMs: number;
}

/**
 * Whether a sitemap says that a page has changed since it was read. A date in the future is a lie, and one of the
 * moment at which the sitemap was read is that of its making: both say nothing.
 */
export function saysChanged({ modifiedMs, listedMs }: SitemapDate, lastReadMs: number): boolean {
  return modifiedMs !== null && modifiedMs > lastReadMs && listedMs - modifiedMs >= GENERATED_MS;
}

/** Computes how likely each rate of the grid is for a page, and writes it to `posterior`. */
export function updateRates(seen: Observations, prior: Float64Array, posterior: Float64Array): void {
  const { changedAfterMs, unchangedMs, ageMs } = seen;
  const quietMs = unchangedMs + (ageMs ?? 0);
  const rates = RATES;
  for (let k = 0; k < rates.length; k++) {
    // The slowest rate and the age are common factors; they keep the numbers from underflow.
    const modified = ageMs === null ? 1 : rates[k] / SLOWEST;
    posterior[k] = prior[k] * modified * Math.exp(-(rates[k] - SLOWEST) * quietMs);
  }
  for (const afterMs of changedAfterMs) {
    for (let k = 0; k < rates.length; k++) posterior[k] *= -Math.expm1(-rates[k] * afterMs);
    normalise(posterior);
  }
  normalise(posterior);
}

/** Learns from observed pages how likely each rate is for a page without observations, for the crawl and per host. */
export function learnPriors(pages: readonly (Observations & { readonly host?: number })[]): HostPriors {
  const informative = pages.filter(
    ({ changedAfterMs, unchangedMs, ageMs }) => changedAfterMs.length > 0 || unchangedMs > 0 || ageMs !== null,
  );
  return learnHostPriors({
    count: informative.length,
    hostOf: (page) => informative[page].host,
    posteriorOf: (page, prior, posterior) => updateRates(informative[page], prior, posterior),
  });
}

/** The prior of the whole crawl alone. */
export function learnPrior(pages: readonly Observations[]): Float64Array {
  return learnPriors(pages).crawl;
}
