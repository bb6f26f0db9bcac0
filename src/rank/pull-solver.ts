/**
 * Solves `x = b + d W x` on the condensed graph (condense.ts), component by component in the direction of the links.
 * What comes from earlier components is known, so each component is a system of its own, solved by Gauss-Seidel sweeps
 * with an extrapolation (pull.ts) after every few of them. Then one pass over the rows of the representatives
 * gives x for all pages.
 *
 * A component is done when a sweep changes its ranks by no more than its part of the target, by arcs. The residual is
 * usually smaller, but no bound is claimed, and x may be above the solution. The caller measures the residual on the
 * graph itself (solver.ts, `restate`) and continues there if necessary.
 *
 * Threads: each has its own copy of all shares. In a large component it sweeps its own block, with the other blocks as
 * they were after the last sweep, and copies those between two barriers. Small components are solved by every thread,
 * which costs less than exchanging results. The result depends on the number of threads, never on timing.
 *
 * Memory besides the condensed graph: 8 bytes per class; for each thread 20 per class and 40 per class of the largest
 * component.
 */
import { sharedFloat64 } from "../graph/index.ts";
import { meet } from "./barrier.ts";
import type { Condensed } from "./condense.ts";
import { type Block, fillProducts, pullKnown, pullSweep, takeBack, takeBackWeights } from "./pull.ts";
import { greatestMagnitude, type Norm } from "./push.ts";

/** Sweeps from one extrapolation to the next. */
const DEPTH = 5;
/** Extrapolate only if changes have fallen to this part since the last time. Sweeps alone get there: it converges. */
const PROGRESS = 0.9;
/** Components of fewer arcs are not worth two barriers per sweep. */
const SHARED_ARCS_MIN = 8_000;
/** Changes below this part of the rank are rounding. */
const ROUNDING = 8 * Number.EPSILON;
/** What a thread reports to the others: the change of its ranks; before extrapolation also their sum and products. */
const CHANGE = 0;
const RANK = 1;
const PRODUCTS = 2;
const REPORT_LENGTH = PRODUCTS + DEPTH * DEPTH;

export interface PullState {
  readonly condensed: Condensed;
  /** The right-hand side of every class. */
  readonly b: Float64Array;
  /** The shares of every class, one copy per thread. */
  readonly shares: readonly Float64Array[];
  /** `REPORT_LENGTH` numbers per thread. */
  readonly reports: Float64Array;
  readonly barrier: Int32Array;
}

export function createPullState(condensed: Condensed, threads: number, barrier: Int32Array): PullState {
  return {
    condensed,
    b: sharedFloat64(condensed.classes),
    shares: Array.from({ length: threads }, () => sharedFloat64(condensed.classes)),
    reports: sharedFloat64(threads * REPORT_LENGTH),
    barrier,
  };
}

export interface Goal {
  readonly norm: Norm;
  readonly target: number;
  readonly maxIterations: number;
}

/** One thread's part. Returns the greatest number of sweeps that a component took. */
export function solveCondensed(state: PullState, goal: Goal, part: number, onSweep: (sweeps: number) => void): number {
  const { classes, starts } = state.condensed;
  const known = new Float64Array(classes);
  const block = { first: 0, from: 0, to: 0, known, inner: new Uint32Array(classes) };
  let largest = 0;
  for (let k = 1; k < starts.length; k++) largest = Math.max(largest, starts[k] - starts[k - 1]);
  const changes = Array.from({ length: DEPTH }, () => new Float64Array(largest));
  const s = state.shares[part];
  let most = 0;
  const count = (sweeps: number) => {
    if (sweeps > most) onSweep((most = sweeps));
  };
  for (let k = 0; k + 1 < starts.length; k++) {
    const first = starts[k];
    const last = starts[k + 1];
    const blocks = blocksOf(state, first, last);
    block.first = first;
    block.from = blocks.length === 2 ? first : blocks[part];
    block.to = blocks.length === 2 ? last : blocks[part + 1];
    pullKnown(state.condensed, block, s, state.b);
    if (last - first === 1) s[first] = known[first] * state.condensed.gains[first];
    else solveComponent(state, goal, part, { ...block, blocks, changes }, count);
  }
  return most;
}

/** `blocks` are the bounds of the blocks of all threads; two if the component is not shared. */
function solveComponent(
  state: PullState,
  { norm, target, maxIterations }: Goal,
  part: number,
  block: Block & { readonly blocks: readonly number[]; readonly changes: readonly Float64Array[] },
  onSweep: (sweeps: number) => void,
): void {
  const { offsets, sources, costs } = state.condensed;
  const { blocks, from, to, changes } = block;
  const isShared = blocks.length > 2;
  const arcs = offsets[blocks.at(-1)!] - offsets[blocks[0]];
  const enough = norm === "l1" ? (target * arcs) / sources.length : target;
  const s = state.shares[part];
  const own = state.reports.subarray(part * REPORT_LENGTH, (part + 1) * REPORT_LENGTH);
  let kept = 0;
  let least = Infinity;
  for (let sweeps = 1; sweeps <= maxIterations; sweeps++) {
    const change = changes[kept++];
    own[CHANGE] = pullSweep(state.condensed, block, s, change);
    if (norm === "linf") own[CHANGE] = greatestMagnitude(change, 0, to - from);
    own[RANK] = 0;
    if (kept === DEPTH) {
      own[RANK] = rankOf(s, costs, from, to);
      fillProducts(changes, to - from, own.subarray(PRODUCTS));
    }
    const reports = isShared ? sumOfReports(state) : own;
    const isDone = reports[CHANGE] <= Math.max(enough, ROUNDING * reports[RANK]);
    if (!isDone && kept === DEPTH) {
      kept = 0;
      if (reports[CHANGE] <= PROGRESS * least) {
        least = reports[CHANGE];
        const weights = takeBackWeights(reports.slice(PRODUCTS), DEPTH);
        for (let j = 1; j < DEPTH; j++) takeBack(state.condensed, block, s, changes[j], weights[j]);
        if (isShared) meet(state.barrier, state.shares.length);
      }
    }
    if (isShared) takeOverBlocks(state, blocks, part);
    onSweep(sweeps);
    if (isDone) break;
  }
}

/** Bounds of blocks of equal arcs, one block per thread; a single block if the component is small. */
function blocksOf({ condensed: { offsets }, shares }: PullState, first: number, last: number): number[] {
  const arcs = offsets[last] - offsets[first];
  if (shares.length === 1 || arcs < SHARED_ARCS_MIN) return [first, last];
  const bounds = [first];
  for (let i = first; i < last; i++) {
    if (offsets[i] - offsets[first] >= (bounds.length * arcs) / shares.length) bounds.push(i);
  }
  while (bounds.length <= shares.length) bounds.push(last);
  return bounds;
}

/** Waits for the reports of all threads and adds them up. In the maximum norm the sum is above the greatest: safe. */
function sumOfReports({ reports, barrier, shares }: PullState): Float64Array {
  meet(barrier, shares.length);
  const sum = new Float64Array(REPORT_LENGTH);
  for (let i = 0; i < reports.length; i++) sum[i % REPORT_LENGTH] += reports[i];
  return sum;
}

/** Copies the blocks of the other threads, and waits until every thread has done so. */
function takeOverBlocks({ shares, barrier }: PullState, blocks: readonly number[], part: number): void {
  for (let k = 0; k < shares.length; k++) {
    if (k !== part) shares[part].set(shares[k].subarray(blocks[k], blocks[k + 1]), blocks[k]);
  }
  meet(barrier, shares.length);
}

function rankOf(s: Float64Array, costs: Float64Array, from: number, to: number): number {
  let rank = 0;
  for (let i = from; i < to; i++) rank += s[i] * costs[i];
  return rank;
}
