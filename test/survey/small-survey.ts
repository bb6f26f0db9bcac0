/** The small crawl of test/support/small-crawl.ts in a directory, with settings. */
import { join } from "node:path";
import { type CrawlSettings, defaultPoliteness, defaultWebSettings } from "../../src/crawl/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

export const SEED = "https://a.example/";

export function settings(change: Partial<CrawlSettings> = {}): CrawlSettings {
  return {
    web: { ...defaultWebSettings({ kind: "host", seeds: [SEED] }, 0), universe: "scope" },
    seeds: [{ url: SEED, weight: 1 }],
    order: "rankmass",
    damping: 0.5,
    politeness: defaultPoliteness,
    limits: {},
    productToken: "tidemark",
    ...change,
  };
}

export function smallCrawl(change: Partial<CrawlSettings> = {}): string {
  const dir = join(temporaryDirectory(), "crawl");
  const store = createCrawl(dir, JSON.stringify(settings(change)));
  tellSmallCrawl(store);
  store.replaceTrust([{ url: 0, weight: 1 }]);
  store.close();
  return dir;
}
