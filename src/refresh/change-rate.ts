/**
 * How often does a page change, seen a few times only?
 *
 * Changes are taken for a Poisson process. Three things tell about its rate r (J. Cho, H. Garcia-Molina, Estimating frequency of change,
 * TOIT 3(3), 2003): a page read again after a time t has changed, 1 - exp(-r t), or not, exp(-r t); and a page that says when it was last
 * modified, a time a before it was read, r exp(-r a). How often a page changed between two reads is not seen: that is why the share of
 * changed reads over time is biased, and why their estimator and ours take the likelihood.
 *
 * With few observations a maximum of likelihood is 0 or infinite, so the answer is Bayesian: a distribution over a grid of rates, one every
 * factor of 1.5 from one change in 16 years to one in 5 minutes. Pages of which nothing is known have the prior. The prior is learnt from the
 * pages of the crawl itself (empirical Bayes: the mean of all posteriors, repeated), with the weight of `PRIOR_PAGES` pages on a
 * broad guess, so that a crawl read once is no worse off than a guess, and one read often speaks for itself.
 *
 * Cost: the grid's 36 numbers for each change seen; learning takes at most `LEARNING_PAGES` pages, spread evenly.
 */
const DAY_MS = 86_400_000;
const SLOWEST = 1 / (16 * 365.25 * DAY_MS);
const STEP = 1.5;
const RATES_COUNT = 36;

/** Changes a millisecond, ascending. */
export const RATES: Float64Array = Float64Array.from({ length: RATES_COUNT }, (_, k) => SLOWEST * STEP ** k);

/** Weight of the guess against what the pages of a crawl show. */
const PRIOR_PAGES = 20;
const LEARNING_PAGES = 2000;
const LEARNING_ROUNDS = 10;
/** A page that says it was modified just now was made for the answer; that says nothing about its content. */
const MADE_FOR_ANSWER_MS = 120_000;

/** What was seen of one page, times in milliseconds: all that matters for its rate, however often it was read. */
export interface Observations {
  /** Time between two reads, for each that found it changed. */
  readonly changedAfterMs: readonly number[];
  /** Time between two reads, in all, where it had not changed. */
  readonly unchangedMs: number;
  /** How long before its first read it was last modified, by its own word; null where it says nothing of use. */
  readonly ageMs: number | null;
}

/** The age that a Last-Modified header tells, or null where there is none that can be believed. */
export function ageOf(lastModified: string | null, readAtMs: number): number | null {
  const modifiedMs = lastModified === null ? Number.NaN : Date.parse(lastModified);
  const ageMs = readAtMs - modifiedMs;
  return ageMs >= MADE_FOR_ANSWER_MS ? ageMs : null;
}

/** A broad guess: a web page changes every 3 months or so, give or take a factor of 10 (log-normal). */
function guessedPrior(): Float64Array {
  const middle = Math.log(1 / (90 * DAY_MS));
  const width = Math.log(10);
  const prior = RATES.map((rate) => Math.exp(-((Math.log(rate) - middle) ** 2) / (2 * width ** 2)));
  normalise(prior);
  return prior;
}

/** How likely each rate of the grid is for a page, written to `posterior`. */
export function updateRates(seen: Observations, prior: Float64Array, posterior: Float64Array): void {
  const { changedAfterMs, unchangedMs, ageMs } = seen;
  const quietMs = unchangedMs + (ageMs ?? 0);
  for (let k = 0; k < RATES_COUNT; k++) {
    // The slowest rate and the age are common factors that keep numbers away from where they would vanish.
    const modified = ageMs === null ? 1 : RATES[k] / SLOWEST;
    posterior[k] = prior[k] * modified * Math.exp(-(RATES[k] - SLOWEST) * quietMs);
  }
  for (const afterMs of changedAfterMs) {
    for (let k = 0; k < RATES_COUNT; k++) posterior[k] *= -Math.expm1(-RATES[k] * afterMs);
    normalise(posterior);
  }
  normalise(posterior);
}

/** What the pages seen so far say about a page of which nothing is known. */
export function learnPrior(pages: readonly Observations[]): Float64Array {
  const guess = guessedPrior();
  const telling = pages.filter(isTelling);
  const stride = Math.max(1, Math.ceil(telling.length / LEARNING_PAGES));
  let prior = guess;
  const posterior = new Float64Array(RATES_COUNT);
  for (let round = 0; round < LEARNING_ROUNDS; round++) {
    const sum = guess.map((share) => PRIOR_PAGES * share);
    for (let page = 0; page < telling.length; page += stride) {
      updateRates(telling[page], prior, posterior);
      for (let k = 0; k < RATES_COUNT; k++) sum[k] += posterior[k];
    }
    normalise(sum);
    prior = sum;
  }
  return prior;
}

/** The mean of the logarithm, as a rate: what a person is told. */
export function typicalRate(posterior: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < RATES_COUNT; k++) sum += posterior[k] * Math.log(RATES[k]);
  return Math.exp(sum);
}

function isTelling({ changedAfterMs, unchangedMs, ageMs }: Observations): boolean {
  return changedAfterMs.length > 0 || unchangedMs > 0 || ageMs !== null;
}

/** All alike where rounding has left nothing. */
function normalise(weights: Float64Array): void {
  let total = 0;
  for (let k = 0; k < weights.length; k++) total += weights[k];
  if (total > 0) for (let k = 0; k < weights.length; k++) weights[k] /= total;
  else weights.fill(1 / weights.length);
}
