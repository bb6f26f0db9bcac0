/**
 * A crawl directory as a graph. Its pages are the URLs that the crawl knows, numbered as in its exports; its arcs are
 * the links of the fetched pages. Redirects are resolved, as they are where importance is computed: the trust of a seed
 * that redirects belongs to its target.
 */
import { type Graph, type Hosts, hostsOf } from "../../graph/index.ts";
import { type CrawlGraph, crawlGraph, openCrawlReadOnly, type SqliteStore } from "../../store/index.ts";
import type { Trust } from "./page-list.ts";
import { inChunks, type UrlReader } from "./urls.ts";

export interface GraphOfCrawl {
  readonly graph: Graph;
  readonly hosts: Hosts;
  readonly urls: UrlReader;
  readonly trust: Trust;
  /** Links left out of the graph. */
  readonly linksToSinks: number;
}

export function loadCrawlGraph(dir: string, by: "host" | "domain"): Promise<GraphOfCrawl> {
  return reading(dir, (store) => {
    const crawled = crawlGraph(store, { redirects: "resolved" });
    const { graph } = crawled;
    return {
      graph,
      hosts: hostsOf(crawled.urls(), { by, pages: graph.pages }),
      urls: urlsOfCrawl(dir, graph.pages),
      trust: trustOf(store, crawled),
      linksToSinks: crawled.linksToSinks,
    };
  });
}

/** Opens a crawl for reading, as it is now, and closes it afterwards. */
export async function reading<T>(dir: string, read: (store: SqliteStore) => T | Promise<T>): Promise<T> {
  const store = openCrawlReadOnly(dir);
  try {
    return await read(store);
  } finally {
    store.close();
  }
}

/** The log only grows, so the first `pages` URLs stay the same while a crawl is running. */
function urlsOfCrawl(dir: string, pages: number): UrlReader {
  return {
    name: dir,
    *lines() {
      const store = openCrawlReadOnly(dir);
      try {
        yield* inChunks(firstUrls(store, pages));
      } finally {
        store.close();
      }
    },
  };
}

function* firstUrls(store: SqliteStore, pages: number): Generator<string> {
  const origins = [...store.origins()];
  let left = pages;
  for (const { origin, path } of store.urls()) {
    if (path === null || left === 0) continue;
    left--;
    yield origins[origin] + path;
  }
}

function trustOf(store: SqliteStore, { ids, endOf }: CrawlGraph): Trust {
  const pageOf = new Map(Array.from(ids, (id, page) => [id, page]));
  const weights = new Float64Array(ids.length);
  const trusted = new Set<number>();
  let total = 0;
  for (const { url, weight } of store.trust()) {
    const page = pageOf.get(url);
    if (page === undefined) continue;
    const end = endOf(page);
    trusted.add(end);
    weights[end] += weight;
    total += weight;
  }
  return { pages: Uint32Array.from(trusted).sort(), weights, total };
}
