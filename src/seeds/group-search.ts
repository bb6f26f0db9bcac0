/**
 * Finds the page that gains most within h hops (or fewer, for MAXWEIGHT of more than two), round after round: the exact
 * step 2 of Algorithm 1, without measuring every page.
 *
 * Pages are taken in groups of neighbouring ids (32, 256, 2048, ...). What a whole group reaches is an upper bound of
 * what any of its pages reaches. Links are local (neighbouring ids are mostly pages of one site), so a group costs
 * hardly more than a page, and its bound is nearly as good: on cnr-2000 with 5 hops, 5 of 1,272 groups of 256 can hold
 * the best page. The group of greatest bound is opened first into its parts, the 32 pages of the smallest by one walk
 * on bits (walks.ts), until no bound is above the best page found: branch and bound.
 *
 * Lazy between rounds (M. Minoux, 1978): bounds count the *positive* value left, which only falls as pages are covered,
 * so they remain bounds; those of an earlier round are measured again before they are opened. A gain itself is no bound
 * if values are negative.
 *
 * A round that exceeds the budget of steps (visited links) ends with the best page found so far: `isProved` is then
 * false.
 */
import { IndexedHeap } from "../base/index.ts";
import { BATCH, BatchWalk } from "./walks.ts";
import type { Residual } from "./problem.ts";

/** How many parts a group has. */
const PARTS = 8;
/** Sums of the same numbers in another order differ by less. */
const ROUNDING = 1e-12;

export class GroupSearch {
  /** Whether no page could have gained more, in any round so far. */
  isProved = true;
  readonly #residual: Residual;
  readonly #depth: number;
  readonly #batch: BatchWalk;
  readonly #heap: IndexedHeap;
  /** The pages in a group of each level, and the number of its first group: groups are numbered across levels. */
  readonly #sizes: number[] = [];
  readonly #firsts: number[] = [];
  /** The round in which the bound of a group was measured. */
  readonly #measured: Uint32Array;
  /** Groups that are finished in this round. */
  readonly #parked: Uint32Array;
  readonly #parkedKeys: Float64Array;
  readonly #sources = new Uint32Array(BATCH);
  #round = 0;
  #best = -1;
  #bestGain = 0;

  /** A page gains what it reaches within `depth` hops (default: the hops of the problem). */
  constructor(residual: Residual, depth = residual.problem.hops) {
    const { graph, hops } = residual.problem;
    this.#residual = residual;
    this.#depth = Math.min(depth, hops);
    this.#batch = new BatchWalk(graph, residual.left, residual.leftPositive);
    let groups = 0;
    for (let size = BATCH; ; size *= PARTS) {
      this.#sizes.push(size);
      this.#firsts.push(groups);
      groups += Math.ceil(graph.pages / size);
      if (size * PARTS >= graph.pages) break;
    }
    this.#heap = new IndexedHeap(groups);
    this.#measured = new Uint32Array(groups);
    this.#parked = new Uint32Array(groups);
    this.#parkedKeys = new Float64Array(groups);
    for (let group = this.#firsts.at(-1)!; group < groups; group++) this.#heap.add(group, Number.MAX_VALUE);
  }

  get steps(): number {
    return this.#batch.steps + this.#residual.walk.steps;
  }

  /** The page of greatest gain, the lower id among equals; -1 if none gains. Pages in `hint` are measured first. */
  next(budget = Infinity, hint?: Uint32Array): number {
    this.#round++;
    this.#best = -1;
    this.#bestGain = 0;
    if (hint !== undefined) this.#weighPages(hint);
    const heap = this.#heap;
    let parked = 0;
    while (heap.size > 0 && this.#mayHold(heap.topKey)) {
      if (this.steps > budget) {
        this.isProved = false;
        break;
      }
      const key = heap.topKey;
      const group = heap.pop();
      const level = this.#levelOf(group);
      const first = (group - this.#firsts[level]) * this.#sizes[level];
      const isNoBetter = key <= this.#bestGain * (1 + ROUNDING) && first > this.#best;
      if (isNoBetter || level === 0) {
        this.#parked[parked] = group;
        this.#parkedKeys[parked++] = isNoBetter ? key : this.#weighRange(first);
      } else if (this.#measured[group] < this.#round) {
        this.#measured[group] = this.#round;
        heap.add(group, Math.min(key, this.#bound(first, this.#sizes[level])));
      } else this.#open(group, level, key);
    }
    for (let i = 0; i < parked; i++) heap.add(this.#parked[i], this.#parkedKeys[i]);
    return this.#best;
  }

  /** Measures up to 32 pages. Returns the best of them, with its gain. */
  weigh(pages: Uint32Array, count: number): { readonly page: number; readonly gain: number } {
    this.#batch.walk(pages, count, this.#depth);
    let best = -1;
    let bestGain = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const gain = this.#batch.value[i];
      if (gain > bestGain || (gain === bestGain && pages[i] < best)) {
        best = pages[i];
        bestGain = gain;
      }
    }
    return { page: best, gain: bestGain };
  }

  /** The pages of the groups of 32 with the highest bounds. The state of the search does not change. */
  promising(groups: number): Uint32Array[] {
    const heap = this.#heap;
    const taken: [group: number, key: number][] = [];
    const found: Uint32Array[] = [];
    while (heap.size > 0 && found.length < groups && taken.length < 4 * groups) {
      const key = heap.topKey;
      const group = heap.pop();
      taken.push([group, key]);
      if (this.#levelOf(group) === 0) found.push(this.#pagesOf(group));
    }
    for (const [group, key] of taken) heap.add(group, key);
    return found;
  }

  /** The group of 32 pages that a page belongs to. */
  neighbours(page: number): Uint32Array {
    return this.#pagesOf(Math.floor(page / BATCH));
  }

  #pagesOf(leaf: number): Uint32Array {
    const first = leaf * BATCH;
    const length = Math.min(BATCH, this.#residual.problem.graph.pages - first);
    return Uint32Array.from({ length }, (_, i) => first + i);
  }

  #mayHold(key: number): boolean {
    return key > 0 && key >= this.#bestGain * (1 - ROUNDING);
  }

  #levelOf(group: number): number {
    let level = this.#firsts.length - 1;
    while (group < this.#firsts[level]) level--;
    return level;
  }

  #open(group: number, level: number, key: number): void {
    const below = level - 1;
    const size = this.#sizes[below];
    const { pages } = this.#residual.problem.graph;
    const start = (group - this.#firsts[level]) * PARTS;
    for (let part = start; part < start + PARTS && part * size < pages; part++) {
      const child = this.#firsts[below] + part;
      this.#measured[child] = this.#round;
      const bound = Math.min(key, this.#bound(part * size, size));
      if (bound > 0) this.#heap.add(child, bound);
    }
  }

  #bound(first: number, size: number): number {
    const { walk, leftPositive, problem } = this.#residual;
    const end = Math.min(first + size, problem.graph.pages);
    const reached = walk.walkFromRange(first, end, this.#depth);
    let bound = 0;
    for (let i = 0; i < reached; i++) bound += leftPositive[walk.reached[i]];
    return bound;
  }

  #weighRange(first: number): number {
    const count = Math.min(BATCH, this.#residual.problem.graph.pages - first);
    for (let i = 0; i < count; i++) this.#sources[i] = first + i;
    return this.#weighAll(this.#sources, count);
  }

  #weighPages(pages: Uint32Array): void {
    for (let from = 0; from < pages.length; from += BATCH) {
      const count = Math.min(BATCH, pages.length - from);
      this.#weighAll(pages.subarray(from, from + count), count);
    }
  }

  /** Updates the best page so far from these pages. Returns the greatest positive value that one of them reaches. */
  #weighAll(pages: Uint32Array, count: number): number {
    const batch = this.#batch;
    batch.walk(pages, count, this.#depth);
    let bound = 0;
    for (let i = 0; i < count; i++) {
      const gain = batch.value[i];
      bound = Math.max(bound, batch.positiveValue[i]);
      const margin = this.#bestGain * ROUNDING;
      const isBetter = gain > this.#bestGain + margin;
      if (gain > 0 && (isBetter || (gain >= this.#bestGain - margin && pages[i] < this.#best))) {
        this.#best = pages[i];
        this.#bestGain = Math.max(gain, this.#bestGain);
      }
    }
    return bound;
  }
}
