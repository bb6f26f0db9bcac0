/** The library at a glance: what most programs need. Each folder's own entry (`tidemark/graph`, ...) has the rest. */
export {
  type Clock,
  FailureError,
  noProgress,
  type Progress,
  type ProgressStep,
  systemClock,
  UsageError,
} from "./base/index.ts";
export {
  ArcsDecoder,
  decodeBv,
  encodeArcs,
  encodeBv,
  generateGraph,
  type Graph,
  GraphBuilder,
  type GraphInfo,
  graphInfo,
  type Hosts,
  hostsOf,
  successors,
  transpose,
  withoutSelfLinks,
} from "./graph/index.ts";
export { pagerank, type PagerankOptions, type Ranking, topPages } from "./rank/index.ts";
export {
  type Certificate,
  certify,
  CoverageWatch,
  ledgerOf,
  type MissingShare,
  missingShares,
  type PlainCrawl,
  RankIntervals,
} from "./coverage/index.ts";
export { type CrawlOrder, createOrder, type OrderContext, orderNames } from "./order/index.ts";
export { canonicalUrl, parseRobots, rulesFor, Scope, type ScopeOptions } from "./web/index.ts";
export { createHttpFetcher, type Fetcher, type HttpFetcherOptions } from "./fetch/index.ts";
export { createCrawl, type CrawlStore, openCrawl, openCrawlReadOnly } from "./store/index.ts";
export {
  conclude,
  type Crawl,
  type CrawlEnd,
  type CrawlSettings,
  type CrawlStatus,
  defaultPoliteness,
  defaultWebSettings,
  launchCrawl,
  type StopReason,
} from "./crawl/index.ts";
export { simulate, type Simulation, type SimulationInput, type SimulationRun } from "./lab/index.ts";
