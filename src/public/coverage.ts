/** `tidemark/coverage`: how much of all importance a crawl has certainly covered, and where the rest is. */
export {
  type Certificate,
  certify,
  CoverageWatch,
  type CrawlFacts,
  type Interval,
  type IntervalOptions,
  type LedgerOptions,
  ledgerOf,
  MassLedger,
  type MissingReason,
  type MissingShare,
  missingShares,
  type PlainCrawl,
  RankIntervals,
  type RefusalReason,
} from "../coverage/index.ts";
