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
 * Threads: each has its own copy of all shares. A sweep over a large component is done in steps, in each of which every
 * thread has a block of classes; it copies those of the others after the step. So all but the blocks of the same step
 * are as new as in a serial sweep, and hardly more sweeps are needed. A small component is solved by one thread, which
 * writes its shares into all copies; which thread it is makes no difference (stages.ts). So the result depends on the
 * number of threads, never on timing.
 *
 * Memory besides the condensed graph: 8 bytes per class; for each thread 20 per class and 40 per class of the largest
 * component.
 */
import { sharedFloat64, sharedUint32 } from "../graph/index.ts";
import { meet } from "./barrier.ts";
import type { Condensed } from "./condensed.ts";
import { type Block, fillProducts, type Inflow, pullKnown, pullSweep, takeBack, takeBackWeights } from "./pull.ts";
import { greatestMagnitude, type Norm } from "./push.ts";
import { planOf } from "./stages.ts";

/** Sweeps from one extrapolation to the next. */
const DEPTH = 5;
/** Extrapolate only if changes have fallen to this part since the last time. Sweeps alone get there: it converges. */
const PROGRESS = 0.9;
/**
 * A sweep is done in steps. The more there are, the less is old of what a block is made from, and the fewer sweeps it
 * takes; each costs a barrier. Two at least: no thread is two barriers ahead of another.
 */
const STEPS_MIN = 2;
const STEPS_MAX = 16;
/** Steps of fewer arcs per thread are not worth a barrier. */
const STEP_ARCS = 32_000;
/** Changes below this part of the rank are rounding. */
const ROUNDING = 8 * Number.EPSILON;
/** What a thread reports to the others: the change of its ranks; before extrapolation also their sum and products. */
const CHANGE = 0;
const RANK = 1;
const PRODUCTS = 2;
const REPORT_LENGTH = PRODUCTS + DEPTH * DEPTH;

/** What threads count together: the batches that have been taken; then for each thread the most sweeps it has made. */
const BATCHES = 0;
const SWEEPS = 1;

export interface PullState {
  readonly condensed: Condensed;
  /** The right-hand side of every class. */
  readonly b: Float64Array;
  /** The shares of every class, one copy per thread. */
  readonly shares: readonly Float64Array[];
  /** `REPORT_LENGTH` numbers per thread. */
  readonly reports: Float64Array;
  /** `BATCHES`, then `SWEEPS` of each thread. */
  readonly counters: Uint32Array;
  readonly barrier: Int32Array;
}

export function createPullState(condensed: Condensed, threads: number, barrier: Int32Array): PullState {
  return {
    condensed,
    b: sharedFloat64(condensed.classes),
    shares: Array.from({ length: threads }, () => sharedFloat64(condensed.classes)),
    reports: sharedFloat64(threads * REPORT_LENGTH),
    counters: sharedUint32(SWEEPS + threads),
    barrier,
  };
}

export interface Goal {
  readonly norm: Norm;
  readonly target: number;
  readonly maxIterations: number;
}

/** One thread's part, which begins when each has filled its part of b. Returns the most sweeps of a component. */
export function solveCondensed(state: PullState, goal: Goal, part: number, onSweep: (sweeps: number) => void): number {
  const { condensed, shares, counters, barrier } = state;
  const threads = shares.length;
  if (part === 0) counters[BATCHES] = 0;
  const { order, stages, batches } = planOf(condensed, threads);
  let most = 0;
  const solveOne = componentSolver(state, goal, part, (sweeps) => {
    if (sweeps > most) onSweep((most = sweeps));
  });
  meet(barrier, threads);
  for (const { kind, from, to } of stages) {
    if (kind === "divided") {
      for (let batch = takeBatch(counters, to); batch < to; batch = takeBatch(counters, to)) {
        for (let i = batches[batch].from; i < batches[batch].to; i++) {
          solveOne(order[i], false);
          tellOthers(state, part, order[i]);
        }
      }
      meet(barrier, threads);
    } else for (let i = from; i < to; i++) solveOne(order[i], kind === "shared");
  }
  counters[SWEEPS + part] = most;
  meet(barrier, threads);
  return Math.max(...counters.subarray(SWEEPS));
}

/** The next batch before `end`, which is this thread's then; `end` if there is none. */
function takeBatch(counters: Uint32Array, end: number): number {
  for (;;) {
    const batch = Atomics.load(counters, BATCHES);
    if (batch >= end || Atomics.compareExchange(counters, BATCHES, batch, batch + 1) === batch) return batch;
  }
}

/** Writes the shares of a component into the copies of the other threads. */
function tellOthers({ condensed: { starts }, shares }: PullState, part: number, component: number): void {
  const s = shares[part];
  const last = starts[component + 1];
  for (const copy of shares) {
    if (copy !== s) for (let i = starts[component]; i < last; i++) copy[i] = s[i];
  }
}

/** Solves one component, together with the other threads or not. */
function componentSolver(
  state: PullState,
  goal: Goal,
  part: number,
  onSweep: (sweeps: number) => void,
): (component: number, isShared: boolean) => void {
  const { condensed, b, shares } = state;
  const { classes, starts, gains } = condensed;
  const inflow = { known: new Float64Array(classes), inner: new Uint32Array(classes) };
  let largest = 0;
  for (let k = 1; k < starts.length; k++) largest = Math.max(largest, starts[k] - starts[k - 1]);
  const changes = Array.from({ length: DEPTH }, () => new Float64Array(largest));
  const report = new Float64Array(REPORT_LENGTH);
  const s = shares[part];
  return (component, isShared) => {
    const first = starts[component];
    const last = starts[component + 1];
    const bounds = isShared ? boundsOfBlocks(state, first, last) : [first, last];
    const own = isShared ? blocksOf(bounds, part, shares.length) : blocksOf(bounds, 0, 1);
    for (const block of own) pullKnown(condensed, inflow, block, first, s, b);
    if (last - first === 1) s[first] = inflow.known[first] * gains[first];
    else solveComponent(state, goal, part, { bounds, own, isShared, inflow, changes, report }, onSweep);
  };
}

interface Component {
  /** The bounds of all blocks. */
  readonly bounds: readonly number[];
  /** The blocks of this thread. */
  readonly own: readonly Block[];
  readonly isShared: boolean;
  readonly inflow: Inflow;
  readonly changes: readonly Float64Array[];
  /** For a component that is not shared: others may still read what was reported of the one before. */
  readonly report: Float64Array;
}

function solveComponent(
  state: PullState,
  { norm, target, maxIterations }: Goal,
  part: number,
  component: Component,
  onSweep: (sweeps: number) => void,
): void {
  const { offsets, sources, costs } = state.condensed;
  const { bounds, own, isShared, changes } = component;
  const arcs = offsets[bounds.at(-1)!] - offsets[bounds[0]];
  const enough = norm === "l1" ? (target * arcs) / sources.length : target;
  const s = state.shares[part];
  const report = component.isShared ? reportOf(state, part) : component.report;
  let length = 0;
  for (const { from, to } of own) length += to - from;
  let kept = 0;
  let least = Infinity;
  for (let sweeps = 1; sweeps <= maxIterations; sweeps++) {
    const change = changes[kept++];
    const rest = sweepBlocks(state, component, part, change);
    report[CHANGE] = norm === "linf" ? greatestMagnitude(change, 0, length) : rest;
    report[RANK] = 0;
    if (kept === DEPTH) {
      for (const { from, to } of own) report[RANK] += rankOf(s, costs, from, to);
      fillProducts(changes, length, report.subarray(PRODUCTS));
    }
    if (isShared) takeOverStep(state, bounds, part, own.length - 1);
    const reports = isShared ? sumOfReports(state) : report;
    const isDone = reports[CHANGE] <= Math.max(enough, ROUNDING * reports[RANK]);
    if (!isDone && kept === DEPTH) {
      kept = 0;
      if (reports[CHANGE] <= PROGRESS * least) {
        least = reports[CHANGE];
        extrapolate(state, component, part, takeBackWeights(reports.slice(PRODUCTS), DEPTH));
      }
    }
    onSweep(sweeps);
    if (isDone) break;
  }
}

/** Sweeps the blocks of a thread, with what the others have found in the steps before. The last step stays open. */
function sweepBlocks(
  state: PullState,
  { bounds, own, isShared, inflow }: Component,
  part: number,
  change: Float64Array,
): number {
  let total = 0;
  for (let step = 0; step < own.length; step++) {
    total += pullSweep(state.condensed, inflow, own[step], state.shares[part], change);
    if (isShared && step + 1 < own.length) takeOverStep(state, bounds, part, step);
  }
  return total;
}

function extrapolate(state: PullState, component: Component, part: number, weights: Float64Array): void {
  const { own, bounds, isShared, changes } = component;
  const { shares, barrier } = state;
  // No block changes while another thread may still copy it.
  if (isShared) meet(barrier, shares.length);
  for (const block of own) {
    for (let j = 1; j < DEPTH; j++) takeBack(state.condensed, block, shares[part], changes[j], weights[j]);
  }
  if (!isShared) return;
  for (let step = 0; step < own.length; step++) takeOverStep(state, bounds, part, step);
  meet(barrier, shares.length);
}

/** Bounds of blocks of equal arcs, some for each thread. */
function boundsOfBlocks({ condensed: { offsets }, shares }: PullState, first: number, last: number): number[] {
  const arcs = offsets[last] - offsets[first];
  const steps = Math.min(STEPS_MAX, Math.max(STEPS_MIN, Math.floor(arcs / (shares.length * STEP_ARCS))));
  const blocks = steps * shares.length;
  const bounds = [first];
  for (let i = first; i < last; i++) {
    if (offsets[i] - offsets[first] >= (bounds.length * arcs) / blocks) bounds.push(i);
  }
  while (bounds.length <= blocks) bounds.push(last);
  return bounds;
}

/** The blocks of one thread: one of each step. */
function blocksOf(bounds: readonly number[], part: number, threads: number): Block[] {
  const blocks: Block[] = [];
  let place = 0;
  for (let k = part; k + 1 < bounds.length; k += threads) {
    blocks.push({ from: bounds[k], to: bounds[k + 1], place });
    place += bounds[k + 1] - bounds[k];
  }
  return blocks;
}

/** Waits until every thread has done its block of this step, and copies those of the others. */
function takeOverStep({ shares, barrier }: PullState, bounds: readonly number[], part: number, step: number): void {
  const threads = shares.length;
  meet(barrier, threads);
  for (let k = 0; k < threads; k++) {
    const at = step * threads + k;
    if (k !== part) shares[part].set(shares[k].subarray(bounds[at], bounds[at + 1]), bounds[at]);
  }
}

function reportOf({ reports }: PullState, part: number): Float64Array {
  return reports.subarray(part * REPORT_LENGTH, (part + 1) * REPORT_LENGTH);
}

/** Adds up the reports of all threads. In the maximum norm the sum is above the greatest: safe. */
function sumOfReports({ reports }: PullState): Float64Array {
  const sum = new Float64Array(REPORT_LENGTH);
  for (let i = 0; i < reports.length; i++) sum[i % REPORT_LENGTH] += reports[i];
  return sum;
}

function rankOf(s: Float64Array, costs: Float64Array, from: number, to: number): number {
  let rank = 0;
  for (let i = from; i < to; i++) rank += s[i] * costs[i];
  return rank;
}
