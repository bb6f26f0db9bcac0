/**
 * The link graph of a crawl. Its pages are the known URLs in the order of their discovery; its arcs are the links of
 * downloaded pages, parallel ones once. Sinks (links that are never followed) are left out with the links to them,
 * counted in `linksToSinks`. So the out-degree of a page may be smaller than in the certificate: ask the crawl for
 * coverage, not this graph.
 *
 * A redirecting URL is a page with one arc to its target (`as-links`, as in public web graphs), or links to it become
 * links to where it leads in the end (`resolved`). The redirect that closes a loop is not followed.
 */
import { type Graph, GraphBuilder } from "../graph/index.ts";
import { type CrawlLog, LogFeed, UrlView } from "../log/index.ts";

export interface CrawlGraphOptions {
  readonly redirects?: "as-links" | "resolved";
}

/** The link graph of a crawl. */
export interface CrawlGraph {
  readonly graph: Graph;
  /** The id in the crawl of each page of the graph. */
  readonly ids: Uint32Array;
  /** Pages of the graph that were downloaded, ascending. */
  readonly downloaded: Uint32Array;
  /** Links left out because they lead to a sink. */
  readonly linksToSinks: number;
  /** The page at which the redirects of a page end; the page itself where it has none. */
  endOf(page: number): number;
  /** The URL of each page of the graph, in order. */
  urls(): Iterable<string>;
}

const NO_PAGE = 0xffffffff;

/** Makes the link graph of a crawl from its log. */
export function crawlGraph(log: CrawlLog, { redirects = "as-links" }: CrawlGraphOptions = {}): CrawlGraph {
  const feed: LogFeed = new LogFeed((url) => urls.hostOf(url));
  const urls = new UrlView(feed.links);
  const redirected: (readonly [from: number, to: number])[] = [];
  feed.add(urls, { redirected: (from, to) => void redirected.push([from, to]) });
  feed.readAll(log);
  const { pageOf, ids } = numberPages(urls);
  const isResolved = redirects === "resolved";
  const builder = new GraphBuilder();
  if (!isResolved) for (const [from, to] of redirected) builder.add(pageOf[from], pageOf[to]);
  let linksToSinks = 0;
  const downloaded = ids.filter((url) => urls.isDownloaded(url));
  for (const url of downloaded) {
    const { targets, start, end } = feed.links.row(url);
    for (let k = start; k < end; k++) {
      const to = pageOf[isResolved ? urls.endOf(targets[k]) : targets[k]];
      if (to === NO_PAGE) linksToSinks++;
      else builder.add(pageOf[url], to);
    }
  }
  return {
    graph: builder.finish({ pages: ids.length }),
    ids,
    downloaded: downloaded.map((url) => pageOf[url]),
    linksToSinks,
    endOf: (page) => pageOf[urls.endOf(ids[page])],
    *urls() {
      for (const [, url] of urlTexts(log)) yield url;
    },
  };
}

/** Pages are numbered without the sinks. */
function numberPages({ urls, sinks }: UrlView): { pageOf: Uint32Array; ids: Uint32Array } {
  const pageOf = new Uint32Array(urls).fill(NO_PAGE);
  const ids = new Uint32Array(urls - sinks.size);
  let pages = 0;
  for (let url = 0; url < urls; url++) {
    if (sinks.has(url)) continue;
    ids[pages] = url;
    pageOf[url] = pages++;
  }
  return { pageOf, ids };
}

/** Every URL of a log that is no sink, with its id. */
export function* urlTexts(log: CrawlLog): Generator<readonly [id: number, url: string]> {
  const origins = [...log.origins()];
  for (const { id, origin, path } of log.urls()) if (path !== null) yield [id, origins[origin] + path];
}
