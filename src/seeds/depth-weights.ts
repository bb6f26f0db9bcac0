/**
 * Finds the page of greatest depth-d weight (Definition 2: the value left within d hops) among some candidates, round
 * after round while values are covered, for MAXWEIGHT, MAXSCC and ROOTSCC.
 *
 * Lazy: the key of a page is the *positive* value that it reached when it was last measured. Covering removes positive
 * values and never adds any, so the key remains an upper bound of the page's weight, even with negative values. The
 * weight itself would not: covering a bad page raises the weights of pages that lead to it. Only pages whose key is
 * above the best weight so far are measured again. Ties: the page of lower id. The choice does not depend on the keys.
 */
import type { Residual } from "./problem.ts";

/** How many pages of highest key are measured before all others: good ones found early leave less to measure. */
const FIRST_LOOKS = 4;

export class DepthWeights {
  /** Upper bounds, valid for every later round. */
  readonly keys: Float64Array;
  readonly #residual: Residual;
  readonly #depth: number;
  readonly #stepsMax: number;
  readonly #isSeed: Uint8Array;
  readonly #source = new Uint32Array(1);

  /**
   * `keys` of an earlier search of the same depth, on the same or greater values, save measuring every page first. A
   * search that has visited `stepsMax` links finds no page any more.
   */
  constructor(
    residual: Residual,
    depth: number,
    { keys, stepsMax = Infinity }: { readonly keys?: Float64Array | undefined; readonly stepsMax?: number } = {},
  ) {
    const { graph, hops } = residual.problem;
    this.#residual = residual;
    this.#depth = Math.min(depth, hops);
    this.#stepsMax = stepsMax;
    this.keys = keys?.slice() ?? new Float64Array(graph.pages).fill(Infinity);
    this.#isSeed = new Uint8Array(graph.pages);
  }

  /**
   * The best of the candidates from index `from` to `to - 1` that is not a seed yet; -1 if all are, or if it stopped.
   */
  best(candidates: Uint32Array, from: number, to: number): number {
    for (const seed of this.#residual.seeds) this.#isSeed[seed] = 1;
    const { keys } = this;
    let best = -1;
    let bestWeight = Number.NEGATIVE_INFINITY;
    const measure = (page: number): void => {
      const weight = this.#weigh(page);
      if (weight < bestWeight || (weight === bestWeight && page >= best)) return;
      best = page;
      bestWeight = weight;
    };
    for (let looks = 0; looks < FIRST_LOOKS; looks++) {
      const page = this.#highestKey(candidates, from, to);
      if (page < 0 || keys[page] === Infinity || keys[page] < bestWeight) break;
      measure(page);
    }
    for (let i = from; i < to; i++) {
      if (this.#residual.walk.steps > this.#stepsMax) return -1;
      const page = candidates[i];
      if (keys[page] < bestWeight || this.#isSeed[page] === 1) continue;
      if (keys[page] === bestWeight && page >= best) continue;
      measure(page);
    }
    return best;
  }

  #highestKey(candidates: Uint32Array, from: number, to: number): number {
    let highest = -1;
    for (let i = from; i < to; i++) {
      const page = candidates[i];
      if (this.#isSeed[page] === 1) continue;
      if (highest < 0 || this.keys[page] > this.keys[highest]) highest = page;
    }
    return highest;
  }

  #weigh(page: number): number {
    const { walk, left, leftPositive } = this.#residual;
    this.#source[0] = page;
    const reached = walk.walk(this.#source, 1, this.#depth);
    let weight = 0;
    for (let i = 0; i < reached; i++) weight += left[walk.reached[i]];
    let positive = weight;
    if (left !== leftPositive) {
      positive = 0;
      for (let i = 0; i < reached; i++) positive += leftPositive[walk.reached[i]];
    }
    this.keys[page] = positive;
    return weight;
  }
}
