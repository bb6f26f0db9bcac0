/**
 * Orphans: URLs that a sitemap lists and no downloaded page links to, nor a redirect leads to. A URL that was first
 * found as a link is no orphan, so those that a sitemap made known are all that can be one.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import { PageState } from "../coverage/index.ts";
import type { LogListener, UrlRecord } from "../log/index.ts";
import type { CrawledSite } from "./crawled-site.ts";

/** Collects the URLs of a log that a sitemap made known: 4 bytes each. */
export class SitemapUrls implements LogListener {
  #urls = new Uint32Array(64);
  #count = 0;

  url({ id, source }: UrlRecord): void {
    if (source !== "sitemap") return;
    if (this.#count === this.#urls.length) this.#urls = enlarged(this.#urls, capacityFor(this.#count + 1, this.#count));
    this.#urls[this.#count++] = id;
  }

  /** In the order of their discovery; `linkedFrom` says how many pages link to a URL. */
  orphans(site: CrawledSite, linkedFrom: (url: number) => number): Uint32Array {
    const { urls, state, targetOf } = site;
    const known = this.#urls.subarray(0, this.#count);
    if (known.length === 0) return known;
    const isTarget = new Uint8Array(urls);
    for (let url = 0; url < urls; url++) {
      const target = state[url] === PageState.Redirected ? targetOf(url) : undefined;
      if (target !== undefined) isTarget[target] = 1;
    }
    return known.filter((url) => isTarget[url] === 0 && linkedFrom(url) === 0);
  }
}
