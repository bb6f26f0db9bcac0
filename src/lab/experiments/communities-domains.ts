/** Local domains to measure: sites and topics (Communities, section 6.2). */
import { pagesOfHost, pagesWithin, runStarts } from "../../community/index.ts";
import { Random } from "../../base/index.ts";
import { outDegree } from "../../graph/index.ts";
import type { ExperimentInput } from "./experiment.ts";

export interface Domain {
  readonly name: string;
  /** Ascending. */
  readonly pages: Uint32Array;
}

/** On smaller hosts one or two pages decide. */
const HOST_PAGES_MIN = 10;
/** Runs of ids are mostly parts of sites. Large ones take long, small ones are no sites. */
const RUN_PAGES = { least: 300, most: 3000 };
const SITES_MAX = 75;

/**
 * The sites that leave at least twice as many pages outside, largest first: hosts, or if URLs are unknown runs of ids
 * (page-runs.ts). If there are more than 75, every so many of them, by size.
 */
export function sitesToMeasure(input: ExperimentInput): Domain[] {
  const { graph, hosts } = input;
  const sites = hosts === undefined ? pageRuns(input) : hostSites(input);
  const fitting = sites
    .filter(({ pages }) => 3 * pages.length <= graph.pages)
    .sort((a, b) => b.pages.length - a.pages.length);
  const stride = Math.max(1, fitting.length / SITES_MAX);
  return Array.from({ length: Math.min(SITES_MAX, fitting.length) }, (_, i) => fitting[Math.floor(i * stride)]);
}

/** What the sites are, in words. */
export function siteWords({ hosts }: ExperimentInput): string {
  return hosts === undefined
    ? `runs of ids of ${RUN_PAGES.least} to ${RUN_PAGES.most} pages, cut where at most two links between ids less ` +
        "than 1000 apart cross (the URLs are unknown)"
    : `hosts of at least ${HOST_PAGES_MIN} pages`;
}

function hostSites({ graph, hosts }: ExperimentInput): Domain[] {
  const sizes = new Uint32Array(hosts!.names.length);
  for (let page = 0; page < graph.pages; page++) sizes[hosts!.hostOf[page]]++;
  return hosts!.names
    .filter((_, host) => sizes[host] >= HOST_PAGES_MIN)
    .map((name) => ({ name, pages: pagesOfHost(hosts!, name) }));
}

function pageRuns({ graph }: ExperimentInput): Domain[] {
  const starts = [...runStarts(graph), graph.pages];
  return starts
    .slice(0, -1)
    .map((first, i) => ({ first, length: starts[i + 1] - first }))
    .filter(({ length }) => length >= RUN_PAGES.least && length <= RUN_PAGES.most)
    .map(({ first, length }) => ({
      name: `pages ${first} to ${first + length - 1}`,
      pages: Uint32Array.from({ length }, (_, i) => first + i),
    }));
}

const TOPIC_PAGES = 10;
const TOPIC_LINKS = 2;

/** A substitute for topics: all pages within two links of ten random pages with links, at most a sixth of the web. */
export function topicsOf({ graph }: ExperimentInput, count: number): Domain[] {
  const { pages } = graph;
  const linking = Uint32Array.from({ length: pages }, (_, page) => page).filter((page) => outDegree(graph, page) > 0);
  if (linking.length === 0 || pages < 6) return [];
  return Array.from({ length: count }, (_, topic) => {
    const random = new Random(1 + topic);
    const from = Uint32Array.from({ length: TOPIC_PAGES }, () => linking[random.below(linking.length)]);
    const pagesMax = Math.floor(pages / 6);
    return { name: `topic ${topic + 1}`, pages: pagesWithin(graph, from, { links: TOPIC_LINKS, pagesMax }) };
  });
}
