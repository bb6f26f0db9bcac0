/**
 * `greedy`: never worse than any method of the paper, by construction.
 *
 * 1. Plain greedy (Algorithm 1 with an exact step 2). With values that are not negative it covers at least (1 - 1/e) of
 *    the optimum, and its first seed is the best single seed. The search is exact as long as its budget lasts
 *    (group-search.ts); then it looks only at the pages of highest estimate (sketch.ts). The budget is a number of
 *    links, so every run is the same.
 * 2. All methods of the paper on the same problem, with the given depth. Then those that have a depth with all others,
 *    as long as a second budget lasts (depths.ts). The best choice is kept; plain greedy wins ties.
 * 3. Swaps (swaps.ts), which never make it worse.
 *
 * Steps 2 and 3 are skipped if they can gain nothing: a single seed was proved best, or everything of value is covered.
 * A seed that gains nothing is not taken, so there may be fewer than k.
 */
import { topPages } from "../rank/index.ts";
import { BATCH } from "./walks.ts";
import { componentSeeds, mapComponents } from "./component-methods.ts";
import { compareOtherDepths, weightSeeds, depthsOf } from "./depths.ts";
import { GroupSearch } from "./group-search.ts";
import { maxOutSeeds, maxWeightSeeds, outDegreeSeeds, pagerankSeeds, randomSeeds } from "./paper-methods.ts";
import { type CheckedProblem, coverageOf, Residual, valueAbove } from "./problem.ts";
import { estimateReach } from "./sketch.ts";
import { improveBySwaps } from "./swaps.ts";

/** Links that plain greedy may visit for each link that MAXWEIGHT(2) visits. */
const BUDGET_FACTOR = 3;
/**
 * And at least this many: a fraction of a second. Methods with other depths may visit this many, or as MAXWEIGHT(2).
 */
const BUDGET_STEPS_MIN = 20_000_000;
/** Swaps may visit as many links as the first round of MAXWEIGHT(2), and at least this many. */
const SWAP_STEPS_MIN = 500_000;
/** How many pages of highest estimate are measured exactly. */
const ESTIMATED_PAGES = 4 * BATCH;
/** Estimates are used for this many rounds: computing them costs more than measuring the pages that they name. */
const ROUNDS_PER_ESTIMATE = 4;
/** Links visited in each round besides those of the pages named by estimates. */
const EXTRA_STEPS_MIN = 100_000;
/** Groups of 32 whose pages swaps try. */
const RUNNER_UP_GROUPS = 2;

export interface GreedyOptions {
  /** How far maxweight, maxscc and rootscc look, at most the hops of the problem. */
  readonly depth: number;
  readonly randomSeed: number;
  readonly ranks?: Float64Array | undefined;
  /** Links that plain greedy may visit (default: by the cost of MAXWEIGHT(2)). */
  readonly budget?: number | undefined;
  /** Links that methods with other depths may visit (default: by the cost of MAXWEIGHT(2)). */
  readonly otherDepthsBudget?: number | undefined;
}

export interface GreedyChoice {
  readonly seeds: Uint32Array;
  /** The value that each method covers, if it was computed to know that none covers more. */
  readonly compared: Readonly<Record<string, number>>;
  /** The depths with which every method that has one was compared, ascending: none covers more. */
  readonly depths: readonly number[];
  /** The method whose choice was best before swaps. */
  readonly winner: string;
  /** What swaps added. */
  readonly swapGain: number;
  /** Whether every seed of plain greedy was proved to gain most when it was chosen. */
  readonly isProved: boolean;
}

export function greedySeeds(problem: CheckedProblem, options: GreedyOptions): GreedyChoice {
  const { graph, values, count } = problem;
  const near = maxWeightSeeds(problem, Math.min(options.depth, 2));
  const budget = options.budget ?? Math.max(BUDGET_STEPS_MIN, BUDGET_FACTOR * near.firstSteps);
  const isNear = Math.min(options.depth, problem.hops) <= 2;
  const plain = plainGreedy(problem, budget);
  const worth = (seeds: Uint32Array): number => coverageOf(problem, seeds).value;
  const most = valueAbove(values);
  let best = { winner: "greedy", seeds: plain.seeds, value: worth(plain.seeds) };
  const compared: Record<string, number> = { greedy: best.value };
  const { isProved } = plain;
  // What cannot be covered better needs no comparison.
  let depths = depthsOf(problem);
  const done = (swapGain = 0): GreedyChoice => {
    return { seeds: best.seeds, compared, depths, winner: best.winner, swapGain, isProved };
  };
  // With several seeds others may find more: two pages that share a bad one gain together what neither gains alone.
  const isOptimal = plain.isProved && count === 1;
  if (isOptimal || best.value >= most) return done();

  const map = mapComponents(graph);
  const onComponents = { depth: options.depth, map, ...(isNear ? { firstKeys: near.firstKeys } : {}) };
  const others: Readonly<Record<string, () => Uint32Array>> = {
    maxweight: () => (isNear ? near.seeds : weightSeeds(problem, options.depth)),
    maxscc: () => componentSeeds(problem, { ...onComponents, root: false }),
    rootscc: () => componentSeeds(problem, { ...onComponents, root: true }),
    maxout: () => maxOutSeeds(problem),
    outdegree: () => outDegreeSeeds(problem),
    pagerank: () => pagerankSeeds(problem, options.ranks),
    random: () => randomSeeds(problem, options.randomSeed),
  };
  const candidates = new Set<number>(plain.seeds);
  const compare = (name: string, seeds: Uint32Array): void => {
    const value = worth(seeds);
    compared[name] = value;
    for (const seed of seeds) candidates.add(seed);
    if (value > best.value) best = { winner: name, seeds, value };
  };
  for (const [name, choose] of Object.entries(others)) compare(name, choose());
  const otherDepths = compareOtherDepths(problem, {
    depth: options.depth,
    map,
    stepsMax: options.otherDepthsBudget ?? Math.max(BUDGET_STEPS_MIN, near.firstSteps),
    compare,
  });
  depths = [Math.min(options.depth, problem.hops), ...otherDepths].sort((a, b) => a - b);
  const before = best.value;
  const seeds = improveBySwaps(problem, best.seeds, {
    candidates: Uint32Array.from(new Set([...candidates, ...plain.runnersUp])),
    steps: Math.max(SWAP_STEPS_MIN, near.firstSteps),
  });
  best = { ...best, seeds, value: worth(seeds) };
  return done(best.value - before);
}

/** Algorithm 1: in each round, the page that gains most. `runnersUp` might still gain much. */
export function plainGreedy(problem: CheckedProblem, budget = Infinity) {
  const { graph } = problem;
  const residual = new Residual(problem);
  const search = new GroupSearch(residual);
  let promising: number[] = [];
  let estimatedRounds = 0;
  while (!residual.isFull && !residual.isSpent) {
    let page = search.steps > budget ? -1 : search.next(budget);
    if (search.steps > budget) {
      if (estimatedRounds++ % ROUNDS_PER_ESTIMATE === 0) {
        const estimates = estimateReach(graph, residual.leftPositive, problem.hops);
        promising = [...topPages(estimates, ESTIMATED_PAGES)];
      }
      const hints = Uint32Array.from(new Set(page >= 0 ? [...promising, page] : promising));
      page = search.next(search.steps + Math.max(EXTRA_STEPS_MIN, budget / 32), hints);
    }
    if (page < 0) break;
    residual.choose(page);
  }
  const runnersUp = search.promising(RUNNER_UP_GROUPS).flatMap((pages) => [...pages]);
  return { seeds: residual.chosen(), isProved: search.isProved, runnersUp };
}
