export {
  type CertifiedLog,
  certifyLog,
  ledgerOfLog,
  type LedgerOfLog,
  markBeyondLimits,
  looksOfLog,
  statesOfLog,
  viewOfLog,
} from "./certify-log.ts";
export { crawl, type CrawledPages, type HookFailed, type PagesOptions } from "./crawl.ts";
export { crawlInDirectory } from "./crawl-in-directory.ts";
export { CrawledPage } from "./crawled-page.ts";
export { type CrawlState, Engine } from "./engine.ts";
export { FactWriter } from "./fact-writer.ts";
export { Estimate, type NextLimit } from "./estimate.ts";
export { type ForecastPoint, shareNeeded } from "./forecast.ts";
export type {
  ArchivedAnswer,
  CrawlEvent,
  DownloadedPage,
  Effect,
  Input,
  Machine,
  Now,
  RemoteRecord,
  SeedFailing,
  SeedLost,
  TargetUnreachable,
} from "./machine.ts";
export { endOfLastRun, forgetEnd, type StopReason, writeEnd } from "./stop-reasons.ts";
export { digestSeedOf, Fingerprinter } from "./fingerprint.ts";
export { ImportedPages, type ImportedPage, type Intake, type ReportedLinks } from "./imported-pages.ts";
export * from "./launch.ts";
export type { OwnOrderContext } from "./own-order.ts";
export { type CrawlArchive, exchangeOf, openArchive, openFetcher, openRenderer, SOFTWARE } from "./open.ts";
export { CrawlModel } from "./model.ts";
export { AddressTable } from "./politeness/addresses.ts";
export { HostPauses, pausesIn } from "./politeness/host-pauses.ts";
export { HostSchedule } from "./politeness/host-schedule.ts";
export { PastRequests } from "./politeness/past-requests.ts";
export { READINGS_MAX, READING_BYTES_MAX } from "./reader/read-queue.ts";
export type { PageReader } from "./reader/contract.ts";
export { Runner } from "./runner.ts";
export { areTaken, Level, type SharedMeans, Slots } from "./shard-part.ts";
export type { ValuedPage, ValueOfPage } from "./page-values.ts";
export type { HostState, HostStatus } from "./politeness/host-status.ts";
export type { LinksUnknownCause } from "./reader/contract.ts";
export { InlineReader } from "./reader/inline-reader.ts";
export { LogCompaction } from "./refresh/log-compaction.ts";
export { refreshFacts, type RefreshPage } from "./refresh/refresh-facts.ts";
export { type RefreshEnd, refreshForever, type RefreshForeverOptions } from "./refresh/refresh-service.ts";
export type { Freshness, ReadCounts, RefreshStatus, UpcomingRead } from "./refresh/refresh-status.ts";
export { readSitemapDates } from "./refresh/sitemap-dates.ts";
export type { RefreshResult } from "./refresh/refresh-work.ts";
export { readNewPages, refreshPages } from "./refresh/rounds.ts";
export { countsOf, type CrawlStatus } from "./status.ts";
export { type ArchivedResponse, fetchRequisites, type RequisiteCounts } from "./requisites.ts";
export { REDIRECTS_MAX } from "./page-outcomes.ts";
export { checkSeeds, type SeedCheck, type SeedCheckProblem } from "./seed-check.ts";
export { listSitemaps, type ReadSitemap, sitemapWriter, type SitemapUrls } from "./sitemap-list.ts";
export type { SampleStop } from "./sampling/sampler.ts";
export type { SampledClaim } from "./sampling/looks-of-log.ts";
export { type SampledStep, SampledTide } from "./sampling/sampled-tide.ts";
export * from "./settings/crawl-settings.ts";
export { type HostRules, ruleInWords } from "./settings/host-rule-kind.ts";
export { canonicalRules, mostConnections, wholeRules, withoutHeaders } from "./settings/host-rules.ts";
export { checkSeedHosts, givenProxies, liveProxy, productToken } from "./settings/network.ts";
export {
  changeStored,
  type CommandOptions,
  type CrawlOptions,
  type CrawlSettings,
  defaultPoliteness,
  defaultWebSettings,
  hadSession,
  type Limits,
  type NetworkSettings,
  parseSettings,
  type Seed,
  type SessionPart,
  type StoredSettings,
  universeOf,
  valueAt,
} from "./settings/settings.ts";
export { readIndex, type UrlIndex } from "./url-index.ts";
export { configSchema, settingsMarkdown, type TypedSetting, typedSettings } from "./settings/documents.ts";
