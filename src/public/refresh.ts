/** `tidemark/refresh`: which pages to read again, by importance, observed changes and a budget. */
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
