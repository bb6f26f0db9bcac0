/** A crawl directory written page by page, for reports about crawls of every kind. */
import type { CrawlSettings, Limits } from "../../src/crawl/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { isDownloaded as isDownloadedState } from "../../src/coverage/index.ts";
import { BLANK_VISIT, type Outcome, type Reread, decodeReason } from "../../src/log/index.ts";
import { plainSettings } from "../support/plain-settings.ts";

const SEED = "http://site.test/";

export interface ToldPage {
  readonly path: string;
  readonly title?: string;
  /** Left out: it waits. */
  readonly outcome?: Outcome;
  readonly status?: number;
  readonly reason?: string;
  /** Numbers of pages; of those downloaded. */
  readonly links?: readonly number[];
  /** Stands for the content. */
  readonly digest?: number;
  /** Of a redirect: the number of a page. */
  readonly target?: number;
}

export function reportSettings(limits: Limits = {}): CrawlSettings {
  return plainSettings([SEED], { web: { universe: "scope" }, limits });
}

/** The first page is the seed; all others were discovered on it. */
export function makeCrawl(
  dir: string,
  pages: readonly ToldPage[],
  {
    limits = {},
    rereads = [],
    settings = reportSettings(limits),
  }: {
    limits?: Limits;
    rereads?: readonly (Pick<Reread, "url" | "outcome"> & Partial<Reread>)[];
    settings?: CrawlSettings;
  } = {},
): void {
  const store = createCrawl(dir, JSON.stringify(settings));
  if (pages.length > 0) store.addOrigin(0, "http://site.test");
  let visits = 0;
  for (const [id, { path }] of pages.entries()) {
    const source = id === 0 ? ("seed" as const) : ("link" as const);
    store.addUrl({
      id,
      origin: 0,
      path,
      depth: Math.min(1, id),
      source,
      discoveredAt: Math.min(1, id),
      reason: null,
    });
  }
  if (pages.length > 0) store.replaceTrust([{ url: 0, weight: 1 }]);
  for (const [url, page] of pages.entries()) {
    const { outcome, title = null, status = null, reason = null, links, digest, target = null } = page;
    if (outcome === undefined) continue;
    const isDownloaded = isDownloadedState(outcome);
    store.addVisit({
      ...BLANK_VISIT,
      number: ++visits,
      url,
      atMs: Date.UTC(2023, 10, 14, 22, 13, visits),
      outcome,
      ...decodeReason(outcome, reason),
      status,
      wireBytes: 1000,
      milliseconds: 20,
      title,
      digest: digest === undefined ? null : new Uint8Array(8).fill(digest),
      target,
      links: isDownloaded ? Uint32Array.from(links ?? []) : null,
    });
  }
  for (const [k, reread] of rereads.entries()) {
    store.addReread({
      number: k + 1,
      atMs: Date.UTC(2023, 10, 20, 8, 0, k),
      reason: null,
      target: null,
      status: 200,
      digest: null,
      etag: null,
      lastModified: null,
      milliseconds: 5,
      wireBytes: 10,
      visit: null,
      ...reread,
    });
  }
  store.close();
}
