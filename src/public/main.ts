/**
 * `tidemark`: crawl the web with the most important pages first, and a proof of how much is covered.
 *
 * `crawlSettings` says what to crawl and how; `launchCrawl` runs it. It needs a store, which keeps the log of the
 * crawl, and a fetcher, which gets pages. Both are contracts: use those that are here, or bring your own.
 */
export {
  type Clock,
  FailureError,
  type Progress,
  type ProgressStep,
  systemClock,
  type Timers,
  UsageError,
} from "../base/index.ts";
export type { CrawlOrder } from "../order/index.ts";
export {
  type CertifiedLog,
  certifyLog,
  type Crawl,
  type CrawlEnd,
  type CrawlEvent,
  type CrawlOptions,
  type CrawlSettings,
  crawlSettings,
  type CrawlStatus,
  defaultPoliteness,
  defaultWebSettings,
  launchCrawl,
  type LaunchOptions,
  type Limits,
  type NetworkSettings,
  openFetcher,
  parseSettings,
  type Politeness,
  type Seed,
  type SettingsContext,
  type StopReason,
  type StoredSettings,
  type WebSettings,
} from "../crawl/index.ts";
export {
  type Answer,
  createHttpFetcher,
  type Failure,
  type FailureName,
  type Fetcher,
  type FetchRequest,
  GraphFetcher,
  type HttpFetcherOptions,
  type Reply,
  fetcherOfGraph,
  type ServedWeb,
} from "../fetch/index.ts";
export {
  createCrawl,
  type CrawlGraph,
  crawlGraph,
  type CrawlStore,
  MemoryStore,
  openCrawl,
  openCrawlReadOnly,
  StoreError,
} from "../store/index.ts";
export { type Outcome, type UrlRecord, type Visit } from "../log/index.ts";
