/**
 * A crawl directory as a graph. Its pages are the URLs that the crawl knows, numbered as in its exports; its arcs are
 * the links of the fetched pages. Redirects are resolved, as they are where importance is computed: the trust of a seed
 * that redirects belongs to its target.
 */
import { certify, PageState, RankIntervals, subsetShare } from "../../coverage/index.ts";
import { type HostsOptions, hostsOf, type LinkTable } from "../../graph/index.ts";
import { LogFeed, type LogListener, UrlView } from "../../log/index.ts";
import {
  type CrawlGraph,
  crawlGraph,
  openCrawlReadOnly,
  type ReadOptions,
  reading,
  type RankOf,
  type SqliteStore,
  urlTexts,
} from "../../store/index.ts";
import type { Trust } from "./page-list.ts";
import type { UrlReader } from "./urls.ts";

export function loadCrawlGraph(dir: string, siteOf: HostsOptions["siteOf"], moment: ReadOptions = {}) {
  const read = (store: SqliteStore) => {
    const crawled = crawlGraph(store, { redirects: "resolved" });
    const { graph, linksToSinks } = crawled;
    const hosts = hostsOf(crawled.urls(), { siteOf, pages: graph.pages });
    return { graph, hosts, urls: urlsOfCrawl(dir, graph.pages), trust: trustOf(store, crawled), linksToSinks };
  };
  return reading(dir, read, moment);
}

export interface CrawlIntervals {
  /** The share of all importance that some of the downloaded pages, each named once, hold at least. */
  readonly shareOf: (pages: Uint32Array) => number;
  readonly intervals: RankIntervals;
  /** One `PageState` per URL. */
  readonly state: Uint8Array;
  readonly urls: UrlView;
  readonly links: LinkTable;
}

/** The bounds of importance of every page of a crawl; `listener` learns of the same reading. */
export async function intervalsOf(store: SqliteStore, listener: LogListener = {}): Promise<CrawlIntervals> {
  // Commands that read only the graph of a crawl do without this.
  const { ledgerOfLog } = await import("../../crawl/index.ts");
  const { ledger, urls } = ledgerOfLog(store, listener);
  const { state, links } = ledger;
  const certificate = certify(ledger);
  const { coverage, downloaded } = certificate;
  const shareOf = (pages: Uint32Array): number => (pages.length === downloaded ? coverage : subsetShare(ledger, pages));
  return { intervals: new RankIntervals(ledger, certificate), shareOf, state, urls, links };
}

/** The rank of each page of a crawl: its place among the downloaded ones, from 1, and the bounds of its importance. */
export function rankOf(intervals: RankIntervals): RankOf {
  const places = new Map<number, number>();
  for (const [k, page] of intervals.ranking().entries()) places.set(page, k + 1);
  return (id) => ({ place: places.get(id), ...intervals.of(id) });
}

const URLS_AT_ONCE = 4096;

/** The log only grows, so the first `pages` URLs stay the same while a crawl is running. */
function urlsOfCrawl(dir: string, pages: number): UrlReader {
  return {
    name: dir,
    *lines() {
      const store = openCrawlReadOnly(dir);
      try {
        let some: string[] = [];
        let left = pages;
        for (const [, url] of urlTexts(store)) {
          if (left-- === 0) break;
          some.push(url);
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

export interface VisitedPages {
  /** Ascending. */
  readonly downloaded: Uint32Array;
  /** 1 for pages that may still be fetched. */
  readonly isWaiting: Uint8Array;
  /** Of the bodies of downloaded pages. */
  readonly digests: ReadonlyMap<number, string>;
}

/** Of the first `pages` pages of a crawl: a running crawl may have more by now. */
export function visitedPages(dir: string, pages: number, moment: ReadOptions = {}): Promise<VisitedPages> {
  const read = (store: SqliteStore): VisitedPages => {
    const feed: LogFeed = new LogFeed((url) => urls.hostOf(url));
    const urls = new UrlView(feed.links);
    const digestOf = new Map<number, string>();
    feed.add(urls, {
      visited: ({ url, digest }) => {
        if (digest !== null) digestOf.set(url, Buffer.from(digest).toString("latin1"));
      },
    });
    feed.readAll(store);
    const isWaiting = new Uint8Array(pages);
    const downloaded: number[] = [];
    const digests = new Map<number, string>();
    for (let url = 0, page = 0; url < urls.urls && page < pages; url++) {
      // Sinks are no pages of the graph.
      if (urls.sinks.has(url)) continue;
      if (urls.state[url] === PageState.Open) isWaiting[page] = 1;
      if (urls.isDownloaded(url)) {
        downloaded.push(page);
        const digest = digestOf.get(url);
        if (digest !== undefined) digests.set(page, digest);
      }
      page++;
    }
    return { downloaded: Uint32Array.from(downloaded), isWaiting, digests };
  };
  return reading(dir, read, moment);
}
