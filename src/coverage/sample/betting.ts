/**
 * A test that means are above 0, by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
 * betting", 2024): start with a capital of 1 and bet on every draw that it is positive, at odds that are fair if its
 * mean is 0. As long as the mean is not positive, the capital is a supermartingale that starts at 1, so it ever reaches
 * 1/alpha with probability at most alpha (Ville's inequality). So one may check after every draw, and stop at any time.
 *
 * Several hypotheses are tested with the same draws and the same bets. The gain of a later hypothesis is never above
 * that of an earlier one, so its capital is not either: hypotheses are confirmed in their order, and one alpha is
 * enough for all of them (docs/mathematics.md).
 *
 * The capital is divided among several sizes of bets, so that none has to be chosen: the mean of supermartingales is
 * one. Cost of a draw: hypotheses times sizes.
 */
export class BettingTest {
  readonly #hypotheses: number;
  /** For each hypothesis, one for each size of bet. */
  readonly #logCapital: Float64Array;
  /** The greatest capital that each hypothesis has had. */
  readonly #logBest: Float64Array;

  constructor(hypotheses: number) {
    this.#hypotheses = hypotheses;
    this.#logCapital = new Float64Array(hypotheses * BET_SIZES.length);
    this.#logBest = new Float64Array(hypotheses);
  }

  /**
   * Takes the gain of each hypothesis, falling. `worst` is the least that the last gain could have been, and so a lower
   * bound of them all.
   */
  add(gains: ArrayLike<number>, worst: number): void {
    if (worst >= 0) return;
    for (let k = 0; k < this.#hypotheses; k++) {
      const start = k * BET_SIZES.length;
      // A bet of this size would lose everything with the worst draw.
      const relative = gains[k] / -worst;
      for (let size = 0; size < BET_SIZES.length; size++) {
        this.#logCapital[start + size] += Math.log1p(BET_SIZES[size] * relative);
      }
      this.#logBest[k] = Math.max(this.#logBest[k], this.logCapital(k));
    }
  }

  /** The logarithm of the present capital. */
  logCapital(hypothesis: number): number {
    const start = hypothesis * BET_SIZES.length;
    const capitals = this.#logCapital.subarray(start, start + BET_SIZES.length);
    const highest = capitals.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
    let sum = 0;
    for (const each of capitals) sum += Math.exp(each - highest);
    return highest + Math.log(sum / BET_SIZES.length);
  }

  /** Whether the mean is above 0, with an error probability of at most `alpha`. */
  isConfirmed(hypothesis: number, alpha: number): boolean {
    return this.#logBest[hypothesis] >= -Math.log(alpha);
  }
}

/** As shares of the largest bet. The largest one stays below 1: a single worst draw must not end the game. */
export const BET_SIZES: readonly number[] = [0.95, 0.8, 0.6, 0.4, 0.2];
