/** The small crawl of test/support/small-crawl.ts in a directory, with settings. */
import { join } from "node:path";
import type { CrawlSettings } from "../../src/crawl/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { plainSettings } from "../support/plain-settings.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

export const SEED = "https://a.example/";

export function settings(change: Partial<CrawlSettings> = {}): CrawlSettings {
  return { ...plainSettings([SEED], { web: { universe: "scope" }, damping: 0.5 }), ...change };
}

export function smallCrawl(change: Partial<CrawlSettings> = {}): string {
  const dir = join(temporaryDirectory(), "crawl");
  const store = createCrawl(dir, JSON.stringify(settings(change)));
  tellSmallCrawl(store);
  store.replaceTrust([{ url: 0, weight: 1 }]);
  store.close();
  return dir;
}
