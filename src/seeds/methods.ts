/** The methods by name. */
import { didYouMean, quoted, UsageError } from "../base/index.ts";
import { componentSeeds } from "./component-methods.ts";
import { deepWeightSeeds, type GreedyChoice, greedySeeds } from "./greedy.ts";
import { maxOutSeeds, maxWeightSeeds, outDegreeSeeds, pagerankSeeds, randomSeeds } from "./paper-methods.ts";
import type { CheckedProblem } from "./problem.ts";

/** The names of all methods that choose seeds. */
export const seedMethods = [
  "random",
  "pagerank",
  "outdegree",
  "maxout",
  "maxweight",
  "maxscc",
  "rootscc",
  "greedy",
] as const;
/** A method that chooses seeds: `greedy` (the best), or one of the seed selection paper. */
export type SeedMethod = (typeof seedMethods)[number];

/** The methods of the paper: all but greedy. */
export const paperMethods = seedMethods.filter((method) => method !== "greedy");

export interface MethodOptions {
  /** How far maxweight, maxscc and rootscc look, at most the hops of the problem. */
  readonly depth: number;
  /** The seed of the method `random`. */
  readonly randomSeed: number;
  /** The PageRank of every page, if it is known already. */
  readonly ranks?: Float64Array | undefined;
}

export interface Choice {
  readonly seeds: Uint32Array;
  /** How greedy came to its choice. */
  readonly greedy?: Omit<GreedyChoice, "seeds">;
}

/** From this depth on, pages are searched in groups. */
const GROUP_DEPTH = 3;

export function choose(method: SeedMethod, problem: CheckedProblem, options: MethodOptions): Choice {
  const { depth, randomSeed, ranks } = options;
  switch (method) {
    case "random":
      return { seeds: randomSeeds(problem, randomSeed) };
    case "pagerank":
      return { seeds: pagerankSeeds(problem, ranks) };
    case "outdegree":
      return { seeds: outDegreeSeeds(problem) };
    case "maxout":
      return { seeds: maxOutSeeds(problem) };
    case "maxweight":
      return {
        seeds:
          Math.min(depth, problem.hops) < GROUP_DEPTH
            ? maxWeightSeeds(problem, depth).seeds
            : deepWeightSeeds(problem, depth),
      };
    case "maxscc":
      return { seeds: componentSeeds(problem, { root: false, depth }) };
    case "rootscc":
      return { seeds: componentSeeds(problem, { root: true, depth }) };
    case "greedy": {
      const { seeds, ...greedy } = greedySeeds(problem, options);
      return { seeds, greedy };
    }
  }
}

export function checkMethod(name: string): SeedMethod {
  const method = seedMethods.find((each) => each === name);
  if (method !== undefined) return method;
  throw new UsageError(
    `Unknown seed method ${quoted(name)}.${didYouMean(name, seedMethods)} Methods are: ${seedMethods.join(", ")}.`,
  );
}
