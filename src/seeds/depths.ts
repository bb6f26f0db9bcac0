/**
 * MAXWEIGHT, MAXSCC and ROOTSCC look `depth` hops ahead. No depth is the best everywhere, so `greedy` compares itself
 * with all of them, from 1 to the hops of the problem, as long as its budget of links lasts. Shallow depths are cheap
 * and come first.
 */
import { type ComponentMap, componentSeedsWithin } from "./component-methods.ts";
import { GroupSearch } from "./group-search.ts";
import { maxWeightSeeds } from "./paper-methods.ts";
import { type CheckedProblem, Residual } from "./problem.ts";

interface LimitedSeeds {
  readonly seeds: Uint32Array;
  /** Links visited. */
  readonly steps: number;
  /** Whether they sufficed. */
  readonly isDone: boolean;
}

/** From this depth on, pages are searched in groups. */
const GROUP_DEPTH = 3;

/** All depths that differ: no page is farther away than there are pages. */
export function depthsOf({ graph, hops }: CheckedProblem): number[] {
  return Array.from({ length: Math.min(hops, Math.max(1, graph.pages - 1)) }, (_, i) => i + 1);
}

/** Calls `compare` for each method and each other depth. Returns the depths with which all methods were compared. */
export function compareOtherDepths(
  problem: CheckedProblem,
  options: {
    readonly depth: number;
    readonly map: ComponentMap;
    /** The most links that all of them may visit. */
    readonly stepsMax: number;
    readonly compare: (name: string, seeds: Uint32Array) => void;
  },
): number[] {
  const { map, compare } = options;
  const own = Math.min(options.depth, problem.hops);
  let left = options.stepsMax;
  const depths: number[] = [];
  for (const depth of depthsOf(problem)) {
    if (depth === own) continue;
    const methods: Readonly<Record<string, () => LimitedSeeds>> = {
      maxweight: () => maxWeightWithin(problem, depth, left),
      maxscc: () => componentSeedsWithin(problem, { root: false, depth, map }, left),
      rootscc: () => componentSeedsWithin(problem, { root: true, depth, map }, left),
    };
    for (const [name, choose] of Object.entries(methods)) {
      const { seeds, steps, isDone } = choose();
      if (!isDone) return depths;
      // Each method also looks at every page.
      left -= steps + problem.graph.pages;
      compare(`${name}:${depth}`, seeds);
    }
    depths.push(depth);
  }
  return depths;
}

/** MAXWEIGHT(d) for any d. */
export function weightSeeds(problem: CheckedProblem, depth: number): Uint32Array {
  return maxWeightWithin(problem, depth, Infinity).seeds;
}

/**
 * From three hops on pages are searched in groups, several times as fast, with the same result except for pages of
 * weight 0 or less, which the paper takes too while any value is left. If it comes to those, the search is repeated
 * page by page.
 */
export function maxWeightWithin(problem: CheckedProblem, depth: number, stepsMax: number): LimitedSeeds {
  if (Math.min(depth, problem.hops) < GROUP_DEPTH) return maxWeightSeeds(problem, depth, stepsMax);
  const residual = new Residual(problem);
  const search = new GroupSearch(residual, depth);
  while (!residual.isFull && !residual.isSpent) {
    const page = search.next(stepsMax);
    if (page < 0 || search.steps > stepsMax) break;
    residual.choose(page);
  }
  const { steps } = search;
  const isShort = !residual.isFull && problem.values.some((value) => value < 0);
  if (steps <= stepsMax && isShort) {
    const again = maxWeightSeeds(problem, depth, stepsMax - steps);
    return { ...again, steps: steps + again.steps };
  }
  return { seeds: residual.chosen(), steps, isDone: steps <= stepsMax };
}
