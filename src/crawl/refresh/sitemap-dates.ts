/** Reads the sitemaps of a finished crawl again: what they date later than our last visit has probably changed. */
import { systemTimers } from "../../base/index.ts";
import { Fingerprinter } from "../fingerprint.ts";
import { hostOfUrl } from "../../web/index.ts";
import { HostPauses } from "../politeness/host-pauses.ts";
import { PastRequests } from "../politeness/past-requests.ts";
import { RobotsCache } from "../politeness/robots-cache.ts";
import { listSitemaps, type SitemapListOptions, sitemapWriter } from "../sitemap-list.ts";
import type { CrawlStore } from "../../store/index.ts";

export interface SitemapDatesOptions extends Omit<SitemapListOptions, "sitemaps" | "onSitemap" | "pauses"> {
  readonly store: CrawlStore;
}

/**
 * Dates of URLs that the crawl knows are stored. New URLs are left to a crawl, and what cannot be read is left out, as
 * are sitemaps of hosts that are to be left alone now.
 */
export async function readSitemapDates(options: SitemapDatesOptions): Promise<void> {
  const { store, settings, timers = systemTimers, past = new PastRequests() } = options;
  const addresses = new Set<string>();
  for (const { sitemap } of store.listedUrls()) addresses.add(sitemap);
  const pauses = new HostPauses(store);
  const paused = new Set(Array.from(pauses.left(timers.wallMs()), ([host]) => host));
  const sitemaps = [...addresses].filter((address) => !paused.has(hostOfUrl(address)));
  if (sitemaps.length === 0) return;
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const onSitemap = sitemapWriter({ settings, store, fingerprinter, timers });
  rememberCrawlDelays(options, past);
  await listSitemaps({ ...options, sitemaps, pauses, past, onSitemap });
  store.commit();
}

/** Those that the crawl was asked for hold until robots.txt is read again. */
function rememberCrawlDelays({ store, settings }: SitemapDatesOptions, past: PastRequests): void {
  const texts = [...store.origins()];
  const originText = (origin: number): string => texts[origin];
  const { crawlDelayMsMax } = settings.politeness;
  new RobotsCache({ store, productToken: settings.productToken, originText }).restore((origin, { crawlDelayMs }) =>
    past.mayAskFor(originText(origin), Math.min(crawlDelayMs ?? 0, crawlDelayMsMax)),
  );
}
