/**
 * What a read teaches: the change rate of a page becomes better known, and its later reads better timed.
 *
 * Say one more read must gain `price` to be worth it (the level of the scheduler). A page of importance 1 whose rate r
 * has the probability p_r is then worth per unit of time, read at the best interval T or never,
 *
 *     J(p) = max over T of (sum of p_r (1 - exp(-r T)) / r  -  price) / T,  or 0
 *
 * A read finds the page changed or not, and makes p another distribution, p' or p''. On average, J can only grow by it,
 * since it is the maximum of linear functions of p: the growth is what is learnt (a knowledge gradient; P. Frazier, W.
 * Powell, S. Dayanik, A knowledge-gradient policy for sequential information collection, SIAM J. Control 47, 2008). It
 * is counted for a year, like what a new page gains. A page that changes faster than it can be followed is the main
 * case: whoever always waits until it has surely changed never finds out, and reads it in vain for ever.
 *
 * Cost: three times the grid of rates for each of 16 intervals.
 */
import { RATES, RATES_COUNT } from "./rate-grid.ts";

const DAY_MS = 86_400_000;
const HORIZON_MS = 365.25 * DAY_MS;
/** From half a day to about three years. */
const INTERVALS_MS = Float64Array.from({ length: 16 }, (_, k) => 0.5 * DAY_MS * 1.67 ** k);
/** For each interval and rate: how long a copy is current until the next read. */
const CURRENT_MS = Array.from(INTERVALS_MS, (ms) => RATES.map((rate) => -Math.expm1(-rate * ms) / rate));

/** Scratch space, to learn from a read that is only imagined. */
export class Lesson {
  readonly #unchanged = new Float64Array(RATES_COUNT);
  readonly #changed = new Float64Array(RATES_COUNT);

  /** What is learnt: weights of the rates, which sum to 1, and for each how likely the page is still current. */
  worth(weights: Float64Array, currentChances: Float64Array, price: number): number {
    let unchanged = 0;
    for (let k = 0; k < RATES_COUNT; k++) {
      this.#unchanged[k] = weights[k] * currentChances[k];
      this.#changed[k] = weights[k] - this.#unchanged[k];
      unchanged += this.#unchanged[k];
    }
    // J of a distribution that sums to q, at q times the price, is q times J: nothing need be divided.
    const after = gainRate(this.#unchanged, unchanged * price) + gainRate(this.#changed, (1 - unchanged) * price);
    return HORIZON_MS * Math.max(0, after - gainRate(weights, price));
  }
}

/** What a page is worth per unit of time, read at the best interval. */
function gainRate(weights: Float64Array, price: number): number {
  let best = 0;
  for (let interval = 0; interval < CURRENT_MS.length; interval++) {
    const currentMs = CURRENT_MS[interval];
    let gain = -price;
    for (let k = 0; k < RATES_COUNT; k++) gain += weights[k] * currentMs[k];
    best = Math.max(best, gain / INTERVALS_MS[interval]);
  }
  return best;
}
