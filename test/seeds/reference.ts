/** Seed selection the slow and obvious way: sets, plain breadth-first search, all subsets. */
import fc from "fast-check";
import { type Graph, successors } from "../../src/graph/index.ts";
import { arcsBelow, graphOf } from "../graph/arbitrary.ts";

export interface SmallProblem {
  readonly graph: Graph;
  readonly values: Float64Array;
  readonly count: number;
  readonly hops: number;
}

/** Pages within some hops of any of the seeds. */
export function within(graph: Graph, seeds: Iterable<number>, hops: number): Set<number> {
  let edge = new Set(seeds);
  const reached = new Set(edge);
  for (let hop = 0; hop < hops; hop++) {
    const next = new Set<number>();
    for (const page of edge) for (const target of successors(graph, page)) if (!reached.has(target)) next.add(target);
    for (const page of next) reached.add(page);
    edge = next;
  }
  return reached;
}

export function valueOf({ graph, values, hops }: SmallProblem, seeds: Iterable<number>): number {
  let sum = 0;
  for (const page of within(graph, seeds, hops)) sum += values[page];
  return sum;
}

/** The greatest value of at most `count` seeds, by trying all. */
export function optimum(problem: SmallProblem, count = problem.count): number {
  let best = 0;
  const extend = (first: number, seeds: readonly number[]): void => {
    best = Math.max(best, valueOf(problem, seeds));
    if (seeds.length === count) return;
    for (let page = first; page < problem.graph.pages; page++) extend(page + 1, [...seeds, page]);
  };
  extend(0, []);
  return best;
}

/** Webs of a few pages with values from `least` to 9. */
export function smallProblems(least: number, pagesMax = 9): fc.Arbitrary<SmallProblem> {
  return fc.integer({ min: 1, max: pagesMax }).chain((pages) =>
    fc.record({
      graph: arcsBelow(pages).map((arcs) => graphOf(arcs, pages)),
      values: fc
        .array(fc.integer({ min: least, max: 9 }), { minLength: pages, maxLength: pages })
        .map((values) => Float64Array.from(values)),
      count: fc.integer({ min: 1, max: Math.min(3, pages) }),
      hops: fc.integer({ min: 1, max: 4 }),
    }),
  );
}
