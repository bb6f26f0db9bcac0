/**
 * The link graph of a crawl. Its pages are the URLs that the crawl knows, in the order in which they were heard of; its arcs the links of
 * downloaded pages, as written, parallel ones once. Sinks (all that is linked on an origin and never fetched) are no pages
 * and are left out, with the links to them: `linksToSinks` says how many there were. So a page's out-degree here may be smaller than the one
 * that the crawl's own certificate counts with; coverage is to be asked of the crawl, not of this graph.
 *
 * A redirecting URL is a page with one arc, to its target (`as-links`, as public web graphs have it), or it is stepped over:
 * links to it become links to where it leads in the end (`resolved`), and it has no arc itself. A loop of redirects leads nowhere and
 * stays as it is.
 */
import { type Graph, GraphBuilder } from "../graph/index.ts";
import type { CrawlStore } from "./contract.ts";

export interface CrawlGraphOptions {
  readonly redirects?: "as-links" | "resolved";
}

export interface CrawlGraph {
  readonly graph: Graph;
  /** The id in the crawl of each page of the graph. */
  readonly ids: Uint32Array;
  /** Pages of the graph that were downloaded, wholly or partly, ascending. */
  readonly downloaded: Uint32Array;
  /** Links left out because they lead to a sink. */
  readonly linksToSinks: number;
  /** The URL of each page of the graph, in order. */
  urls(): Iterable<string>;
}

type Facts = Pick<CrawlStore, "origins" | "urls" | "visits">;

const NO_PAGE = 0xffffffff;

export function crawlGraph(store: Facts, { redirects = "as-links" }: CrawlGraphOptions = {}): CrawlGraph {
  const { pageOf, ids } = numberPages(store);
  const resolved = redirects === "resolved";
  const target = resolved ? redirectTargets(store, pageOf.length) : undefined;
  const end = (url: number) => (target === undefined ? url : endOf(target, url));
  const builder = new GraphBuilder();
  const downloaded: number[] = [];
  let linksToSinks = 0;
  for (const visit of store.visits()) {
    const page = pageOf[visit.url];
    if (visit.target !== null && !resolved && pageOf[visit.target] !== NO_PAGE) {
      builder.add(page, pageOf[visit.target]);
    }
    if (visit.links === null) continue;
    downloaded.push(page);
    for (const link of visit.links) {
      const to = pageOf[end(link)];
      if (to === NO_PAGE) linksToSinks++;
      else builder.add(page, to);
    }
  }
  return {
    graph: builder.finish({ pages: ids.length }),
    ids,
    downloaded: Uint32Array.from(downloaded).sort(),
    linksToSinks,
    urls: () => urlsOf(store),
  };
}

/** Pages count on without the sinks. */
function numberPages(store: Facts): { pageOf: Uint32Array; ids: Uint32Array } {
  let urls = 0;
  const sinks: number[] = [];
  for (const { id, path } of store.urls()) {
    urls++;
    if (path === null) sinks.push(id);
  }
  const pageOf = new Uint32Array(urls);
  for (const sink of sinks) pageOf[sink] = NO_PAGE;
  const ids = new Uint32Array(urls - sinks.length);
  let pages = 0;
  for (let url = 0; url < urls; url++) {
    if (pageOf[url] === NO_PAGE) continue;
    ids[pages] = url;
    pageOf[url] = pages++;
  }
  return { pageOf, ids };
}

/** Where each URL redirects to; itself where it does not. */
function redirectTargets(store: Facts, urls: number): Uint32Array {
  const target = Uint32Array.from({ length: urls }, (_, url) => url);
  for (const visit of store.visits()) if (visit.target !== null) target[visit.url] = visit.target;
  return target;
}

/** The end of a chain of redirects; the URL itself where it ends in a loop (found by Brent's steps: a marker that moves ever further). */
function endOf(target: Uint32Array, url: number): number {
  let at = url;
  let marker = url;
  for (let steps = 1, power = 1; target[at] !== at; steps++) {
    at = target[at];
    if (at === marker && target[at] !== at) return url;
    if (steps < power) continue;
    marker = at;
    power *= 2;
    steps = 0;
  }
  return at;
}

function* urlsOf(store: Facts): Generator<string> {
  const origins = [...store.origins()];
  for (const { origin, path } of store.urls()) if (path !== null) yield origins[origin] + path;
}
