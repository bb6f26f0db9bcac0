/** Reads the sitemaps of a finished crawl again: what they date later than our last visit has probably changed. */
import { systemTimers } from "../../base/index.ts";
import { Fingerprinter } from "../fingerprint.ts";
import { HostSchedule } from "../politeness/host-schedule.ts";
import { listSitemaps, type ReadSitemap, type SitemapListOptions } from "../sitemap-list.ts";
import type { CrawlStore } from "../../store/index.ts";
import { readIndex } from "../url-index.ts";

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
  const { index } = readIndex(store, new HostSchedule(settings.politeness), fingerprinter);
  const onSitemap = ({ address, modified }: ReadSitemap): void => {
    const all = Array.from(modified, ([text, modifiedMs]) => ({ url: index.find(text), modifiedMs }));
    store.putSitemap({ address, atMs: timers.wallMs(), entries: all.filter(({ url }) => url >= 0) });
    store.commit();
  };
  await listSitemaps({ ...options, sitemaps: [...addresses], onSitemap });
}
