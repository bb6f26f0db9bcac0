export { ReceivedTotals } from "./accounts.ts";
export { type Certificate, certify, isOutside, ledgerOf, type PlainCrawl, tighten } from "./certificate.ts";
export { type Ceiling, ceilingOf, type LostShare } from "./ceiling.ts";
export * from "./facts.ts";
export * from "./intervals.ts";
export { type LedgerOptions, MassLedger } from "./ledger.ts";
export * from "./missing.ts";
export { Redirects } from "./redirects.ts";
export { CoverageWatch, type WatchOptions } from "./watch.ts";
