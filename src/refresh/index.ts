export { ageOf, learnPrior, type Observations, saysChanged } from "./change-rate.ts";
export { bestSchedule, freshness, freshnessOf, readingGain, type Schedule } from "./freshness.ts";
export { type KnownPage, type PlannedRead, planReads, type PlanOptions } from "./plan.ts";
