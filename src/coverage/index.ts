export { ReceivedTotals } from "./accounts.ts";
export {
  type Certificate,
  certify,
  certifying,
  isClosed,
  ledgerOf,
  type PlainCrawl,
  subsetShare,
  tighten,
} from "./certificate.ts";
export { type Ceiling, ceilingBy, ceilingOf, lossesByPart, type LostShare } from "./ceiling.ts";
export * from "./facts.ts";
export { pagesHolding } from "./pages-holding.ts";
export { knownRanking, sortByImportance } from "./interval-bounds.ts";
export * from "./intervals.ts";
export { FinalLedger } from "./final-ledger.ts";
export type { KnownPages } from "./known-pages.ts";
export { type LedgerOptions, MassLedger } from "./ledger.ts";
export * from "./missing.ts";
export { Redirects } from "./redirect-targets.ts";
export { levelWithin } from "./sample/level-within.ts";
export { levelsUpTo } from "./sample/levels.ts";
export { LookSchedule, WALKS_PER_ROUND } from "./sample/look-schedule.ts";
export { alphaOfLook, Look } from "./sample/look.ts";
export { type ArrivalOf, WalksUnderWay } from "./sample/walks-under-way.ts";
export { type Arrival, knownArrival, Walk } from "./sample/walk.ts";
export { addedUp, boundOf, type MassSums, unseededOf } from "./sums.ts";
export { userValue } from "./user-value.ts";
export { CoverageWatch, type WatchOptions } from "./watch.ts";
