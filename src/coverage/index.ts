export { ReceivedTotals } from "./accounts.ts";
export { type Certificate, certify, ledgerOf, type PlainCrawl, tighten } from "./certificate.ts";
export {
  type CrawlFacts,
  isDownloaded,
  isSettling,
  type MissingReason,
  missingReasons,
  PageState,
  type PageStateName,
  pageStates,
  type RefusalReason,
  refusalReasons,
  refusedState,
} from "./facts.ts";
export {
  type Interval,
  type IntervalBounds,
  intervalOf,
  type IntervalOptions,
  RankIntervals,
} from "./intervals.ts";
export { type LedgerOptions, MassLedger } from "./ledger.ts";
export {
  missingFlow,
  missingReason,
  missingScale,
  type MissingShare,
  missingShares,
  type PageMasses,
} from "./missing.ts";
export { Redirects } from "./redirects.ts";
export { CoverageWatch } from "./watch.ts";
