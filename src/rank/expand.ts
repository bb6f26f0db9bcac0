/** The way from pages to classes and back (condense.ts). */
import type { Graph } from "../graph/index.ts";
import { NO_CLASS } from "./classes.ts";
import type { Condensed } from "./condense.ts";

/** Into `b`, the right-hand side `weight t` of every class. */
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

/** Adds the shares of the classes [from, to) to `r` of the pages they lead to. */
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

/** Takes from the pages [from, to) what pages of closed classes have passed to themselves. */
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
