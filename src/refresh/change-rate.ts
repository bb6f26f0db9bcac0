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
 * over a grid of rates, a factor of 1.5 apart, from one change in 16 years to one in 5 minutes. Pages without
 * observations have the prior. The prior is learnt from the pages of the crawl itself (empirical Bayes: the mean of all
 * posteriors, repeated), with a broad guess that weighs as much as `PRIOR_PAGES` pages. So a crawl that was read once
 * does no worse than the guess, and one that was read often follows its own data.
 *
 * Cost: the grid's 36 numbers per observed change; learning uses at most `LEARNING_PAGES` pages, evenly spread.
 */
const DAY_MS = 86_400_000;
const SLOWEST = 1 / (16 * 365.25 * DAY_MS);
const STEP = 1.5;
const RATES_COUNT = 36;

/** Changes per millisecond, ascending. */
export const RATES: Float64Array = Float64Array.from({ length: RATES_COUNT }, (_, k) => SLOWEST * STEP ** k);

/** The weight of the guess, in pages of the crawl. */
const PRIOR_PAGES = 20;
const LEARNING_PAGES = 2000;
const LEARNING_ROUNDS = 10;
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

/** A broad guess: a web page changes every 3 months or so, give or take a factor of 10 (log-normal). */
function guessedPrior(): Float64Array {
  const middle = Math.log(1 / (90 * DAY_MS));
  const width = Math.log(10);
  const prior = RATES.map((rate) => Math.exp(-((Math.log(rate) - middle) ** 2) / (2 * width ** 2)));
  normalise(prior);
  return prior;
}

/** Computes how likely each rate of the grid is for a page, and writes it to `posterior`. */
export function updateRates(seen: Observations, prior: Float64Array, posterior: Float64Array): void {
  const { changedAfterMs, unchangedMs, ageMs } = seen;
  const quietMs = unchangedMs + (ageMs ?? 0);
  for (let k = 0; k < RATES_COUNT; k++) {
    // The slowest rate and the age are common factors; they keep the numbers from underflow.
    const modified = ageMs === null ? 1 : RATES[k] / SLOWEST;
    posterior[k] = prior[k] * modified * Math.exp(-(RATES[k] - SLOWEST) * quietMs);
  }
  for (const afterMs of changedAfterMs) {
    for (let k = 0; k < RATES_COUNT; k++) posterior[k] *= -Math.expm1(-RATES[k] * afterMs);
    normalise(posterior);
  }
  normalise(posterior);
}

/** Learns the prior from observed pages: how likely each rate is for a page without observations. */
export function learnPrior(pages: readonly Observations[]): Float64Array {
  const guess = guessedPrior();
  const informative = pages.filter(
    ({ changedAfterMs, unchangedMs, ageMs }) => changedAfterMs.length > 0 || unchangedMs > 0 || ageMs !== null,
  );
  const stride = Math.max(1, Math.ceil(informative.length / LEARNING_PAGES));
  let prior = guess;
  const posterior = new Float64Array(RATES_COUNT);
  for (let round = 0; round < LEARNING_ROUNDS; round++) {
    const sum = guess.map((share) => PRIOR_PAGES * share);
    for (let page = 0; page < informative.length; page += stride) {
      updateRates(informative[page], prior, posterior);
      for (let k = 0; k < RATES_COUNT; k++) sum[k] += posterior[k];
    }
    normalise(sum);
    prior = sum;
  }
  return prior;
}

/** The geometric mean of the rates, to show to people. */
export function typicalRate(posterior: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < RATES_COUNT; k++) sum += posterior[k] * Math.log(RATES[k]);
  return Math.exp(sum);
}

/** Makes the weights sum to 1; equal weights if underflow left nothing. */
function normalise(weights: Float64Array): void {
  let total = 0;
  for (let k = 0; k < weights.length; k++) total += weights[k];
  if (total > 0) for (let k = 0; k < weights.length; k++) weights[k] /= total;
  else weights.fill(1 / weights.length);
}
