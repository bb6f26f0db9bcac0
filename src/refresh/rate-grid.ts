/**
 * Distributions over change rates: weights on a grid of rates, a factor of 1.5 apart, from one change in 16 years to
 * one in 5 minutes. Nothing is assumed about the form of a distribution: a host may have pages that never change beside
 * pages that change by the hour.
 */
const DAY_MS = 86_400_000;
export const SLOWEST = 1 / (16 * 365.25 * DAY_MS);
const STEP = 1.5;
export const RATES_COUNT = 36;

/** Changes per millisecond, ascending. */
export const RATES: Float64Array = Float64Array.from({ length: RATES_COUNT }, (_, k) => SLOWEST * STEP ** k);

/** A broad guess: a web page changes every 3 months or so, give or take a factor of 10 (log-normal). */
export function guessedPrior(): Float64Array {
  const middle = Math.log(1 / (90 * DAY_MS));
  const width = Math.log(10);
  const prior = RATES.map((rate) => Math.exp(-((Math.log(rate) - middle) ** 2) / (2 * width ** 2)));
  normalise(prior);
  return prior;
}

/** The geometric mean of the rates, to show to people. */
export function typicalRate(weights: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < RATES_COUNT; k++) sum += weights[k] * Math.log(RATES[k]);
  return Math.exp(sum);
}

/** Makes the weights sum to 1; equal weights if underflow left nothing. */
export function normalise(weights: Float64Array): void {
  let total = 0;
  for (let k = 0; k < weights.length; k++) total += weights[k];
  if (total > 0) for (let k = 0; k < weights.length; k++) weights[k] /= total;
  else weights.fill(1 / weights.length);
}
