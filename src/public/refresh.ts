/**
 * `tidemark/refresh`: which pages to read again, by importance, observed changes and a budget.
 *
 * @example
 * ```js
 * import { planReads } from "tidemark/refresh";
 *
 * const day = 86_400_000;
 * const nowMs = Date.UTC(2026, 0, 31);
 * const lastReadMs = nowMs - 3 * day;
 * const pages = [
 *   { importance: 0.5, lastReadMs, changedAfterMs: [], unchangedMs: 300 * day, ageMs: null },
 *   { importance: 0.3, lastReadMs, changedAfterMs: [day, day], unchangedMs: day, ageMs: null },
 * ];
 * for (const { page, staleChance } of planReads(pages, { nowMs, budget: 1 })) {
 *   console.log(`read page ${page}: it has changed with a probability of ${staleChance.toFixed(2)}`);
 * }
 * ```
 *
 * It prints:
 *
 * ```text
 * read page 1: it has changed with a probability of 0.78
 * ```
 * @packageDocumentation
 */
export {
  ageOf,
  bestSchedule,
  freshness,
  freshnessOf,
  type KnownPage,
  learnPrior,
  type Observations,
  type PlannedRead,
  type PlanOptions,
  planReads,
  readingGain,
  type Schedule,
} from "../refresh/index.ts";
