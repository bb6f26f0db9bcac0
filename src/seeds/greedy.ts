/**
 * `greedy`: better than every method of the paper, by construction.
 *
 * 1. Plain greedy (Algorithm 1 with its step 2 exact): with values that are not negative at least (1 - 1/e) of the optimum, and the first seed is
 *    the optimum of one seed. The search is exact as long as its budget lasts (group-search.ts); then the pages of highest estimate
 *    (sketch.ts) are looked at instead. The budget is a number of links, hence the same in every run.
 * 2. All methods of the paper on the same problem, MAXWEIGHT(3) too where it is not greedy itself and the budget was not spent. The best choice goes on, plain greedy where it is as good as any.
 * 3. Swaps (swaps.ts), which never lose.
 *
 * Steps 2 and 3 are left out where nothing can be gained: one seed that was proved best, or everything worth having is covered.
 * A seed that gains nothing is not taken, so there may be fewer than k.
 */
import { topPages } from "../rank/index.ts";
import { BATCH } from "./batch-walk.ts";
import { componentSeeds, mapComponents } from "./component-methods.ts";
import { GroupSearch } from "./group-search.ts";
import { maxOutSeeds, maxWeightSeeds, outDegreeSeeds, pagerankSeeds, randomSeeds } from "./paper-methods.ts";
import { type CheckedProblem, coverageOf, valueAbove } from "./problem.ts";
import { Residual } from "./residual.ts";
import { estimateReach } from "./sketch.ts";
import { improveBySwaps } from "./swaps.ts";

/** Links that plain greedy may look at for every one that MAXWEIGHT(2) does. */
const BUDGET_FACTOR = 3;
/** And at least so many: a fraction of a second. */
const BUDGET_STEPS_MIN = 20_000_000;
/** Swaps may look at as many links as MAXWEIGHT(2) did at first, and at least at so many. */
const SWAP_STEPS_MIN = 500_000;
/** Pages looked at exactly among those of highest estimate. */
const ESTIMATED_PAGES = 4 * BATCH;
/** Estimates serve for so many rounds: making them costs more than the look at all pages that they name. */
const ROUNDS_PER_ESTIMATE = 4;
/** Links looked at in each round beside the pages named by estimates. */
const EXTRA_STEPS_MIN = 100_000;
/** Groups of 32 whose pages swaps try. */
const RUNNER_UP_GROUPS = 2;

export interface GreedyOptions {
  readonly depth: number;
  readonly randomSeed: number;
  readonly ranks?: Float64Array | undefined;
  /** Links that plain greedy may look at; by the cost of MAXWEIGHT(2) unless given. */
  readonly budget?: number | undefined;
}

export interface GreedyChoice {
  readonly seeds: Uint32Array;
  /** Values that each method covers, where they were needed to know that none covers more. */
  readonly compared: Readonly<Record<string, number>>;
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
  const done = (swapGain = 0): GreedyChoice => ({
    seeds: best.seeds,
    compared,
    winner: best.winner,
    swapGain,
    isProved: plain.isProved,
  });
  // Where plain greedy finds nothing for several seeds another method may: two pages that share a bad one gain together what neither does alone.
  const isOptimal = plain.isProved && count === 1;
  if (isOptimal || best.value >= most) return done();

  const map = mapComponents(graph);
  const onComponents = { depth: options.depth, map, ...(isNear ? { firstKeys: near.firstKeys } : {}) };
  const others: Readonly<Record<string, () => Uint32Array>> = {
    maxweight: () => (isNear ? near.seeds : deepWeightSeeds(problem, options.depth)),
    ...(plain.isProved && problem.hops > 3 && options.depth !== 3
      ? { "maxweight:3": () => plainGreedy(problem, budget, 3).seeds }
      : {}),
    maxscc: () => componentSeeds(problem, { ...onComponents, root: false }),
    rootscc: () => componentSeeds(problem, { ...onComponents, root: true }),
    maxout: () => maxOutSeeds(problem),
    outdegree: () => outDegreeSeeds(problem),
    pagerank: () => pagerankSeeds(problem, options.ranks),
    random: () => randomSeeds(problem, options.randomSeed),
  };
  const candidates = new Set<number>(plain.seeds);
  for (const [name, choose] of Object.entries(others)) {
    const seeds = choose();
    const value = worth(seeds);
    compared[name] = value;
    for (const seed of seeds) candidates.add(seed);
    if (value > best.value) best = { winner: name, seeds, value };
  }
  const before = best.value;
  const seeds = improveBySwaps(problem, best.seeds, {
    candidates: Uint32Array.from(new Set([...candidates, ...plain.runnersUp])),
    steps: Math.max(SWAP_STEPS_MIN, near.firstSteps),
  });
  best = { ...best, seeds, value: worth(seeds) };
  return done(best.value - before);
}

interface PlainChoice {
  readonly seeds: Uint32Array;
  readonly isProved: boolean;
  /** Pages that might still gain much. */
  readonly runnersUp: readonly number[];
}

/**
 * MAXWEIGHT(d) of more than two hops: pages are looked at in groups, several times as fast, and the same are found, but for pages that weigh
 * nothing or less, which the paper takes too while any value is left. Should it come to them, all is done again page by page.
 */
export function deepWeightSeeds(problem: CheckedProblem, depth: number): Uint32Array {
  const { seeds } = plainGreedy(problem, Infinity, depth);
  const isShort = seeds.length < problem.count && problem.values.some((value) => value < 0);
  return isShort ? maxWeightSeeds(problem, depth).seeds : seeds;
}

/** Algorithm 1 with the page that gains most within `depth` hops in each round: those of the problem unless given. */
export function plainGreedy(problem: CheckedProblem, budget = Infinity, depth = problem.hops): PlainChoice {
  const { graph } = problem;
  const residual = new Residual(problem);
  const search = new GroupSearch(residual, depth);
  let promising: number[] = [];
  let estimatedRounds = 0;
  while (!residual.isFull && !residual.isSpent) {
    let page = search.steps > budget ? -1 : search.next(budget);
    if (search.steps > budget) {
      if (estimatedRounds++ % ROUNDS_PER_ESTIMATE === 0) {
        const estimates = estimateReach(graph, residual.leftPositive, Math.min(depth, problem.hops));
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
