/**
 * `tidemark/coverage`: how much of all importance a crawl has certainly covered, and where the rest is.
 *
 * @example
 * ```js
 * import { certify, ledgerOf, RankIntervals } from "tidemark/coverage";
 * import { GraphBuilder } from "tidemark/graph";
 *
 * // Page 0 is trusted. Pages 0 and 1 were downloaded, page 2 is known only by the links to it.
 * const builder = new GraphBuilder();
 * for (const [source, target] of [[0, 1], [0, 2], [1, 0]]) builder.add(source, target);
 * const ledger = ledgerOf({ graph: builder.finish(), trust: [[0, 1]], downloaded: [0, 1], damping: 0.85 });
 * const certificate = certify(ledger);
 * console.log(`at least ${certificate.coverage.toFixed(4)} is covered`);
 * const { low, high } = new RankIntervals(ledger, certificate).of(0);
 * console.log(`page 0 holds between ${low.toFixed(4)} and ${high.toFixed(4)}`);
 * ```
 *
 * It prints:
 *
 * ```text
 * at least 0.3346 is covered
 * page 0 holds between 0.2348 and 0.7021
 * ```
 * @packageDocumentation
 */
export {
  type Ceiling,
  ceilingOf,
  type Certificate,
  certify,
  CoverageWatch,
  type CrawlFacts,
  type Interval,
  type IntervalOptions,
  type LedgerOptions,
  ledgerOf,
  type LostShare,
  MassLedger,
  type MissingReason,
  type MissingShare,
  missingShares,
  type PlainCrawl,
  RankIntervals,
  type RefusalReason,
  subsetShare,
  type Universe,
  type WatchOptions,
} from "../coverage/index.ts";
