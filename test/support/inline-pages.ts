/** Options of `crawl()` for a site in memory: no threads, no delay, no sitemap. */
import type { PagesOptions } from "../../src/crawl/index.ts";
import type { InlineWeb } from "./inline-web.ts";

export function inlineOptions(fetcher: InlineWeb, others: PagesOptions = {}): PagesOptions {
  return { fetcher, readers: 0, delay: 0, sitemaps: false, ...others };
}
