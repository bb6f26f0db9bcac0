export {
  type Conclusion,
  conclude,
  type CrawlLedger,
  ledgerOfCrawl,
  markBeyondLimits,
} from "./conclusion.ts";
export { type CrawlEnd, type CrawlState, Engine, type EngineOptions } from "./engine.ts";
export { Estimate, type NextLimit } from "./estimate.ts";
export type { CrawlEvent, SeedInTrouble, SeedLost } from "./events.ts";
export { Fingerprinter } from "./fingerprint.ts";
export { InlineReader } from "./reader/inline-reader.ts";
export { agreedSettings, type Crawl, type LaunchOptions, launchCrawl } from "./launch.ts";
export type { PageReader, ReaderSettings } from "./reader/contract.ts";
export { type RefreshFacts, refreshFacts, type RefreshPage } from "./refresh-facts.ts";
export { rereadPages, type RereadOptions, type RereadResult } from "./reread.ts";
export { checkedLimits, limitNames } from "./limits.ts";
export { type CrawlLog, LogFacts, type LogListener } from "./log-facts.ts";
export { CrawlRecord } from "./record.ts";
export { isWholeRobots } from "./politeness/robots-cache.ts";
export { endOfLastRun, type RunEnd } from "./run-end.ts";
export { plantSeeds } from "./seeds.ts";
export {
  type CrawlSettings,
  defaultPoliteness,
  defaultWebSettings,
  type Limits,
  type Politeness,
  type Seed,
  type WebSettings,
} from "./settings/settings.ts";
export { parseSettings } from "./settings/stored-settings.ts";
export type { CrawlStatus } from "./status.ts";
export { type StopReason, stopReasons } from "./stop-reasons.ts";
export type { HostState, HostTreatment } from "./politeness/host-status.ts";
