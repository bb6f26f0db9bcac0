/** Settings of a crawl as they are by default, for whoever minds only a few of them. */
import { type CrawlSettings, defaultPoliteness, defaultWebSettings } from "../../src/crawl/index.ts";

export type SettingsChanges = Partial<Omit<CrawlSettings, "web">> & {
  readonly web?: Partial<CrawlSettings["web"]>;
};

/** The scope is the hosts of the seeds, which are trusted alike. */
export function plainSettings(seeds: readonly string[], changes: SettingsChanges = {}): CrawlSettings {
  return {
    seeds: seeds.map((url) => ({ url, weight: 1 / seeds.length })),
    order: "rankmass",
    damping: 0.85,
    politeness: defaultPoliteness,
    limits: {},
    productToken: "tidemark",
    ...changes,
    web: { ...defaultWebSettings({ kind: "host", seeds }, 0), ...changes.web },
  };
}
