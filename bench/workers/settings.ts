/** The crawl of the benchmark of workers. */
import { crawlSettings, type StoredSettings } from "../../src/crawl/index.ts";
import type { ComputedWeb } from "../crawl/computed-web.ts";

export function settingsFor(web: ComputedWeb, pages: number): StoredSettings {
  const settings = crawlSettings({
    urls: Array.from({ length: 10 }, (_, k) => web.urlOf(k)),
    scope: "any",
    delay: 0,
    concurrency: 64,
    perHost: 4,
    perAddress: 1000,
    maxPages: pages,
    // A target that is not reached keeps the certificate running.
    coverage: 1 - 1e-9,
  });
  // All processes must know URLs by the same fingerprints.
  return { ...settings, web: { ...settings.web, hashSeed: 1 } };
}
