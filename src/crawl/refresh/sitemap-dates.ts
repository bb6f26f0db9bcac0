/** Reads the sitemaps of a finished crawl again: what they date later than our last visit has probably changed. */
import { systemTimers } from "../../base/index.ts";
import { Fingerprinter } from "../fingerprint.ts";
import { listSitemaps, type SitemapListOptions, sitemapWriter } from "../sitemap-list.ts";
import type { CrawlStore } from "../../store/index.ts";

export interface SitemapDatesOptions extends Omit<SitemapListOptions, "sitemaps" | "onSitemap"> {
  readonly store: CrawlStore;
}

/** Dates of URLs that the crawl knows are stored. New URLs are left to a crawl, and what cannot be read is left out. */
export async function readSitemapDates(options: SitemapDatesOptions): Promise<void> {
  const { store, settings, timers = systemTimers } = options;
  const addresses = new Set<string>();
  for (const { sitemap } of store.listedUrls()) addresses.add(sitemap);
  if (addresses.size === 0) return;
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const onSitemap = sitemapWriter({ settings, store, fingerprinter, timers });
  await listSitemaps({ ...options, sitemaps: [...addresses], onSitemap });
}
