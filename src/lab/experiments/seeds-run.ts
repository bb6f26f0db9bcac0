/**
 * Seed selection site by site, as the paper measured it (section 4): sites of at least 100 pages with a link from
 * outside, seeds chosen and coverage counted inside each, averaged over sites, and compared with RANDOM.
 *
 * The paper adds to the value of a page its links to uncrawled pages times the probability P that a new page of the
 * site is unique. A graph has all of its pages, so a crawl is imitated: breadth first from the page of highest PageRank
 * (and the next one where that leads no further), until four fifths of the site are crawled. Seeds are chosen and
 * counted there. P is drawn for each site from 0.5 to 1.
 *
 * Two departures. A graph has neither spam nor clicks, so both are random. And if RANDOM covers next to nothing of a
 * site, a percentage of it says nothing, so the shares covered are averaged over the sites first and compared
 * afterwards (seeds-gains.ts). RANDOM itself is an average of several draws.
 */
import { noProgress, Random } from "../../base/index.ts";
import { type Graph, GraphBuilder, successors } from "../../graph/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
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

/** Shares of all pages and of all value: for each number along the axis, those of each site. */
interface Shares {
  readonly pages: readonly (readonly number[])[];
  readonly value: readonly (readonly number[])[];
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
export const CRAWLED_SHARE = 0.8;
/** The least probability that a new page of a site is unique. */
export const UNIQUENESS_MIN = 0.5;
const RANDOM_DRAWS = 10;

/** One of the two axes has a single entry, which applies to all entries of the other. */
export function runSeeds(
  input: ExperimentInput,
  axis: { readonly counts: readonly number[]; readonly hops: readonly number[] },
): SeedRuns {
  const { progress = noProgress } = input;
  const sites = sitesToMeasure(input);
  const points = axis.counts.flatMap((count) => axis.hops.map((hops) => ({ count, hops })));
  const empty = (): Shares & { pages: number[][]; value: number[][] } => ({
    pages: points.map(() => sites.map(() => 0)),
    value: points.map(() => sites.map(() => 0)),
  });
  const random = empty();
  const byName = new Map(VARIANTS.map(({ name }) => [name, empty()]));
  const greedy = { runs: 0, plainBest: 0 };
  for (const [site, whole] of sites.entries()) {
    progress({ task: "choosing seeds", done: site, total: sites.length, unit: "sites" });
    const { graph, uncrawledLinks } = crawledPart(whole);
    const values = drawnValues(uncrawledLinks, site);
    for (const [at, { count, hops }] of points.entries()) {
      const problem = { graph, values, count: Math.min(count, graph.pages), hops };
      const add = (to: ReturnType<typeof empty>, times: number, options: Parameters<typeof selectSeeds>[1]): void => {
        const { covered, total, greedy: how } = selectSeeds(problem, options);
        to.pages[at][site] += covered.pages / total.pages / times;
        to.value[at][site] += covered.value / Math.max(total.value, 1) / times;
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

/** What a crawl of a site has reached, and for each of its pages the links to pages that were not crawled. */
export function crawledPart(site: Graph): { readonly graph: Graph; readonly uncrawledLinks: Uint32Array } {
  const crawled = breadthFirst(site)
    .subarray(0, Math.ceil(CRAWLED_SHARE * site.pages))
    .sort();
  const idOf = new Map(Array.from(crawled, (page, id) => [page, id] as const));
  const uncrawledLinks = new Uint32Array(crawled.length);
  const builder = new GraphBuilder();
  for (const [id, page] of crawled.entries()) {
    for (const target of successors(site, page)) {
      const to = idOf.get(target);
      if (to === undefined) uncrawledLinks[id]++;
      else builder.add(id, to);
    }
  }
  return { graph: builder.finish({ pages: crawled.length }), uncrawledLinks };
}

/** All pages of a site in the order of a breadth-first crawl, begun at the most important page not yet found. */
function breadthFirst(site: Graph): Uint32Array {
  const order = new Uint32Array(site.pages);
  const isFound = new Uint8Array(site.pages);
  let found = 0;
  const find = (page: number): void => {
    if (isFound[page] === 1) return;
    isFound[page] = 1;
    order[found++] = page;
  };
  let at = 0;
  for (const start of topPages(pagerank(site).ranks, site.pages)) {
    find(start);
    for (; at < found; at++) for (const target of successors(site, order[at])) find(target);
  }
  return order;
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

function drawnValues(uncrawledLinks: Uint32Array, site: number): Float64Array {
  const pages = uncrawledLinks.length;
  const random = new Random(1 + site);
  const drawn = (share: number): number[] => {
    const chosen: number[] = [];
    for (let page = 0; page < pages; page++) if (random.float() < share) chosen.push(page);
    return chosen;
  };
  const [spam, clicked] = [drawn(SPAM_SHARE), drawn(CLICKED_SHARE)];
  const uniqueness = new Float64Array(pages).fill(UNIQUENESS_MIN + (1 - UNIQUENESS_MIN) * random.float());
  return paperValues({ pages, spam, clicked, uncrawledLinks, uniqueness });
}
