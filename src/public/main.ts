/**
 * `tidemark`: crawl the web with the most important pages first, and a proof of how much is covered.
 *
 * `crawl` gives the pages of a crawl as they are downloaded. To have more control, make the settings of a crawl by
 * `crawlSettings` and run it by `launchCrawl`. A crawl needs a store, which keeps its log, and a fetcher, which gets
 * pages. Both are contracts: use those that are here, or bring your own.
 *
 * @example
 * ```js
 * import { crawl, fetcherOfGraph } from "tidemark";
 * import { generateGraph } from "tidemark/graph";
 *
 * // A generated web. Without `fetcher`, pages come from the web.
 * const urlOf = (page) => `http://www.example/${page}`;
 * const fetcher = fetcherOfGraph(generateGraph({ pages: 500, seed: 1 }).graph, urlOf);
 * const pages = crawl(urlOf(0), { fetcher, coverage: 0.9, delay: 0 });
 * const titles = [];
 * for await (const page of pages) titles.push(page.title);
 * console.log(pages.end.reason, pages.coverage() >= 0.9, titles.length < 500);
 * ```
 *
 * It prints:
 *
 * ```text
 * coverage-reached true true
 * ```
 * @packageDocumentation
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
  crawl,
  type Crawl,
  type CrawledPage,
  type CrawledPages,
  type CrawlEnd,
  type CrawlEvent,
  type CrawlOptions,
  type CrawlSettings,
  crawlSettings,
  type CrawlState,
  type CrawlStatus,
  type DownloadedPage,
  type HookFailed,
  type HostCounts,
  type HostStatus,
  launchCrawl,
  type LaunchOptions,
  type Limits,
  type CrawlArchive,
  openArchive,
  openFetcher,
  type OwnOrderContext,
  openRenderer,
  type PagesOptions,
  parseSettings,
  type RemoteRecord,
  type Seed,
  type SessionPart,
  type SettingsContext,
  type StopReason,
  type StoredSettings,
  type ValuedPage,
  type ValueOfPage,
} from "../crawl/index.ts";
export {
  type Answer,
  createHttpFetcher,
  type Credential,
  type Failure,
  type FailureName,
  type Fetcher,
  type FetchRequest,
  type GivenCookie,
  GraphFetcher,
  type HttpFetcherOptions,
  fetcherOfGraph,
  type OriginHeaders,
  type Reply,
  type ServedWeb,
  type SessionOptions,
  type Withheld,
} from "../fetch/index.ts";
export type {
  Renderer,
  RenderedPage,
  RenderFailure,
  Rendering,
  RenderJob,
  RenderListener,
  ResourceUse,
  WantedResource,
} from "../render/index.ts";
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
