/** What sampling showed along the crawl of a log. */
import { MassLedger } from "../../src/coverage/index.ts";
import { looksOfLog, parseSettings, SampledTide, universeOf } from "../../src/crawl/index.ts";
import { type CrawlLog, LogFeed, UrlView } from "../../src/log/index.ts";

export function sampledTide(log: CrawlLog): Pick<SampledTide, "claim" | "steps"> {
  const settings = parseSettings(log.settings());
  const feed: LogFeed = new LogFeed((url) => urls.hostOf(url));
  const urls = new UrlView(feed.links);
  const { damping } = settings;
  const ledger = new MassLedger({ links: feed.links, pages: 1024, damping, universe: universeOf(settings) });
  feed.add(urls, ledger);
  const looks = looksOfLog(log, feed, ledger);
  const tide = looks === undefined ? undefined : new SampledTide(looks);
  if (tide !== undefined) feed.add(tide);
  feed.readAll(log);
  return tide ?? { claim: undefined, steps: [] };
}
