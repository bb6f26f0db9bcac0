export { type Certificate, certify, ledgerOf, type PlainCrawl } from "./certificate.ts";
export {
  type CrawlFacts,
  isSettling,
  type MissingReason,
  PageState,
  type RefusalReason,
  refusalReasons,
} from "./facts.ts";
export { type Interval, type IntervalOptions, RankIntervals } from "./intervals.ts";
export { type LedgerOptions, MassLedger } from "./ledger.ts";
export { type MissingShare, missingShares } from "./missing.ts";
export { Redirects } from "./redirects.ts";
export { type TightenGoal, tighten } from "./tighten.ts";
export { CoverageWatch } from "./watch.ts";
