/**
 * A test that a mean is above a threshold, by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random
 * variables by betting", 2024): start with 1, bet on every draw that it lies above the threshold, at odds that are fair
 * if the mean is the threshold. If the mean is not above it, the capital is a supermartingale that starts at 1, so it
 * ever reaches 1/alpha with probability at most alpha (Ville). So one may look after every draw and stop at any time.
 *
 * The capital is spread over several sizes of bets, of which none has to be chosen: the mean of supermartingales is one.
 * The draws are assumed bounded by `least`; nothing else is assumed of them.
 */
export class BettingTest {
  readonly #threshold: number;
  readonly #bets: Float64Array;
  /** One for each size of bet. */
  readonly #logCapital: Float64Array;
  #logBest = 0;

  /** `least` is a lower bound of every draw. If it is not below the threshold, there is nothing to prove. */
  constructor(threshold: number, least: number) {
    this.#threshold = threshold;
    // A bet of 1/(threshold - least) would lose everything with the worst draw.
    const most = threshold > least ? 1 / (threshold - least) : 0;
    this.#bets = BET_SIZES.map((size) => size * most);
    this.#logCapital = new Float64Array(this.#bets.length);
    if (most === 0) this.#logBest = Number.POSITIVE_INFINITY;
  }

  add(draw: number): void {
    const gain = draw - this.#threshold;
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < this.#bets.length; k++) {
      this.#logCapital[k] += Math.log1p(this.#bets[k] * gain);
      highest = Math.max(highest, this.#logCapital[k]);
    }
    let sum = 0;
    for (const log of this.#logCapital) sum += Math.exp(log - highest);
    this.#logBest = Math.max(this.#logBest, highest + Math.log(sum / this.#bets.length));
  }

  /** Whether the mean is above the threshold, with an error probability of at most `alpha`. */
  isProved(alpha: number): boolean {
    return this.#logBest >= -Math.log(alpha);
  }
}

/** As shares of the largest bet. The largest one stays below 1: a single worst draw must not end the game. */
const BET_SIZES = Float64Array.from({ length: 16 }, (_, k) => 0.95 * 0.75 ** k);
