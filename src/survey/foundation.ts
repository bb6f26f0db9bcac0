/** What a survey is built upon beside the log, as a fingerprint: where it has changed, nothing derived before is of use. */
import { createHash } from "node:crypto";
import { packageVersion } from "../base/index.ts";
import { type CrawlLog, type CrawlSettings, parseSettings } from "../crawl/index.ts";

export interface Foundation {
  readonly settings: CrawlSettings;
  readonly fingerprint: string;
}

/** Where this part has changed too, what was certain is no more: it was of another crawl, or of other trust. */
export function isSameCrawl(fingerprint: string, other: string): boolean {
  return fingerprint.split(" ", 1)[0] === other.split(" ", 1)[0];
}

export function foundationOf(store: CrawlLog): Foundation {
  const settings = parseSettings(store.settings());
  const { order, damping, limits, web } = settings;
  const { depth = "-", pagesPerHost = "-" } = limits;
  const hash = createHash("sha256");
  // The seed of the fingerprints is drawn anew for each crawl: it tells one directory from another. What another version computed may
  // mean something else.
  const { hashSeed } = web;
  hash.update(JSON.stringify({ version: packageVersion(), order, damping, hashSeed }));
  for (const { url, weight } of store.trust()) hash.update(`\n${url} ${weight}`);
  // Limits say only why something is missing.
  return { settings, fingerprint: `${hash.digest("hex")} ${depth} ${pagesPerHost}` };
}
