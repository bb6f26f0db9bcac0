/** Chooses seeds on a whole graph, or site by site with the seeds distributed by importance. */
import { didYouMean, noProgress, type Progress, quoted, UsageError } from "../base/index.ts";
import type { Hosts } from "../graph/index.ts";
import { componentSeeds } from "./component-methods.ts";
import { weightSeeds } from "./depths.ts";
import { type GreedyChoice, type GreedyOptions, greedySeeds } from "./greedy.ts";
import { maxOutSeeds, outDegreeSeeds, pagerankSeeds, randomSeeds, ranksOf } from "./paper-methods.ts";
import {
  type CheckedProblem,
  checked,
  checkHops,
  type Covered,
  coverageOf,
  type SeedProblem,
  valueAbove,
} from "./problem.ts";
import { shareOut, sitesOf } from "./sites.ts";

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

/** As in the paper. */
const DEPTH_DEFAULT = 2;

/** Options of `selectSeeds`. */
export interface SeedOptions {
  readonly method: SeedMethod;
  /** How far `maxweight`, `maxscc` and `rootscc` look (default: 2, as in the paper). */
  readonly depth?: number | undefined;
  /** The seed of the method `random` (default: 1). */
  readonly randomSeed?: number | undefined;
  /** The PageRank of every page, if it is known already. */
  readonly ranks?: Float64Array | undefined;
  readonly progress?: Progress | undefined;
}

/** Options of `selectSeedsBySite`. */
export interface SiteSeedOptions extends SeedOptions {
  readonly hosts: Hosts;
  /** What makes a site important: the PageRank of its pages (the default), or their positive values. */
  readonly importance?: "pagerank" | "value" | undefined;
}

interface Choice {
  readonly seeds: Uint32Array;
  /** How greedy came to its choice. */
  readonly greedy?: Omit<GreedyChoice, "seeds">;
}

/** The chosen seeds, and what they reach. */
export interface SeedSelection extends Choice {
  readonly method: SeedMethod;
  /** What the seeds reach in the whole graph. */
  readonly covered: Covered;
  /** All pages, and the sum of all positive values: the most that could be covered. */
  readonly total: Covered;
}

/** Seeds that were chosen site by site. */
export interface SiteSeedSelection extends SeedSelection {
  /** The sites that were given seeds, in the order of hosts. */
  readonly sites: readonly SiteShare[];
}

/** A site's share of the seeds. */
export interface SiteShare {
  readonly name: string;
  readonly pages: number;
  /** Its share of all importance. */
  readonly importance: number;
  /** How many seeds it was given. Fewer are chosen if more would gain nothing. */
  readonly seeds: number;
}

/** Chooses seeds on a whole graph. */
export function selectSeeds(problem: SeedProblem, options: SeedOptions): SeedSelection {
  const sound = checked(problem);
  const choice = choose(options.method, sound, methodOptions(options));
  return selectionOf(sound, options.method, choice);
}

/**
 * Chooses seeds site by site, each on the links of the site alone; what they cover is measured in the whole graph.
 * `greedy` is compared with the other methods once more, over all sites and with the same depth, so that it never
 * covers less than these here either.
 */
export function selectSeedsBySite(problem: SeedProblem, options: SiteSeedOptions): SiteSeedSelection {
  const sound = checked(problem);
  const { hosts, method } = options;
  if (hosts.hostOf.length !== problem.graph.pages) {
    throw new UsageError(`hosts of ${hosts.hostOf.length} pages, but the graph has ${problem.graph.pages}`);
  }
  const shares = sharesOf(sound, options);
  const bySite = (name: SeedMethod): SeedSelection => {
    const seeds: number[] = [];
    for (const site of sitesOf(sound.graph, hosts, (host) => shares[host].seeds > 0)) {
      options.progress?.({ task: `choosing by ${name}`, done: site.host, total: hosts.names.length, unit: "sites" });
      const values = Float64Array.from(site.pages, (page) => sound.values[page]);
      const own = { graph: site.graph, values, count: shares[site.host].seeds, hops: sound.hops };
      const { ranks: _, ...rest } = methodOptions(options);
      for (const seed of choose(name, own, rest).seeds) seeds.push(site.pages[seed]);
    }
    return selectionOf(sound, name, { seeds: Uint32Array.from(seeds) });
  };
  const own = bySite(method);
  const sites = shares.filter(({ seeds }) => seeds > 0);
  if (method !== "greedy") return { ...own, sites };
  let best = own;
  let winner = "greedy";
  const compared: Record<string, number> = { greedy: own.covered.value };
  for (const name of paperMethods) {
    const other = bySite(name);
    compared[name] = other.covered.value;
    if (other.covered.value <= best.covered.value) continue;
    best = other;
    winner = name;
  }
  const depths = [Math.min(options.depth ?? DEPTH_DEFAULT, sound.hops)];
  return { ...best, method, sites, greedy: { compared, depths, winner, swapGain: 0, isProved: false } };
}

function sharesOf(problem: CheckedProblem, options: SiteSeedOptions): SiteShare[] {
  const { hosts, importance = "pagerank" } = options;
  const { graph, values, count } = problem;
  const weights = new Float64Array(hosts.names.length);
  const sizes = new Uint32Array(hosts.names.length);
  const worth = importance === "pagerank" ? (options.ranks ?? ranksOf(graph)) : values;
  for (let page = 0; page < graph.pages; page++) {
    sizes[hosts.hostOf[page]]++;
    weights[hosts.hostOf[page]] += Math.max(0, worth[page]);
  }
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const seeds = shareOut(count, weights, sizes);
  return hosts.names.map((name, host) => ({
    name,
    pages: sizes[host],
    importance: all > 0 ? weights[host] / all : 0,
    seeds: seeds[host],
  }));
}

function methodOptions({ depth = DEPTH_DEFAULT, randomSeed = 1, ranks, progress, method }: SeedOptions): GreedyOptions {
  checkHops(depth, "depth");
  (progress ?? noProgress)({ task: `choosing seeds by ${method}`, done: 0, unit: "seeds" });
  return { depth, randomSeed, ranks };
}

function selectionOf(problem: CheckedProblem, method: SeedMethod, choice: Choice): SeedSelection {
  const { graph, values } = problem;
  return {
    method,
    ...choice,
    covered: coverageOf(problem, choice.seeds),
    total: { pages: graph.pages, value: valueAbove(values) },
  };
}

function choose(method: SeedMethod, problem: CheckedProblem, options: GreedyOptions): Choice {
  if (method !== "greedy") return { seeds: byPaper[method](problem, options) };
  const { seeds, ...greedy } = greedySeeds(problem, options);
  return { seeds, greedy };
}

const byPaper: Readonly<
  Record<Exclude<SeedMethod, "greedy">, (problem: CheckedProblem, options: GreedyOptions) => Uint32Array>
> = {
  random: (problem, { randomSeed }) => randomSeeds(problem, randomSeed),
  pagerank: (problem, { ranks }) => pagerankSeeds(problem, ranks),
  outdegree: outDegreeSeeds,
  maxout: maxOutSeeds,
  maxweight: (problem, { depth }) => weightSeeds(problem, depth),
  maxscc: (problem, { depth }) => componentSeeds(problem, { root: false, depth }),
  rootscc: (problem, { depth }) => componentSeeds(problem, { root: true, depth }),
};

export function checkMethod(name: string): SeedMethod {
  const method = seedMethods.find((each) => each === name);
  if (method !== undefined) return method;
  throw new UsageError(
    `unknown seed method ${quoted(name)}.${didYouMean(name, seedMethods)} Methods are: ${seedMethods.join(", ")}.`,
  );
}
