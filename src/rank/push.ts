/**
 * The inner loops of the solver (solver.ts): Gauss-Seidel in push form, on typed arrays only.
 *
 * Letters: x the solution so far, r its residual `b + d W x - x`, d the damping factor. Pushing page i moves `r_i` into
 * `x_i` and adds `d r_i / c_i` to the residual of each of its targets, which keeps the equation for r true.
 */
import type { Graph } from "../graph/index.ts";

/** How residuals are measured: by the sum of their magnitudes, or by the greatest. */
export type Norm = "l1" | "linf";

/** Pages are pushed or skipped in runs of this many neighbours: page by page, skips break the stream of arcs. */
const RUN_PAGES = 64;

/** What a push costs besides its arcs, in arcs. */
const PAGE_COST = 2;

/** Pushes, in order, the runs of pages whose residual exceeds `threshold` per arc. */
export function pushWorthwhile(
  offsets: Uint32Array,
  targets: Uint32Array,
  x: Float64Array,
  r: Float64Array,
  d: number,
  threshold: number,
  from: number,
  to: number,
): void {
  for (let start = from; start < to; start += RUN_PAGES) {
    const end = Math.min(to, start + RUN_PAGES);
    let waiting = 0;
    for (let i = start; i < end; i++) waiting += Math.abs(r[i]);
    if (waiting <= threshold * (offsets[end] - offsets[start] + PAGE_COST * (end - start))) continue;
    let last = offsets[start];
    for (let i = start; i < end; i++) {
      const first = last;
      last = offsets[i + 1];
      const value = r[i];
      x[i] += value;
      r[i] = 0;
      const share = (d * value) / (last - first);
      for (let arc = first; arc < last; arc++) r[targets[arc]] += share;
    }
  }
}

/** Adds `d W x` of the pages [from, to) to `r`. */
export function pushAll(
  offsets: Uint32Array,
  targets: Uint32Array,
  x: Float64Array,
  r: Float64Array,
  d: number,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    if (x[i] === 0) continue;
    const first = offsets[i];
    const last = offsets[i + 1];
    const share = (d * x[i]) / (last - first);
    for (let arc = first; arc < last; arc++) r[targets[arc]] += share;
  }
}

/** Moves what is in `other` for the pages [from, to) to `r`. Zeros are not written: their cache lines stay shared. */
export function takeOver(r: Float64Array, other: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const value = other[i];
    if (value !== 0) {
      r[i] += value;
      other[i] = 0;
    }
  }
}

export function sumOfMagnitudes(r: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += Math.abs(r[i]);
  return sum;
}

export function greatestMagnitude(r: Float64Array, from: number, to: number): number {
  let greatest = 0;
  for (let i = from; i < to; i++) greatest = Math.max(greatest, Math.abs(r[i]));
  return greatest;
}

/** Bounds of ranges of pages of about equal cost, one range for each thread. */
export function boundsOf(graph: Graph, threads: number): number[] {
  return Array.from({ length: threads + 1 }, (_, part) => boundary(graph, part / threads));
}

/** What it costs to push all pages before this one, in arcs. */
export function costBefore({ offsets }: Graph, page: number): number {
  return offsets[page] + PAGE_COST * page;
}

/** The first page with at least this share of the cost before it. */
function boundary(graph: Graph, share: number): number {
  const wanted = share * costBefore(graph, graph.pages);
  let low = 0;
  let high = graph.pages;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (costBefore(graph, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
