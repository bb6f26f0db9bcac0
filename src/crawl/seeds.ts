/** The seeds of a crawl, written down: the first facts of its log, or further ones when a crawl is resumed with other seeds. */
import type { CrawlStore } from "../store/index.ts";
import { CrawlRecord, type RecordOptions, reasonOf } from "./record.ts";
import type { CrawlSettings } from "./settings/settings.ts";

/**
 * Makes the store agree with the settings about seeds. Nothing derived is touched: whoever resumes computes it anew from the new trust.
 * Answers whether anything was written.
 */
export function plantSeeds(options: RecordOptions): boolean {
  const { store, settings } = options;
  const stored = storedSeeds(store);
  if (stored === JSON.stringify(settings.seeds)) return false;
  const record = new CrawlRecord(options);
  for (const origin of store.origins()) record.replayOrigin(origin);
  for (const { origin, path, depth, reason } of store.urls()) {
    record.replayUrl(origin, path, depth, reason === null ? null : reasonOf(reason));
  }
  for (const { wireBytes } of store.visits()) record.replayVisit(wireBytes);
  const weights = new Map<number, number>();
  for (const { url, weight } of settings.seeds) {
    const id = record.hear(url, { source: "seed", depth: 0, onVisit: false });
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
