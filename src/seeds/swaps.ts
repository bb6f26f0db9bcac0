/**
 * Improves a choice of seeds: one seed is replaced by another if that is worth more (the interchange heuristic of G. L.
 * Nemhauser, L. A. Wolsey, M. L. Fisher, 1978), until no swap helps. A seed that alone adds nothing or less is dropped.
 *
 * Tried in place of each seed: its neighbours by id, and the given candidates. The value never falls.
 */
import { BATCH, BoundedWalk } from "./walks.ts";
import { GroupSearch } from "./group-search.ts";
import { type CheckedProblem, Residual } from "./problem.ts";

const PASSES_MAX = 3;
const ROUNDING = 1e-9;

/** `candidates` are tried for any seed; at most `steps` links are visited. */
export function improveBySwaps(
  problem: CheckedProblem,
  seeds: Uint32Array,
  { candidates, steps }: { readonly candidates: Uint32Array; readonly steps: number },
): Uint32Array {
  const exchange = new Exchange(problem, seeds);
  const chunks: Uint32Array[] = [];
  for (let from = 0; from < candidates.length; from += BATCH) chunks.push(candidates.slice(from, from + BATCH));
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    let improved = false;
    for (let i = 0; i < exchange.seeds.length; i++) {
      if (exchange.steps > steps) return Uint32Array.from(exchange.seeds);
      improved = exchange.tryAt(i, chunks) || improved;
    }
    if (!improved) break;
  }
  return Uint32Array.from(exchange.seeds);
}

class Exchange {
  readonly seeds: number[];
  readonly #problem: CheckedProblem;
  readonly #residual: Residual;
  readonly #search: GroupSearch;
  readonly #walk: BoundedWalk;
  /** How many seeds reach a page. */
  readonly #reachedBy: Uint32Array;
  readonly #source = new Uint32Array(1);

  constructor(problem: CheckedProblem, seeds: Uint32Array) {
    this.#problem = problem;
    this.seeds = [...seeds];
    this.#residual = new Residual(problem);
    this.#search = new GroupSearch(this.#residual);
    this.#walk = new BoundedWalk(problem.graph);
    this.#reachedBy = new Uint32Array(problem.graph.pages);
    for (const seed of seeds) this.#put(seed);
  }

  get steps(): number {
    return this.#walk.steps + this.#search.steps;
  }

  /** Puts the best candidate at place i. Returns whether it is better than what was there. */
  tryAt(i: number, chunks: readonly Uint32Array[]): boolean {
    const seed = this.seeds[i];
    const own = this.#take(seed);
    let best = seed;
    let bestGain = own;
    for (const pages of [this.#search.neighbours(seed), ...chunks]) {
      const { page, gain } = this.#search.weigh(pages, pages.length);
      if (gain <= bestGain + Math.abs(bestGain) * ROUNDING) continue;
      best = page;
      bestGain = gain;
    }
    if (bestGain <= 0 && this.seeds.length > 1) {
      this.seeds.splice(i, 1);
      return true;
    }
    this.#put(best);
    this.seeds[i] = best;
    return best !== seed;
  }

  #put(seed: number): void {
    const reached = this.#reach(seed);
    for (let i = 0; i < reached; i++) {
      const page = this.#walk.reached[i];
      if (this.#reachedBy[page]++ > 0) continue;
      this.#residual.left[page] = 0;
    }
  }

  /** Removes a seed. Returns the value that it alone reached. */
  #take(seed: number): number {
    const { values } = this.#problem;
    const reached = this.#reach(seed);
    let own = 0;
    for (let i = 0; i < reached; i++) {
      const page = this.#walk.reached[i];
      if (--this.#reachedBy[page] > 0) continue;
      own += values[page];
      this.#residual.left[page] = values[page];
    }
    return own;
  }

  #reach(seed: number): number {
    this.#source[0] = seed;
    return this.#walk.walk(this.#source, 1, this.#problem.hops);
  }
}
