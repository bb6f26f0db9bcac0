/**
 * Seed selection site by site, as the paper measured it (section 4): sites of at least 100 pages with a link from
 * outside, seeds chosen and coverage counted inside each, averaged over sites, and compared with RANDOM.
 *
 * Two departures. A graph has neither spam nor clicks, so both are random, and there are no uncrawled pages. And if
 * RANDOM covers next to nothing of a site, a percentage of it says nothing, so the shares covered are averaged over the
 * sites first and compared afterwards. RANDOM itself is an average of several draws.
 */
import { noProgress, Random } from "../../base/index.ts";
import type { Graph } from "../../graph/index.ts";
import { paperValues, type SeedMethod, selectSeeds, sitesOf } from "../../seeds/index.ts";
import type { ExperimentInput } from "./experiment.ts";

/** The methods by their names in the paper. */
export const VARIANTS: readonly { readonly name: string; readonly method: SeedMethod; readonly depth?: number }[] = [
  { name: "PAGERANK", method: "pagerank" },
  { name: "OUTDEGREE", method: "outdegree" },
  { name: "MAXOUT", method: "maxout" },
  { name: "MAXWEIGHT(2)", method: "maxweight", depth: 2 },
  { name: "MAXWEIGHT(3)", method: "maxweight", depth: 3 },
  { name: "MAXSCC", method: "maxscc" },
  { name: "ROOTSCC", method: "rootscc" },
  { name: "greedy", method: "greedy" },
];

/** Shares of all pages and of all value, averaged over the sites, for each number along the axis. */
interface Shares {
  readonly pages: readonly number[];
  readonly value: readonly number[];
}

export interface SeedRuns {
  readonly sites: number;
  readonly random: Shares;
  readonly byName: ReadonlyMap<string, Shares>;
  /** How often greedy ran, and how often plain greedy was as good as any other method. */
  readonly greedy: { readonly runs: number; readonly plainBest: number };
}

export const SPAM_SHARE = 0.02;
export const CLICKED_SHARE = 0.05;
export const SITE_PAGES_MIN = 100;
const RANDOM_DRAWS = 10;

/** One of the two axes has a single entry, which applies to all entries of the other. */
export function runSeeds(
  input: ExperimentInput,
  axis: { readonly counts: readonly number[]; readonly hops: readonly number[] },
): SeedRuns {
  const { progress = noProgress } = input;
  const sites = sitesToMeasure(input);
  const points = axis.counts.flatMap((count) => axis.hops.map((hops) => ({ count, hops })));
  const zero = (): { pages: number[]; value: number[] } => ({ pages: points.map(() => 0), value: points.map(() => 0) });
  const random = zero();
  const byName = new Map(VARIANTS.map(({ name }) => [name, zero()]));
  const greedy = { runs: 0, plainBest: 0 };
  for (const [done, graph] of sites.entries()) {
    progress({ task: "choosing seeds", done, total: sites.length, unit: "sites" });
    const values = drawnValues(graph.pages);
    for (const [at, { count, hops }] of points.entries()) {
      const problem = { graph, values, count: Math.min(count, graph.pages), hops };
      const add = (to: ReturnType<typeof zero>, times: number, options: Parameters<typeof selectSeeds>[1]): void => {
        const { covered, total, greedy: how } = selectSeeds(problem, options);
        to.pages[at] += covered.pages / total.pages / times / sites.length;
        to.value[at] += covered.value / Math.max(total.value, 1) / times / sites.length;
        if (how === undefined) return;
        greedy.runs++;
        if (how.winner === "greedy") greedy.plainBest++;
      };
      for (let draw = 1; draw <= RANDOM_DRAWS; draw++)
        add(random, RANDOM_DRAWS, { method: "random", randomSeed: draw });
      for (const { name, method, depth } of VARIANTS) add(byName.get(name)!, 1, { method, depth });
    }
  }
  return { sites: sites.length, random, byName, greedy };
}

/** Every site that the paper would have taken; the whole graph if there is none, or if sites are unknown. */
function sitesToMeasure({ graph, hosts }: ExperimentInput): Graph[] {
  if (hosts === undefined) return [graph];
  const hasLinkFromOutside = new Uint8Array(hosts.names.length);
  for (let page = 0; page < graph.pages; page++) {
    for (let arc = graph.offsets[page]; arc < graph.offsets[page + 1]; arc++) {
      const host = hosts.hostOf[graph.targets[arc]];
      if (host !== hosts.hostOf[page]) hasLinkFromOutside[host] = 1;
    }
  }
  const sites = [...sitesOf(graph, hosts, (host) => hasLinkFromOutside[host] === 1)]
    .map((site) => site.graph)
    .filter(({ pages }) => pages >= SITE_PAGES_MIN);
  return sites.length === 0 ? [graph] : sites;
}

function drawnValues(pages: number): Float64Array {
  const random = new Random(1);
  const drawn = (share: number): number[] => {
    const chosen: number[] = [];
    for (let page = 0; page < pages; page++) if (random.float() < share) chosen.push(page);
    return chosen;
  };
  return paperValues({ pages, spam: drawn(SPAM_SHARE), clicked: drawn(CLICKED_SHARE) });
}
