/** Reads the sitemaps of a finished crawl again: what they date later than our last visit has probably changed. */
import { systemTimers } from "../../base/index.ts";
import { Fingerprinter } from "../fingerprint.ts";
import { HostSchedule } from "../politeness/host-schedule.ts";
import { listSitemaps, type SitemapListOptions } from "../sitemap-list.ts";
import type { CrawlStore } from "../../store/index.ts";
import { readIndex } from "../url-index.ts";

export interface SitemapDatesOptions extends Omit<SitemapListOptions, "sitemaps"> {
  readonly store: CrawlStore;
}

/** Dates of URLs that the crawl knows are stored. New URLs are left to a crawl, and what cannot be read is left out. */
export async function readSitemapDates(options: SitemapDatesOptions): Promise<void> {
  const { store, settings, timers = systemTimers } = options;
  const addresses = new Set<string>();
  for (const { sitemap } of store.listedUrls()) addresses.add(sitemap);
  if (addresses.size === 0) return;
  const { sitemaps } = await listSitemaps({ ...options, sitemaps: [...addresses] });
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const { index } = readIndex(store, new HostSchedule(settings.politeness), fingerprinter);
  const atMs = timers.wallMs();
  for (const { address, modified } of sitemaps) {
    const all = Array.from(modified, ([text, modifiedMs]) => ({ url: index.find(text), modifiedMs }));
    store.putSitemap({ address, atMs, entries: all.filter(({ url }) => url >= 0) });
  }
  store.commit();
}
