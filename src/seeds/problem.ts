/**
 * Seed selection (S. Zheng, P. Dmitriev, C. L. Giles, Graph-based seed selection for web-scale crawlers, CIKM 2009),
 * Definition 1: given a value for every page, choose at most k seeds so that the pages within h hops of any of them
 * have the greatest total value. A page counts once, however many seeds reach it; values may be negative. This is
 * Maximum k-Coverage, which is NP-hard.
 */
import { UsageError } from "../base/index.ts";
import type { Graph } from "../graph/index.ts";
import { BoundedWalk } from "./walks.ts";

const PLAIN = 1;
const SPAM = -10;
const CLICKED = 10;

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

/** What the paper's rule for the value of pages needs to know. */
export interface PageFacts {
  readonly pages: number;
  /** Ids of spam pages. */
  readonly spam?: Iterable<number>;
  /** Ids of pages that were clicked in search results. */
  readonly clicked?: Iterable<number>;
  /** For every page, its number of links to pages that were not crawled. */
  readonly uncrawledLinks?: Uint32Array | undefined;
  /** For every page, the probability that a new page of its site is unique (default: 1). */
  readonly uniqueness?: Float64Array | undefined;
}

/**
 * The value of every page by the paper's rule (section 4): 10 if it was clicked in search results, otherwise -10 if it
 * is spam, otherwise 1; plus the number of its links to pages not crawled yet, times the probability that a new page of
 * its site is unique.
 */
export function paperValues(facts: PageFacts): Float64Array {
  const { pages, spam = [], clicked = [], uncrawledLinks, uniqueness } = facts;
  const values = new Float64Array(pages).fill(PLAIN);
  set(values, spam, SPAM, "spam");
  set(values, clicked, CLICKED, "clicked");
  if (uncrawledLinks === undefined) return values;
  for (const [what, list] of Object.entries({ uncrawledLinks, uniqueness })) {
    if (list !== undefined && list.length !== pages)
      throw new UsageError(`${what} has ${list.length} entries, expected one for each of the ${pages} pages`);
  }
  for (let page = 0; page < pages; page++) values[page] += uncrawledLinks[page] * (uniqueness?.[page] ?? 1);
  return values;
}

function sumOf(values: Float64Array, pages: Uint32Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[pages[i]];
  return sum;
}

function set(values: Float64Array, pages: Iterable<number>, value: number, what: string): void {
  for (const page of pages) {
    if (!(Number.isInteger(page) && page >= 0 && page < values.length)) {
      throw new UsageError(`${what} page ${page} is out of range, expected ids from 0 to ${values.length - 1}`);
    }
    values[page] = value;
  }
}

/** What is left to cover while seeds are chosen: values of pages no seed reaches yet, else 0 (Algorithm 1, step 4). */
export class Residual {
  readonly problem: CheckedProblem;
  readonly walk: BoundedWalk;
  readonly left: Float64Array;
  /** `max(left, 0)`; the same array if no value is negative. */
  readonly leftPositive: Float64Array;
  /** 1 for pages that a seed reaches. */
  readonly isCovered: Uint8Array;
  readonly seeds: number[] = [];
  #positivePages = 0;

  constructor(problem: CheckedProblem) {
    const { graph, values } = problem;
    this.problem = problem;
    this.walk = new BoundedWalk(graph);
    this.left = values.slice();
    this.isCovered = new Uint8Array(graph.pages);
    let anyNegative = false;
    for (let page = 0; page < graph.pages; page++) {
      anyNegative ||= values[page] < 0;
      if (values[page] > 0) this.#positivePages++;
    }
    this.leftPositive = anyNegative ? values.map((value) => Math.max(0, value)) : this.left;
  }

  /** Whether a further seed could gain nothing. */
  get isSpent(): boolean {
    return this.#positivePages === 0;
  }

  get isFull(): boolean {
    return this.seeds.length === this.problem.count;
  }

  choose(seed: number): void {
    this.seeds.push(seed);
    const { left, leftPositive, isCovered, walk } = this;
    const reached = walk.walk(Uint32Array.of(seed), 1, this.problem.hops);
    for (let i = 0; i < reached; i++) {
      const page = walk.reached[i];
      if (left[page] > 0) this.#positivePages--;
      left[page] = 0;
      leftPositive[page] = 0;
      isCovered[page] = 1;
    }
  }

  chosen(): Uint32Array {
    return Uint32Array.from(this.seeds);
  }
}
