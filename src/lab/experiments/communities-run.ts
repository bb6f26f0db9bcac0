/**
 * Runs one local domain with every method of selection, measured on the way and at the end (Communities, section 6).
 */
import {
  type Distances,
  distancesBetween,
  GlobalRankEstimator,
  impacts,
  restrictedTo,
  type SelectionMethod,
  TRIAL_WEIGHTS,
} from "../../community/index.ts";
import { noProgress } from "../../base/index.ts";
import { successors } from "../../graph/index.ts";
import { l1Distance, pagerank } from "../../rank/index.ts";
import type { Domain } from "./communities-domains.ts";
import { type ExperimentInput, mean, standardDeviation } from "./experiment.ts";

/** As the paper names them. `leak` and `auto` are ours. */
export const METHOD_NAMES: Readonly<Record<SelectionMethod, string>> = {
  sc: "SC-SELECT",
  pf: "PF-SELECT",
  outlinks: "OUTLINKCOUNT",
  random: "RANDOM",
  leak: "leak",
  auto: "auto",
};

export const METHODS = Object.keys(METHOD_NAMES) as SelectionMethod[];
/** Those of the paper. */
export const PAPER_METHODS = ["sc", "pf", "outlinks", "random"] as const satisfies readonly SelectionMethod[];
/** All but the chooser. */
export const SINGLE_METHODS = METHODS.filter((method) => method !== "auto");

/** Methods that draw pages at random are run with so many seeds. */
export const DRAWS = 5;

/** A measurement on the way. */
export interface Measured extends Distances {
  /** Pages crawled so far. */
  readonly crawled: number;
}

/** One run of a method. */
export interface MethodRun {
  /** Ascending by pages crawled; the first is the local PageRank. */
  readonly curve: readonly Measured[];
  readonly seconds: number;
  /** Of auto at the end: the weight that was chosen, and the L1 distance with each weight. */
  readonly weights?: { readonly chosen: number; readonly l1: readonly number[] };
}

export interface DomainRun {
  readonly domain: Domain;
  /** The distances of the local PageRank. */
  readonly initial: Distances;
  /**
   * The probability that the surfer is outside and follows a link into the domain (the impact of all pages, section
   * 6.2), as a share of the rank of the domain.
   */
  readonly inflow: number;
  /** One run per draw; one for methods without chance. */
  readonly methods: Readonly<Record<SelectionMethod, readonly MethodRun[]>>;
}

/** The PageRank that the paper calls global: uniform trust, dangling pages lead everywhere. */
export function globalRanks({ graph, damping, progress = noProgress }: ExperimentInput): Float64Array {
  return pagerank(graph, { damping, dangling: "uniform", stopping: { tolerance: 1e-12 }, progress }).ranks;
}

/** The paper crawls 2n pages for the n of a site, in 50 rounds. */
const ROUNDS = 50;
const TIMES = 2;

/**
 * Crawls twice as many pages as are local in 50 rounds, or in fewer if fewer pages are allowed. The estimate is
 * measured after n and after 2n pages, or after every round.
 */
export function runDomain(input: ExperimentInput, truth: Float64Array, domain: Domain, measureAll = false): DomainRun {
  const expected = restrictedTo(domain.pages, truth);
  const run = (select: SelectionMethod): MethodRun[] => {
    const draws = select === "random" || select === "auto" ? DRAWS : 1;
    return Array.from({ length: draws }, (_, draw) =>
      runMethod(input, domain, { select, seed: 1 + draw, expected, measureAll }),
    );
  };
  const methods = Object.fromEntries(METHODS.map((select) => [select, run(select)])) as Record<
    SelectionMethod,
    MethodRun[]
  >;
  const inflow = impacts(input.graph, domain.pages, truth).reduce((sum, each) => sum + each, 0);
  const rank = domain.pages.reduce((sum, page) => sum + truth[page], 0);
  return { domain, initial: methods.sc[0].curve[0], inflow: inflow / rank, methods };
}

interface MethodPlan {
  readonly select: SelectionMethod;
  readonly seed: number;
  readonly expected: Float64Array;
  readonly measureAll: boolean;
}

function runMethod(input: ExperimentInput, domain: Domain, plan: MethodPlan): MethodRun {
  const { graph, damping, clock, maxPages = Infinity, progress = noProgress } = input;
  const wanted = TIMES * domain.pages.length;
  const total = Math.min(wanted, maxPages);
  const pagesPerRound = Math.max(1, Math.round(total / ROUNDS));
  // At least as many pages as in the paper, but never more than the user allows.
  const rounds = total < wanted ? Math.floor(total / pagesPerRound) : Math.ceil(total / pagesPerRound);
  const linksOf = (page: number): Uint32Array => successors(graph, page);
  const curve: Measured[] = [];
  // Only the algorithm is timed, with the estimate at the end.
  let elapsedMs = 0;
  const timed = <T>(work: () => T): T => {
    const startMs = clock.nowMs();
    const result = work();
    elapsedMs += clock.nowMs() - startMs;
    return result;
  };
  const estimator = timed(() => new GlobalRankEstimator(domain.pages, linksOf, { ...plan, damping }));
  let crawled = 0;
  for (let round = 0; ; round++) {
    progress({ task: `${domain.name}, ${METHOD_NAMES[plan.select]}`, done: round, total: rounds, unit: "rounds" });
    const chosen = round === rounds ? new Uint32Array(0) : timed(() => estimator.choose(pagesPerRound));
    const isLast = chosen.length === 0;
    const isHalf = crawled >= domain.pages.length && crawled - pagesPerRound < domain.pages.length;
    const estimate = isLast ? timed(() => estimator.estimate()) : undefined;
    if (round === 0 || isHalf || isLast || plan.measureAll) {
      const { ranks } = estimate ?? estimator.estimate();
      curve.push({ crawled, ...distancesBetween(ranks, plan.expected) });
    }
    if (estimate !== undefined) {
      const run = { curve, seconds: elapsedMs / 1000 };
      if (estimate.choice === undefined) return run;
      const l1 = TRIAL_WEIGHTS.map((weight) => l1Distance(estimator.ranksWith(weight), plan.expected));
      return { ...run, weights: { chosen: estimate.choice.weight, l1 } };
    }
    timed(() => chosen.forEach((page) => estimator.learn(page, linksOf(page))));
    crawled += chosen.length;
  }
}

/**
 * What was measured after n pages (one for each of the domain's), or at the end, after 2n; the end if there were fewer.
 */
export function measuredAt({ domain }: DomainRun, { curve }: MethodRun, when: "n" | "2n"): Measured {
  const end = curve.at(-1)!;
  return when === "2n" ? end : (curve.find(({ crawled }) => crawled >= domain.pages.length) ?? end);
}

/** A distance, averaged over the draws of a method. */
export function distanceOf(
  run: DomainRun,
  select: SelectionMethod,
  measure: keyof Distances = "l1",
  when: "n" | "2n" = "2n",
): number {
  return mean(run.methods[select].map((each) => measuredAt(run, each, when)[measure]));
}

/** The mean over domains of a distance, for each draw of the method. */
export function meansByDraw(
  runs: readonly DomainRun[],
  select: SelectionMethod,
  measure: keyof Distances = "l1",
  when: "n" | "2n" = "2n",
): number[] {
  const draws = runs[0]?.methods[select].length ?? 0;
  return Array.from({ length: draws }, (_, draw) =>
    mean(runs.map((run) => measuredAt(run, run.methods[select][draw], when)[measure])),
  );
}

/** "0.105", or with the spread of the means over draws: "0.110 ± 0.004". */
export function spread(means: readonly number[], digits: number): string {
  const said = mean(means).toPrecision(digits);
  return means.length === 1 ? said : `${said} ± ${standardDeviation(means).toPrecision(2)}`;
}

/** Whether a method has the least L1 of these. Distances that differ only by rounding are equal. */
export function isBest(
  run: DomainRun,
  select: SelectionMethod,
  methods: readonly SelectionMethod[],
  when: "n" | "2n" = "2n",
): boolean {
  const least = Math.min(...methods.map((each) => distanceOf(run, each, "l1", when)));
  return distanceOf(run, select, "l1", when) <= least * (1 + 1e-6) + 1e-9;
}

/** A number of each method of selection, in words. */
export function listed(
  methods: readonly SelectionMethod[],
  valueOf: (select: SelectionMethod) => number,
  digits: number,
): string {
  return methods.map((select) => `${METHOD_NAMES[select]} ${valueOf(select).toPrecision(digits)}`).join(", ");
}

/** The method of least distance (of greatest Kendall). */
export function bestOf(
  methods: readonly SelectionMethod[],
  valueOf: (select: SelectionMethod) => number,
  measure: keyof Distances = "l1",
): SelectionMethod {
  const sign = measure === "kendall" ? -1 : 1;
  return methods.reduce((a, b) => (sign * valueOf(b) < sign * valueOf(a) ? b : a));
}
