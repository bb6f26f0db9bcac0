export { ReceivedTotals } from "./accounts.ts";
export { type Certificate, certify, ledgerOf, type PlainCrawl, tighten } from "./certificate.ts";
export * from "./facts.ts";
export * from "./intervals.ts";
export { type LedgerOptions, MassLedger } from "./ledger.ts";
export * from "./missing.ts";
export { Redirects } from "./redirect-targets.ts";
export { CoverageWatch } from "./watch.ts";
