export { ageOf, learnPrior, type Observations, type PastChange, saysChanged } from "./change-rate.ts";
export type { PageHistory } from "./change-model.ts";
export { bestSchedule, freshness, freshnessOf, readingGain, type Schedule } from "./freshness.ts";
export { GainTable } from "./gain-table.ts";
export { ModifiedTrust } from "./modified-trust.ts";
export { type KnownPage, type PlannedRead, planReads, type PlanOptions } from "./plan.ts";
export { type ReadLimits, ReadScheduler, type ReadSchedulerOptions, type ReadValues } from "./read-scheduler.ts";
export { RefreshCalendar, type RefreshCalendarOptions } from "./refresh-calendar.ts";
export {
  RefreshQueue,
  type RefreshQueueOptions,
} from "./refresh-queue.ts";
export {
  doubtPerSignal,
  readCycle,
  signalledGain,
  type SignalQuality,
  SILENT,
} from "./signalled-gain.ts";
export { SteadyTime } from "./steady-time.ts";
export { belowUntil } from "./value-growth.ts";
