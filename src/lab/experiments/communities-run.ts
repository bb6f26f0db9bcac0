/** Runs one local domain with all four methods of selection, measured round by round (Communities). */
import {
  type Distances,
  distancesBetween,
  findGlobalPagerank,
  pagesOfHost,
  pagesWithin,
  restrictedTo,
  type SelectionMethod,
  SELECTIONS,
} from "../../community/index.ts";
import { noProgress, Random } from "../../base/index.ts";
import { pagerank } from "../../rank/index.ts";
import type { ExperimentInput } from "./experiment.ts";

/** As the paper names them. */
export const METHOD_NAMES: Readonly<Record<SelectionMethod, string>> = {
  sc: "SC-SELECT",
  pf: "PF-SELECT",
  outlinks: "OUTLINKCOUNT",
  random: "RANDOM",
};

export interface Domain {
  readonly name: string;
  readonly pages: Uint32Array;
}

export interface DomainRun {
  readonly domain: Domain;
  /** The distances of the local PageRank. */
  readonly initial: Distances;
  /** The distances after each round, the first before any. */
  readonly curves: Readonly<Record<SelectionMethod, readonly (Distances & { readonly crawled: number })[]>>;
  readonly final: Readonly<Record<SelectionMethod, Distances>>;
}

/** The PageRank that the paper calls global: uniform trust, dangling pages lead everywhere. */
export function globalRanks({ graph, damping, progress = noProgress }: ExperimentInput): Float64Array {
  return pagerank(graph, { damping, dangling: "uniform", stopping: { tolerance: 1e-12 }, progress }).ranks;
}

/** Crawls `times` as many pages as are local, in so many rounds, or in fewer if fewer pages are crawled. */
export function runDomain(
  input: ExperimentInput,
  truth: Float64Array,
  domain: Domain,
  plan: { readonly rounds: number; readonly times: number },
): DomainRun {
  const { graph: web, damping, maxPages = Infinity, progress = noProgress } = input;
  const wanted = plan.times * domain.pages.length;
  const total = Math.min(wanted, maxPages);
  const pagesPerRound = Math.max(1, Math.round(total / plan.rounds));
  // At least as many pages as in the paper, but never more than the user allows.
  const rounds = total < wanted ? Math.floor(total / pagesPerRound) : Math.ceil(total / pagesPerRound);
  const expected = restrictedTo(domain.pages, truth);
  const curveOf = (select: SelectionMethod): (Distances & { readonly crawled: number })[] => {
    const estimates = findGlobalPagerank({ web, local: domain.pages, select, rounds, pagesPerRound, damping });
    return Array.from(estimates, ({ round, crawled, ranks }) => {
      progress({ task: `${domain.name}, ${METHOD_NAMES[select]}`, done: round, total: rounds, unit: "rounds" });
      return { crawled: crawled.length, ...distancesBetween(ranks, expected) };
    });
  };
  const curves = byMethod(curveOf);
  return { domain, initial: curves.sc[0], curves, final: byMethod((select) => curves[select].at(-1)!) };
}

/** The hosts that leave at least twice as many pages outside, largest first. */
export function largeSites(
  { graph, hosts }: ExperimentInput,
  { pagesMin, sitesMax }: { pagesMin: number; sitesMax: number },
): Domain[] {
  if (hosts === undefined) return [];
  const sizes = new Uint32Array(hosts.names.length);
  for (let page = 0; page < graph.pages; page++) sizes[hosts.hostOf[page]]++;
  return hosts.names
    .map((name, host) => ({ name, size: sizes[host] }))
    .filter(({ size }) => size >= pagesMin && 3 * size <= graph.pages)
    .sort((a, b) => b.size - a.size)
    .slice(0, sitesMax)
    .map(({ name }) => ({ name, pages: pagesOfHost(hosts, name) }));
}

const TOPIC_PAGES = 10;
const TOPIC_LINKS = 2;

/** A substitute for topics: all pages within two links of ten random pages with links, at most a sixth of the web. */
export function topicsOf({ graph }: ExperimentInput, count: number): Domain[] {
  const { pages, offsets } = graph;
  const linking = Uint32Array.from({ length: pages }, (_, page) => page).filter(
    (page) => offsets[page] < offsets[page + 1],
  );
  if (linking.length === 0 || pages < 6) return [];
  return Array.from({ length: count }, (_, topic) => {
    const random = new Random(1 + topic);
    const from = Uint32Array.from({ length: TOPIC_PAGES }, () => linking[random.below(linking.length)]);
    const pagesMax = Math.floor(pages / 6);
    return { name: `topic ${topic + 1}`, pages: pagesWithin(graph, from, { links: TOPIC_LINKS, pagesMax }) };
  });
}

export function byMethod<T>(valueOf: (select: SelectionMethod) => T): Record<SelectionMethod, T> {
  return { sc: valueOf("sc"), pf: valueOf("pf"), outlinks: valueOf("outlinks"), random: valueOf("random") };
}

/** Whether SC-SELECT is no worse than the others. Distances that differ only by rounding are equal. */
export function isNoWorse(run: DomainRun): boolean {
  const { sc, ...others } = run.final;
  const best = Math.min(...Object.values(others).map(({ l1 }) => l1));
  return sc.l1 <= best * (1 + 1e-6) + 1e-9;
}

/** A number of each method of selection, in words. */
export function listed(valueOf: (select: SelectionMethod) => number, digits: number): string {
  return SELECTIONS.map((select) => `${METHOD_NAMES[select]} ${valueOf(select).toPrecision(digits)}`).join(", ");
}
