/** The seeds of a crawl in its log: its first records, or further ones when a crawl is resumed with other seeds. */
import { LogFeed } from "../log/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { FactWriter } from "./fact-writer.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import { Hosts } from "./politeness/hosts.ts";
import type { CrawlSettings } from "./settings/settings.ts";
import { UrlIndex } from "./url-index.ts";

export interface PlantOptions {
  readonly store: CrawlStore;
  readonly settings: CrawlSettings;
  readonly fingerprinter: Fingerprinter;
}

/**
 * Makes the store agree with the settings about seeds. Nothing derived is touched: whoever resumes computes it from the
 * new trust. Returns whether anything was written.
 */
export function plantSeeds({ store, settings, fingerprinter }: PlantOptions): boolean {
  if (storedSeeds(store) === JSON.stringify(settings.seeds)) return false;
  const feed = new LogFeed();
  const index = new UrlIndex({
    hosts: new Hosts(settings.politeness),
    fingerprinter,
    links: feed.links,
    pathOf: (url) => store.pathOf(url),
  });
  feed.add(index);
  feed.readAll(store);
  const facts = new FactWriter({ store, feed, index });
  const weights = new Map<number, number>();
  for (const { url, weight } of settings.seeds) {
    const id = facts.discover(url, { source: "seed", depth: 0, onVisit: false });
    weights.set(id, (weights.get(id) ?? 0) + weight);
  }
  store.replaceTrust([...weights].sort(([a], [b]) => a - b).map(([url, weight]) => ({ url, weight })));
  store.replaceSettings(JSON.stringify(settings));
  store.commit();
  return true;
}

function storedSeeds(store: CrawlStore): string | undefined {
  const [first] = store.trust();
  if (first === undefined) return undefined;
  const { seeds } = JSON.parse(store.settings()) as Partial<CrawlSettings>;
  return JSON.stringify(seeds);
}
