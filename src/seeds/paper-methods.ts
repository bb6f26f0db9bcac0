/**
 * The methods of the paper, except those on components: RANDOM, PAGERANK, OUTDEGREE (heuristics that ignore what is
 * covered), MAXOUT and MAXWEIGHT(d) (Algorithm 1 with an approximate step 2).
 *
 * Algorithm 1 ends early when all values are zero. With negative values we end when no positive one is left: a further
 * seed could gain nothing. MAXOUT ignores values and ends when every page is covered.
 */
import { IndexedHeap, Random } from "../base/index.ts";
import { type Graph, outDegree } from "../graph/index.ts";
import { pagerank, topPages } from "../rank/index.ts";
import { DepthWeights } from "./depth-weights.ts";
import { type CheckedProblem, Residual } from "./problem.ts";

/** Enough to tell the first few pages apart; the rest of the ranking does not matter here. */
const RANK_TOLERANCE = 1e-7;

/** k different pages, all with equal chance (Floyd's sampling), in the order drawn. */
export function randomSeeds({ graph, count }: CheckedProblem, randomSeed: number): Uint32Array {
  const random = new Random(randomSeed);
  const drawn = new Set<number>();
  for (let last = graph.pages - count; last < graph.pages; last++) {
    const page = random.below(last + 1);
    drawn.add(drawn.has(page) ? last : page);
  }
  return Uint32Array.from(drawn);
}

/** The pages of highest PageRank: uniform trust, damping 0.85. */
export function pagerankSeeds({ graph, count }: CheckedProblem, ranks = ranksOf(graph)): Uint32Array {
  return topPages(ranks, count);
}

export function ranksOf(graph: Graph): Float64Array {
  return pagerank(graph, { stopping: { tolerance: RANK_TOLERANCE } }).ranks;
}

/** The pages with most out-links. */
export function outDegreeSeeds({ graph, count }: CheckedProblem): Uint32Array {
  const degrees = new Float64Array(graph.pages);
  for (let page = 0; page < graph.pages; page++) degrees[page] = outDegree(graph, page);
  return topPages(degrees, count);
}

/** Repeatedly the page with the most links to uncovered pages; lazily, since these numbers only fall. */
export function maxOutSeeds(problem: CheckedProblem): Uint32Array {
  const { graph } = problem;
  const residual = new Residual(problem);
  const { isCovered } = residual;
  const heap = new IndexedHeap(graph.pages);
  for (let page = 0; page < graph.pages; page++) heap.add(page, outDegree(graph, page));
  const { offsets, targets } = graph;
  while (!residual.isFull && heap.size > 0) {
    const key = heap.topKey;
    const page = heap.pop();
    if (isCovered[page] === 1) continue;
    let left = 0;
    const end = offsets[page + 1];
    for (let arc = offsets[page]; arc < end; arc++) left += 1 - isCovered[targets[arc]];
    if (left < key) heap.add(page, left);
    else residual.choose(page);
  }
  return residual.chosen();
}

/**
 * Repeatedly the page of greatest uncovered value within min(d, h) hops. `firstKeys` are bounds for other searches.
 * `isDone` is false if `stepsMax` links did not suffice.
 */
export function maxWeightSeeds(problem: CheckedProblem, depth: number, stepsMax = Infinity) {
  const residual = new Residual(problem);
  const all = new Uint32Array(problem.graph.pages);
  for (let page = 0; page < all.length; page++) all[page] = page;
  const weights = new DepthWeights(residual, depth, { stepsMax });
  let firstKeys = weights.keys;
  let firstSteps = 0;
  while (!residual.isFull && !residual.isSpent) {
    const page = weights.best(all, 0, all.length);
    if (residual.seeds.length === 0) {
      firstKeys = weights.keys.slice();
      firstSteps = residual.walk.steps;
    }
    if (page < 0) break;
    residual.choose(page);
  }
  const { steps } = residual.walk;
  return { seeds: residual.chosen(), firstKeys, firstSteps, steps, isDone: steps <= stepsMax };
}
