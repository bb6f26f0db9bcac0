/**
 * Seed selection (S. Zheng, P. Dmitriev, C. L. Giles, Graph-based seed selection for web-scale crawlers, CIKM 2009),
 * Definition 1: given a value for every page, choose at most k seeds so that the pages within h hops of any of them
 * have the greatest total value. A page counts once, however many seeds reach it; values may be negative. This is
 * Maximum k-Coverage, which is NP-hard.
 */
import { UsageError } from "../base/index.ts";
import type { Graph } from "../graph/index.ts";
import { BoundedWalk } from "./bounded-walk.ts";

/** Choose at most `count` seeds so that the pages within `hops` links of any of them have the greatest total value. */
export interface SeedProblem {
  readonly graph: Graph;
  /** The value of each page (default: 1). */
  readonly values?: Float64Array | undefined;
  /** The most seeds to choose: k. */
  readonly count: number;
  /** How far a crawl goes from a seed: h. */
  readonly hops: number;
}

/** A problem whose numbers were checked. */
export interface CheckedProblem extends SeedProblem {
  readonly values: Float64Array;
}

/** How many pages are reached, and their total value. */
export interface Covered {
  readonly pages: number;
  readonly value: number;
}

export function checked({ graph, values, count, hops }: SeedProblem): CheckedProblem {
  const { pages } = graph;
  if (pages === 0) throw new UsageError("the graph has no pages, expected at least one");
  if (!Number.isInteger(count) || count < 1 || count > pages) {
    throw new UsageError(`${count} seeds of ${pages} pages: expected a whole number from 1 to ${pages}`);
  }
  checkHops(hops, "hops");
  if (values === undefined) return { graph, values: new Float64Array(pages).fill(1), count, hops };
  if (values.length !== pages) {
    throw new UsageError(`${values.length} values for ${pages} pages: expected one for each page`);
  }
  let sum = 0;
  for (let page = 0; page < pages; page++) {
    if (!Number.isFinite(values[page])) {
      throw new UsageError(`the value of page ${page} is ${values[page]}, expected a finite number`);
    }
    sum += Math.abs(values[page]);
  }
  if (sum === Infinity) throw new UsageError("the values are too large to be added");
  return { graph, values, count, hops };
}

export function checkHops(hops: number, what: string): void {
  if (Number.isInteger(hops) && hops >= 1) return;
  throw new UsageError(`${what} is ${hops}, expected a whole number of at least 1`);
}

/** What seeds reach within the hops of the problem. */
export function coverageOf({ graph, values, hops }: CheckedProblem, seeds: Uint32Array): Covered {
  const walk = new BoundedWalk(graph);
  const pages = walk.walk(seeds, seeds.length, hops);
  return { pages, value: sumOf(values, walk.reached, pages) };
}

/** The greatest value that any seeds could cover: the sum of all positive values. */
export function valueAbove(values: Float64Array): number {
  let sum = 0;
  for (let page = 0; page < values.length; page++) if (values[page] > 0) sum += values[page];
  return sum;
}

function sumOf(values: Float64Array, pages: Uint32Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[pages[i]];
  return sum;
}
