/** What only a simulation knows: true coverage, of importance and of value, and when it first reached each level. */
import { type Level, LEVELS, type Reached } from "./simulation.ts";

/** The error of true ranks: their residual, times what it may have spread. */
const TRUTH_PRECISION = 1e-11;

/** A sum of true ranks as a share of all. They are known to 1e-12, so a sum this close to 1 is all. */
export function trueShare(sum: number): number {
  return sum > 1 - TRUTH_PRECISION ? 1 : sum;
}

/** When a value that never falls first reached each level. */
export class Milestones {
  readonly reached: Partial<Record<Level, number>> = {};
  #next = 0;

  note(value: number, downloads: number): void {
    while (this.#next < LEVELS.length && value >= LEVELS[this.#next]) {
      this.reached[`${LEVELS[this.#next]}`] = downloads;
      this.#next++;
    }
  }
}

/** True coverage of value: the rank of the downloaded pages, each counted with its value, of all there is. */
export class CoveredValue {
  readonly #values: Float64Array;
  readonly #truth: Float64Array;
  readonly #total: number;
  readonly #milestones = new Milestones();
  #sum = 0;

  constructor(values: Float64Array, truth: Float64Array) {
    this.#values = values;
    this.#truth = truth;
    this.#total = truth.reduce((sum, rank, page) => sum + rank * values[page], 0);
  }

  get reached(): Reached {
    return this.#milestones.reached;
  }

  /** Returns the coverage that this download makes. */
  downloaded(page: number, downloads: number): number {
    this.#sum += this.#truth[page] * this.#values[page];
    const coverage = this.#total === 0 ? 0 : trueShare(this.#sum / this.#total);
    this.#milestones.note(coverage, downloads);
    return coverage;
  }
}
