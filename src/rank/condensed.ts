/**
 * The condensed graph on which PageRank is solved: classes of pages (classes.ts) instead of pages, one strongly
 * connected component after another; and the way from pages to classes and back. It is built by condense.ts.
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
 * component are consecutive, in depth-first order inside. The `sources` of a class are listed each as often as it has
 * links; those from earlier components come first in every row. On cnr-2000 0.43 of all arcs are left,
 * on uci-ics 0.81.
 */
import type { Graph } from "../graph/index.ts";
import { NO_CLASS } from "./class-rows.ts";

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

/** Sets `b` to the right-hand side `weight t` of the classes [from, to). */
export function sumByClass(
  { classOf }: Condensed,
  { trust, weight }: { readonly trust: Float64Array | undefined; readonly weight: number },
  b: Float64Array,
  from: number,
  to: number,
): void {
  b.fill(0, from, to);
  const same = weight / classOf.length;
  // Pages without a class have a number above all.
  for (let page = 0; page < classOf.length; page++) {
    const own = classOf[page];
    if (own >= from && own < to) b[own] += trust === undefined ? same : weight * trust[page];
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
