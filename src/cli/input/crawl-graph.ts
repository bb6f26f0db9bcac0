/**
 * A crawl directory as a graph: its pages are the URLs that the crawl knows, numbered as its exports number them; its arcs are the links of
 * the pages that were fetched. Redirects are stepped over, as they are where importance is computed: the trust of a seed that redirects belongs
 * to where it leads.
 */
import { type Graph, type Hosts, hostsOf } from "../../graph/index.ts";
import { type CrawlGraph, crawlGraph, openCrawlReadOnly, type SqliteStore } from "../../store/index.ts";
import type { Trust } from "./page-list.ts";
import type { UrlReader } from "./urls.ts";

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

/** Opens a crawl to read what it has by now. */
export async function reading<T>(dir: string, read: (store: SqliteStore) => T | Promise<T>): Promise<T> {
  const store = openCrawlReadOnly(dir);
  try {
    return await read(store);
  } finally {
    store.close();
  }
}

const URLS_AT_ONCE = 4096;

/** The log only grows, so the first `pages` URLs stay what they are while a crawl goes on. */
function urlsOfCrawl(dir: string, pages: number): UrlReader {
  return {
    name: dir,
    async *lines() {
      const store = openCrawlReadOnly(dir);
      try {
        let some: string[] = [];
        let left = pages;
        const origins = [...store.origins()];
        for (const { origin, path } of store.urls()) {
          if (path === null || left === 0) continue;
          left--;
          some.push(origins[origin] + path);
          if (some.length < URLS_AT_ONCE) continue;
          yield some;
          some = [];
        }
        yield some;
      } finally {
        store.close();
      }
    },
  };
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
