/**
 * What is left to cover while seeds are chosen one after another: the values of the pages that no seed reaches yet, 0
 * for all others (Algorithm 1, step 4).
 */
import { BoundedWalk } from "./bounded-walk.ts";
import type { CheckedProblem } from "./problem.ts";

export class Residual {
  readonly problem: CheckedProblem;
  readonly walk: BoundedWalk;
  readonly left: Float64Array;
  /** `max(left, 0)`; the same array if no value is negative. */
  readonly leftPositive: Float64Array;
  /** 1 for pages that a seed reaches. */
  readonly isCovered: Uint8Array;
  readonly seeds: number[] = [];
  #positivePages = 0;

  constructor(problem: CheckedProblem) {
    const { graph, values } = problem;
    this.problem = problem;
    this.walk = new BoundedWalk(graph);
    this.left = values.slice();
    this.isCovered = new Uint8Array(graph.pages);
    let anyNegative = false;
    for (let page = 0; page < graph.pages; page++) {
      anyNegative ||= values[page] < 0;
      if (values[page] > 0) this.#positivePages++;
    }
    this.leftPositive = anyNegative ? values.map((value) => Math.max(0, value)) : this.left;
  }

  /** Whether a further seed could gain nothing. */
  get isSpent(): boolean {
    return this.#positivePages === 0;
  }

  get isFull(): boolean {
    return this.seeds.length === this.problem.count;
  }

  choose(seed: number): void {
    this.seeds.push(seed);
    const { left, leftPositive, isCovered, walk } = this;
    const reached = walk.walk(Uint32Array.of(seed), 1, this.problem.hops);
    for (let i = 0; i < reached; i++) {
      const page = walk.reached[i];
      if (left[page] > 0) this.#positivePages--;
      left[page] = 0;
      leftPositive[page] = 0;
      isCovered[page] = 1;
    }
  }

  chosen(): Uint32Array {
    return Uint32Array.from(this.seeds);
  }
}
