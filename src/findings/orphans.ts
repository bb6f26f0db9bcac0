/**
 * Orphans: URLs that a sitemap lists and no downloaded page links to, nor a redirect leads to. What a link marked
 * nofollow names is not stored, so it counts as no link.
 */
import { IdSet } from "../base/index.ts";
import { PageState } from "../coverage/index.ts";
import type { CrawlLog, LogListener, UrlRecord } from "../log/index.ts";
import type { CrawledSite } from "./crawled-site.ts";

/** Collects the URLs of a crawl that sitemaps list: a bit per URL. */
export class SitemapUrls implements LogListener {
  readonly #listed = new IdSet();

  /** A crawl of an older version knows no more than what made a URL known. */
  url({ id, source }: UrlRecord): void {
    if (source === "sitemap") this.#listed.add(id);
  }

  /** Also those that were known before: the seeds of a list. */
  read(log: Pick<CrawlLog, "listedUrls">): void {
    for (const { url } of log.listedUrls()) this.#listed.add(url);
  }

  /** In the order of their discovery; `linkedFrom` says how many pages link to a URL. */
  orphans(site: CrawledSite, linkedFrom: (url: number) => number): Uint32Array {
    const { urls, state, targetOf } = site;
    const isTarget = new Uint8Array(urls);
    for (let url = 0; url < urls; url++) {
      const target = state[url] === PageState.Redirected ? targetOf(url) : undefined;
      if (target !== undefined) isTarget[target] = 1;
    }
    const isOrphan = (url: number): boolean => this.#listed.has(url) && isTarget[url] === 0 && linkedFrom(url) === 0;
    let count = 0;
    const orphans = new Uint32Array(urls);
    for (let url = 0; url < urls; url++) if (isOrphan(url)) orphans[count++] = url;
    return orphans.slice(0, count);
  }
}
