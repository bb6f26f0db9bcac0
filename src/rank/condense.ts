/**
 * The condensed graph on which PageRank is solved: classes of pages (classes.ts) instead of pages, one strongly
 * connected component after another; and the way from pages to classes and back.
 *
 * The total rank a_O of the pages of class O satisfies `a_O = b_O + sum over P of d n_PO / c_P a_P`, with c_P the
 * out-links of any page of P and n_PO how many of them lead into O. With the shares `s = d a / c` this is
 *
 *     s_O = g_O (b_O + sum over P other than O of n_PO s_P)        g_O = (d/c_O) / (1 - d n_OO / c_O)
 *
 * so links inside a class are solved once and for all. Links to pages without out-links are left out. Page j then has
 * rank `b_j +` the share of every class that links to it. All members of a closed class O but j itself link to its
 * member j: `(b_j + sum of shares, s_O included) / (1 + d/c_O)`.
 *
 * Classes are numbered so that links between components lead from lower to higher numbers and the numbers of a
 * component are consecutive, in depth-first order inside. The `sources` of a class ascend, each as
 * often as it has links; those from earlier components come first in every row. On cnr-2000 0.43 of all arcs are left,
 * on uci-ics 0.81.
 *
 * Linear in pages and arcs. Memory: 4 bytes per page, 29 per class, 4 per arc of the representatives (8 while it runs).
 */
import { components, type Graph, sharedFloat64, sharedMemory, sharedUint32 } from "../graph/index.ts";
import { type Classes, classesOf, NO_CLASS } from "./classes.ts";

export interface Condensed {
  readonly classes: number;
  readonly classOf: Uint32Array;
  readonly representatives: Uint32Array;
  readonly isClosed: Uint8Array;
  /** The factors g above. */
  readonly gains: Float64Array;
  /** Out-links divided by d: the factor from a share to a rank. */
  readonly costs: Float64Array;
  /** Component k has the classes from `starts[k]` to `starts[k + 1] - 1`. */
  readonly starts: Uint32Array;
  /** The sources of class i are `sources[offsets[i]]` to `sources[offsets[i + 1] - 1]`. */
  readonly offsets: Uint32Array;
  readonly sources: Uint32Array;
}

/** Returns undefined if more than `arcsMax` arcs would be left. */
export function condense(graph: Graph, damping: number, arcsMax: number): Condensed | undefined {
  const found = classesOf(graph);
  let arcs = 0;
  for (const page of found.representatives) arcs += graph.offsets[page + 1] - graph.offsets[page];
  if (arcs > arcsMax) return undefined;
  const selfLinks = new Uint32Array(found.count);
  const rows = rowsOf(graph, found, arcs, selfLinks);
  const { count, componentOf, sizes } = components(rows);

  const starts = sharedUint32(count + 1);
  for (let k = 0; k < count; k++) starts[k + 1] = starts[k] + sizes[count - 1 - k];
  const next = starts.slice();
  const numberOf = new Uint32Array(found.count);
  for (const i of lastLeftFirst(rows)) numberOf[i] = next[count - 1 - componentOf[i]]++;

  const { classOf } = found;
  for (let page = 0; page < graph.pages; page++) {
    if (classOf[page] !== NO_CLASS) classOf[page] = numberOf[classOf[page]];
  }
  const representatives = sharedUint32(found.count);
  const isClosed = new Uint8Array(sharedMemory(found.count));
  const gains = sharedFloat64(found.count);
  const costs = sharedFloat64(found.count);
  for (let i = 0; i < found.count; i++) {
    const page = found.representatives[i];
    const number = numberOf[i];
    representatives[number] = page;
    isClosed[number] = found.isClosed[i];
    costs[number] = (graph.offsets[page + 1] - graph.offsets[page]) / damping;
    gains[number] = 1 / (costs[number] - selfLinks[i]);
  }
  const turned = turnRound(rows, numberOf);
  return { classes: found.count, classOf, representatives, isClosed, gains, costs, starts, ...turned };
}

/** Sets `b` to the right-hand side `weight t` of every class. */
export function sumByClass(
  { classOf }: Condensed,
  trust: Float64Array | undefined,
  weight: number,
  b: Float64Array,
): void {
  b.fill(0);
  const same = weight / classOf.length;
  for (let page = 0; page < classOf.length; page++) {
    const own = classOf[page];
    if (own !== NO_CLASS) b[own] += trust === undefined ? same : weight * trust[page];
  }
}

/** Adds the shares of the classes [from, to) to `r` of the pages they link to. */
export function pushShares(
  { offsets, targets }: Graph,
  { representatives, isClosed }: Condensed,
  shares: Float64Array,
  r: Float64Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const page = representatives[i];
    const share = shares[i];
    const end = offsets[page + 1];
    for (let arc = offsets[page]; arc < end; arc++) r[targets[arc]] += share;
    if (isClosed[i] === 1) r[page] += share;
  }
}

/** Removes from the pages [from, to) what pages of closed classes have passed to themselves. */
export function withoutOwnShare(
  { classOf, isClosed, costs }: Condensed,
  x: Float64Array,
  from: number,
  to: number,
): void {
  for (let page = from; page < to; page++) {
    const own = classOf[page];
    if (own !== NO_CLASS && isClosed[own] === 1) x[page] /= 1 + 1 / costs[own];
  }
}

/** The rows of the representatives in terms of classes: not sorted, with repetitions, without the class itself. */
function rowsOf(graph: Graph, classes: Classes, arcsMax: number, selfLinks: Uint32Array): Graph {
  const { classOf, representatives } = classes;
  const offsets = new Uint32Array(representatives.length + 1);
  const targets = new Uint32Array(arcsMax);
  let arcs = 0;
  for (let i = 0; i < representatives.length; i++) {
    const end = graph.offsets[representatives[i] + 1];
    for (let arc = graph.offsets[representatives[i]]; arc < end; arc++) {
      const target = classOf[graph.targets[arc]];
      if (target === i) selfLinks[i]++;
      else if (target !== NO_CLASS) targets[arcs++] = target;
    }
    offsets[i + 1] = arcs;
  }
  return { pages: representatives.length, arcs, offsets, targets: targets.subarray(0, arcs) };
}

/** The sources of every class, by their numbers, ascending. */
function turnRound(rows: Graph, numberOf: Uint32Array): { offsets: Uint32Array; sources: Uint32Array } {
  const { pages, arcs, targets } = rows;
  const byNumber = new Uint32Array(pages);
  for (let i = 0; i < pages; i++) byNumber[numberOf[i]] = i;
  // Counts are stored two places on: offsets[j + 1] is where the next source of j goes, finally the start of j + 1.
  const offsets = sharedUint32(pages + 2);
  for (let arc = 0; arc < arcs; arc++) offsets[numberOf[targets[arc]] + 2]++;
  for (let i = 2; i < offsets.length; i++) offsets[i] += offsets[i - 1];
  const sources = sharedUint32(arcs);
  for (let number = 0; number < pages; number++) {
    const end = rows.offsets[byNumber[number] + 1];
    for (let arc = rows.offsets[byNumber[number]]; arc < end; arc++) {
      sources[offsets[numberOf[targets[arc]] + 1]++] = number;
    }
  }
  return { offsets, sources };
}

/**
 * The order in which a depth-first search leaves the pages, last first: all links lead forward except those that close
 * a cycle (R. E. Tarjan, Depth-first search and linear graph algorithms, 1972). Gauss-Seidel sweeps in this order carry
 * a change along many links at once. Linear in pages and arcs; 9 bytes per page besides the result while it runs.
 */
export function lastLeftFirst({ pages, offsets, targets }: Graph): Uint32Array {
  const order = new Uint32Array(pages);
  const stack = new Uint32Array(pages);
  const nextArc = new Uint32Array(pages);
  const isSeen = new Uint8Array(pages);
  let place = pages;
  for (let start = 0; start < pages; start++) {
    if (isSeen[start] === 1) continue;
    let depth = 0;
    let page = start;
    let arc = offsets[page];
    isSeen[page] = 1;
    for (;;) {
      const end = offsets[page + 1];
      while (arc < end && isSeen[targets[arc]] === 1) arc++;
      if (arc < end) {
        stack[depth] = page;
        nextArc[depth++] = arc + 1;
        page = targets[arc];
        arc = offsets[page];
        isSeen[page] = 1;
      } else {
        order[--place] = page;
        if (depth === 0) break;
        page = stack[--depth];
        arc = nextArc[depth];
      }
    }
  }
  return order;
}
