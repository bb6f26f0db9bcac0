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
    const unchanged = this.#unchanged;
    const changed = this.#changed;
    let share = 0;
    for (let k = 0; k < weights.length; k++) {
      unchanged[k] = weights[k] * currentChances[k];
      changed[k] = weights[k] - unchanged[k];
      share += unchanged[k];
    }
    // J of a distribution that sums to q, at q times the price, is q times J: nothing need be divided.
    const ifUnchanged = { weights: unchanged, price: share * price };
    const ifChanged = { weights: changed, price: (1 - share) * price };
    return HORIZON_MS * growth({ weights, price }, ifUnchanged, ifChanged);
  }
}

interface Priced {
  readonly weights: Float64Array;
  readonly price: number;
}

/** How much more two parts are worth, each read at its best interval, than the whole: per unit of time. */
function growth(whole: Priced, unchanged: Priced, changed: Priced): number {
  let [bestWhole, bestUnchanged, bestChanged] = [0, 0, 0];
  for (let interval = 0; interval < CURRENT_MS.length; interval++) {
    const currentMs = CURRENT_MS[interval];
    // Three sums in one loop: none waits for the others.
    let [gain, gainUnchanged, gainChanged] = [-whole.price, -unchanged.price, -changed.price];
    for (let k = 0; k < currentMs.length; k++) {
      const ms = currentMs[k];
      gain += whole.weights[k] * ms;
      gainUnchanged += unchanged.weights[k] * ms;
      gainChanged += changed.weights[k] * ms;
    }
    const ms = INTERVALS_MS[interval];
    bestWhole = Math.max(bestWhole, gain / ms);
    bestUnchanged = Math.max(bestUnchanged, gainUnchanged / ms);
    bestChanged = Math.max(bestChanged, gainChanged / ms);
  }
  return Math.max(0, bestUnchanged + bestChanged - bestWhole);
}
