/**
 * Solves `x = b + d W x`, with `W_ji = 1/c_i` for a link from i to j, by pushing residuals: Gauss-Seidel in the form of
 * G. Jeh and J. Widom, Scaling Personalized Web Search, WWW 2003, section 4, and P. Berkhin, Bookmark-Coloring
 * Algorithm, Internet Mathematics 3(1), 2006. All PageRanks are combinations of its solutions.
 *
 * Invariant: `b + d W x - x` is the sum of all inboxes, before and after every sweep, whatever was skipped. With `b >=
 * 0` and a start at 0, x rises and never passes the solution: every state is a lower bound.
 *
 * A sweep visits the pages in order and skips those not worth their arcs (by a threshold that falls with the residual),
 * so the effort goes where convergence is slow. It needs no transpose and no preparation: 8 bytes per page for x and 8
 * per page for each thread, nothing per arc. The residual of the running state is known exactly, except for rounding.
 *
 * Threads own ranges of pages of equal cost. Each pushes into its own inbox of full length, and hands over what belongs
 * to others between two barriers. So no value is read while another thread may write it, the serial loop is the
 * parallel one, and the result depends on the number of threads, never on timing.
 *
 * It checks and, if necessary, completes the solution found on the condensed graph (pull-solver.ts), and replaces it if
 * memory is short. Methods that were slower are in docs/decisions/0003-pagerank-condensed.md.
 */
import { assert } from "../base/index.ts";
import { type Graph, sharedFloat64 } from "../graph/index.ts";
import { createBarrier, meet } from "./barrier.ts";
import { type Condensed, pushShares, sumByClass, withoutOwnShare } from "./condensed.ts";
import { createPullState, type Goal, type PullState, solveCondensed } from "./pull-solver.ts";
import {
  boundsOf,
  costBefore,
  greatestMagnitude,
  type Norm,
  pushAll,
  pushWorthwhile,
  sumOfMagnitudes,
  takeOver,
} from "./push.ts";

/** A linear system and the state of its solution, all in shared memory. */
export interface System {
  readonly graph: Graph;
  readonly damping: number;
  /** Default: the same for every page, 1 in sum. */
  readonly trust?: Float64Array;
  /** The solution so far. */
  readonly x: Float64Array;
  /** One per thread; their sum is the residual of x. */
  readonly inboxes: readonly Float64Array[];
  /** Thread k owns the pages from `bounds[k]` to `bounds[k + 1] - 1`. */
  readonly bounds: readonly number[];
  readonly barrier: Int32Array;
  /** Each thread's share of the L1 norm, then of the maximum norm. */
  readonly norms: Float64Array;
  /** The same system on the condensed graph, if that pays off. */
  readonly pull?: PullState;
}

/** The right-hand side `trustWeight t + uniformWeight / n`. */
export interface Weights {
  readonly trustWeight: number;
  readonly uniformWeight: number;
}

/**
 * `restate` takes `b = trustWeight t + uniformWeight / n` and computes the residual of x again; `advance` improves x;
 * `solve` finds x for `b = (1-d) t` on the condensed graph, without computing its residual.
 */
export type Task =
  | ({ readonly kind: "restate"; readonly norm: Norm } & Weights)
  | ({ readonly kind: "advance" | "solve" } & Goal);

export interface Solution {
  readonly iterations: number;
  /** In the task's norm. */
  readonly residual: number;
}

/** The system with x = 0, to be restated before it is advanced. */
export function createSystem(
  graph: Graph,
  options: { damping: number; trust?: Float64Array | undefined; condensed?: Condensed | undefined; threads: number },
): System {
  const { damping, trust, condensed, threads } = options;
  const barrier = createBarrier();
  return {
    graph,
    damping,
    ...(trust === undefined ? {} : { trust }),
    x: sharedFloat64(graph.pages),
    inboxes: Array.from({ length: threads }, () => sharedFloat64(graph.pages)),
    bounds: boundsOf(graph, threads),
    barrier,
    norms: sharedFloat64(2 * threads),
    ...(condensed === undefined ? {} : { pull: createPullState(condensed, threads, barrier) }),
  };
}

/** Does one thread's part of a task. Returns once all threads are done, with the same outcome for each. */
export function takePart(system: System, task: Task, part: number, onSweep = (_iterations: number) => {}): Solution {
  const { norm } = task;
  if (task.kind === "restate") {
    restate(system, task, part);
    return { iterations: 0, residual: exchange(system, part, norm).residual };
  }
  if (task.kind === "solve") return { iterations: solve(system, task, part, onSweep), residual: Number.NaN };
  const { offsets, targets } = system.graph;
  const { x, bounds, inboxes, damping } = system;
  const cost = costBefore(system.graph, system.graph.pages);
  let iterations = 0;
  let { l1, residual } = exchange(system, part, norm);
  while (residual > task.target && iterations < task.maxIterations) {
    const threshold = (SELECTIVITY * l1) / cost;
    pushWorthwhile(offsets, targets, x, inboxes[part], damping, threshold, bounds[part], bounds[part + 1]);
    ({ l1, residual } = exchange(system, part, norm));
    onSweep(++iterations);
  }
  return { iterations, residual };
}

/** Pages are pushed if their residual per arc exceeds this part of the mean. Below 1, some page always is. */
const SELECTIVITY = 0.6;

function solve(system: System, goal: Goal, part: number, onSweep: (iterations: number) => void): number {
  const { graph, damping, trust, x, inboxes, bounds, barrier, pull } = system;
  assert(pull !== undefined, "a system is condensed before it is solved");
  const { condensed, b, shares } = pull;
  const threads = inboxes.length;
  const r = inboxes[part];
  const from = bounds[part];
  const to = bounds[part + 1];
  const classesBefore = (k: number) => Math.floor((k * condensed.classes) / threads);
  const classes = [classesBefore(part), classesBefore(part + 1)] as const;
  sumByClass(condensed, { trust, weight: 1 - damping }, b, ...classes);
  const iterations = solveCondensed(pull, goal, part, onSweep);
  r.fill(0);
  pushShares(graph, condensed, shares[part], r, ...classes);
  exchange(system, part, "l1");
  const same = trust === undefined ? 1 / graph.pages : 0;
  for (let i = from; i < to; i++) x[i] = r[i] + (1 - damping) * (trust === undefined ? same : trust[i]);
  withoutOwnShare(condensed, x, from, to);
  meet(barrier, threads);
  return iterations;
}

function restate(system: System, { trustWeight, uniformWeight }: Weights, part: number): void {
  const { graph, damping, trust, x, inboxes, bounds } = system;
  const r = inboxes[part];
  const from = bounds[part];
  const to = bounds[part + 1];
  r.fill(0);
  pushAll(graph.offsets, graph.targets, x, r, damping, from, to);
  const same = (trust === undefined ? trustWeight + uniformWeight : uniformWeight) / graph.pages;
  for (let i = from; i < to; i++) r[i] += same - x[i];
  if (trust !== undefined) for (let i = from; i < to; i++) r[i] += trustWeight * trust[i];
}

/** Collects what the other threads have for the pages of this one; measures the residual, always in L1 too. */
function exchange(system: System, part: number, norm: Norm): { l1: number; residual: number } {
  const { inboxes, bounds, barrier, norms } = system;
  const threads = inboxes.length;
  const r = inboxes[part];
  const from = bounds[part];
  const to = bounds[part + 1];
  meet(barrier, threads);
  for (const other of inboxes) if (other !== r) takeOver(r, other, from, to);
  norms[part] = sumOfMagnitudes(r, from, to);
  if (norm === "linf") norms[threads + part] = greatestMagnitude(r, from, to);
  meet(barrier, threads);
  let l1 = 0;
  let linf = 0;
  for (let k = 0; k < threads; k++) {
    l1 += norms[k];
    linf = Math.max(linf, norms[threads + k]);
  }
  return { l1, residual: norm === "l1" ? l1 : linf };
}
