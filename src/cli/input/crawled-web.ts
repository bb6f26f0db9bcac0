/**
 * What seeds are chosen from: the crawled pages, with what the paper's rule of values needs. Of a graph these are all
 * pages, or those of `--crawled`; of a crawl directory, the downloaded pages with redirects resolved.
 *
 * The records of a crawl give the links to pages that it has not visited, and the probability that a new page of a site
 * is unique: the share of the site's pages whose content had not been seen on that site before, by the digests of their
 * bodies (1 where there are none).
 */
import { type Progress, UsageError } from "../../base/index.ts";
import { type Graph, type Hosts, withoutSelfLinks } from "../../graph/index.ts";
import { subgraph } from "../../seeds/index.ts";
import type { GraphOptions } from "../options/command.ts";
import { visitedPages } from "./crawl-graph.ts";
import { isCrawlDirectory, loadGraph } from "./graph-file.ts";
import { readPages } from "./page-list.ts";
import type { UrlReader } from "./urls.ts";

export interface CrawledWeb {
  /** Of the crawled pages alone, without self links. */
  readonly graph: Graph;
  /** The id of each of its pages in the whole graph. */
  readonly ids: Uint32Array;
  /** Pages of the whole graph. */
  readonly allPages: number;
  readonly hosts: Hosts | undefined;
  readonly urls: UrlReader | undefined;
  readonly uncrawledLinks: Uint32Array | undefined;
  readonly uniqueness: Float64Array | undefined;
}

export interface CrawledWebOptions extends GraphOptions {
  readonly crawled?: string;
  readonly unique?: number;
}

export async function loadCrawledWeb(
  path: string,
  options: CrawledWebOptions,
  progress: Progress,
): Promise<CrawledWeb> {
  const { crawled, unique } = options;
  const isCrawl = await isCrawlDirectory(path);
  if (isCrawl && (crawled !== undefined || unique !== undefined)) {
    throw new UsageError(`${path} is a crawl and knows what it crawled: leave out --crawled and --unique`);
  }
  const { graph: whole, hosts, urls } = await loadGraph(path, options, progress);
  const graph = withoutSelfLinks(whole);
  if (isCrawl) {
    const { downloaded, isWaiting, digests } = await visitedPages(path, graph.pages, { atMs: options.at });
    if (downloaded.length === 0)
      throw new UsageError(`${path}: no page has been downloaded yet; expected at least one`);
    const web = partOf(graph, downloaded, { hosts, urls, isWaiting });
    return { ...web, uniqueness: web.hosts && uniquenessOf(downloaded, web.hosts, digests) };
  }
  if (crawled !== undefined) {
    const ids = await readPages(crawled, { pages: graph.pages, urls, progress });
    const isWaiting = new Uint8Array(graph.pages).fill(1);
    for (const page of ids) isWaiting[page] = 0;
    const uniqueness = new Float64Array(ids.length).fill(unique ?? 1);
    return { ...partOf(graph, ids, { hosts, urls, isWaiting }), uniqueness };
  }
  if (unique !== undefined) {
    throw new UsageError("--unique is about pages that were not crawled: give the crawled pages with --crawled FILE");
  }
  const ids = Uint32Array.from({ length: graph.pages }, (_, page) => page);
  return { graph, ids, allPages: graph.pages, hosts, urls, uncrawledLinks: undefined, uniqueness: undefined };
}

/** The part of a graph that was crawled. */
function partOf(
  graph: Graph,
  ids: Uint32Array,
  { hosts, urls, isWaiting }: Pick<CrawledWeb, "hosts" | "urls"> & { readonly isWaiting: Uint8Array },
): Omit<CrawledWeb, "uniqueness"> {
  const { offsets, targets, pages: allPages } = graph;
  const uncrawledLinks = ids.map((page) => {
    let count = 0;
    for (let arc = offsets[page]; arc < offsets[page + 1]; arc++) count += isWaiting[targets[arc]];
    return count;
  });
  const hostsOfPart = hosts && { ...hosts, hostOf: ids.map((page) => hosts.hostOf[page]) };
  return { graph: subgraph(graph, ids), ids, allPages, hosts: hostsOfPart, urls, uncrawledLinks };
}

function uniquenessOf(ids: Uint32Array, { names, hostOf }: Hosts, digests: ReadonlyMap<number, string>): Float64Array {
  const met = names.map(() => new Set<string>());
  const judged = new Uint32Array(names.length);
  for (const [i, page] of ids.entries()) {
    const digest = digests.get(page);
    if (digest === undefined) continue;
    judged[hostOf[i]]++;
    met[hostOf[i]].add(digest);
  }
  return Float64Array.from(hostOf, (host) => (judged[host] === 0 ? 1 : met[host].size / judged[host]));
}
