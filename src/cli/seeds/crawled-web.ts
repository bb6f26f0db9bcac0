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
import { PageState } from "../../coverage/index.ts";
import { LogFeed, UrlView } from "../../log/index.ts";
import { subgraph } from "../../seeds/index.ts";
import type { SqliteStore } from "../../store/index.ts";
import type { GraphOptions } from "../options/command.ts";
import { loadCrawlGraph, reading } from "../input/crawl-graph.ts";
import { isCrawlDirectory, loadGraph } from "../input/graph-file.ts";
import { readPages } from "../input/page-list.ts";
import type { UrlSource } from "../input/urls.ts";

export interface CrawledWeb {
  /** Of the crawled pages alone, without self links. */
  readonly graph: Graph;
  /** The id of each of its pages in the whole graph. */
  readonly ids: Uint32Array;
  /** Pages of the whole graph. */
  readonly allPages: number;
  readonly hosts: Hosts | undefined;
  readonly urls: UrlSource | undefined;
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
  if (await isCrawlDirectory(path)) {
    if (options.crawled !== undefined || options.unique !== undefined) {
      throw new UsageError(`${path} is a crawl and knows what it crawled: leave out --crawled and --unique`);
    }
    if (options.urls !== undefined) {
      throw new UsageError(`${path} is a crawl and knows its URLs: leave out --urls`);
    }
    return ofCrawl(path, options);
  }
  const { graph: whole, hosts, urls } = await loadGraph(path, options, progress);
  const graph = withoutSelfLinks(whole);
  if (options.crawled === undefined) {
    if (options.unique !== undefined) {
      throw new UsageError("--unique is about pages that were not crawled: give the crawled pages with --crawled FILE");
    }
    const ids = Uint32Array.from({ length: graph.pages }, (_, page) => page);
    const facts = { uncrawledLinks: undefined, uniqueness: undefined };
    return { graph, ids, allPages: graph.pages, hosts, urls, ...facts };
  }
  const ids = await readPages(options.crawled, { pages: graph.pages, urls, progress });
  const isOpen = new Uint8Array(graph.pages).fill(1);
  for (const page of ids) isOpen[page] = 0;
  return {
    graph: subgraph(graph, ids),
    ids,
    allPages: graph.pages,
    hosts: hosts === undefined ? undefined : { ...hosts, hostOf: ids.map((page) => hosts.hostOf[page]) },
    urls,
    uncrawledLinks: linksTo(graph, ids, isOpen),
    uniqueness: new Float64Array(ids.length).fill(options.unique ?? 1),
  };
}

async function ofCrawl(dir: string, { by }: GraphOptions): Promise<CrawledWeb> {
  const { graph: whole, hosts: all, urls } = await loadCrawlGraph(dir, by);
  const graph = withoutSelfLinks(whole);
  const { downloaded, isOpen, digests } = await reading(dir, (store) => visited(store, graph.pages));
  if (downloaded.length === 0) throw new UsageError(`${dir}: no page has been downloaded yet; expected at least one`);
  const ids = Uint32Array.from(downloaded).sort();
  const hosts = { ...all, hostOf: ids.map((page) => all.hostOf[page]) };
  return {
    graph: subgraph(graph, ids),
    ids,
    allPages: graph.pages,
    hosts,
    urls,
    uncrawledLinks: linksTo(graph, ids, isOpen),
    uniqueness: uniquenessOf(ids, hosts, digests),
  };
}

interface Visited {
  readonly downloaded: readonly number[];
  /** 1 for pages without a final outcome. */
  readonly isOpen: Uint8Array;
  readonly digests: ReadonlyMap<number, string>;
}

/** Of the first `pages` pages: a running crawl may have more by now. Pages are numbered without the sinks. */
function visited(store: SqliteStore, pages: number): Visited {
  const feed = new LogFeed();
  const urls = new UrlView();
  const digestOf = new Map<number, string>();
  feed.add(urls, {
    visited: ({ url, digest }) => {
      if (digest !== null) digestOf.set(url, Buffer.from(digest).toString("latin1"));
    },
  });
  feed.readAll(store);
  const isOpen = new Uint8Array(pages);
  const downloaded: number[] = [];
  const digests = new Map<number, string>();
  for (let url = 0, page = 0; url < urls.urls && page < pages; url++) {
    if (urls.sinks.has(url)) continue;
    if (urls.state[url] === PageState.Open) isOpen[page] = 1;
    if (urls.isDownloaded(url)) downloaded.push(page);
    const digest = digestOf.get(url);
    if (digest !== undefined && urls.isDownloaded(url)) digests.set(page, digest);
    page++;
  }
  return { downloaded, isOpen, digests };
}

function linksTo({ offsets, targets }: Graph, pages: Uint32Array, isWanted: Uint8Array): Uint32Array {
  return pages.map((page) => {
    let count = 0;
    for (let arc = offsets[page]; arc < offsets[page + 1]; arc++) count += isWanted[targets[arc]];
    return count;
  });
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
