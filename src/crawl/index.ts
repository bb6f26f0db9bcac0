export {
  type CertifiedLog,
  certifyLog,
  ledgerOfLog,
  markBeyondLimits,
} from "./certify-log.ts";
export { type CrawlState, Engine } from "./engine.ts";
export { Estimate, type NextLimit } from "./estimate.ts";
export type { CrawlEvent, SeedInTrouble, SeedLost } from "./events.ts";
export { Fingerprinter } from "./fingerprint.ts";
export {
  type Crawl,
  type CrawlEnd,
  crawlOf,
  type LaunchOptions,
  launchCrawl,
} from "./launch.ts";
export type { Input, Machine } from "./machine.ts";
export { CrawlModel } from "./model.ts";
export type { HostState, HostStatus } from "./politeness/host-status.ts";
export { InlineReader } from "./reader/inline-reader.ts";
export { refreshFacts, type RefreshPage } from "./refresh/refresh-facts.ts";
export { refreshPages } from "./refresh/refresh-pages.ts";
export type { RefreshResult } from "./refresh/refresh-work.ts";
export { endOfLastRun } from "./run-end.ts";
export {
  checkSeeds,
  type SeedCheck,
  SEED_REDIRECTS_MAX,
  type SeedProblem,
} from "./seed-check.ts";
export { plantSeeds } from "./seeds.ts";
export { checkedLimits, checkValue, limitNames } from "./settings/checks.ts";
export { crawlSettings, type SettingsContext } from "./settings/crawl-settings.ts";
export { checkSeedHosts, openFetcher } from "./settings/fetcher.ts";
export { liveProxy } from "./settings/network.ts";
export { seedUrl } from "./settings/seeds.ts";
export {
  type CrawlOptions,
  type CrawlSettings,
  defaultPoliteness,
  defaultWebSettings,
  type Limits,
  type NetworkSettings,
  type Seed,
  type StoredSettings,
} from "./settings/settings.ts";
export { configSchema, settingsMarkdown } from "./settings/documents.ts";
export { parseSettings } from "./settings/stored-settings.ts";
export { type TypedSetting, typedSettings } from "./settings/typed.ts";
export type { CrawlStatus } from "./status.ts";
export { type StopReason } from "./run-end.ts";
