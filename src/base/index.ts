export { type Clock, systemClock, systemTimers, type Timers } from "./clock.ts";
export { capacityFor, dropOldest, enlarged, zeroCounts } from "./collections.ts";
export { assert, FailureError, messageOf, UsageError } from "./errors.ts";
export { FingerprintTable } from "./fingerprint-table.ts";
export {
  counted,
  didYouMean,
  formatBytes,
  formatCell,
  formatCount,
  formatCoverage,
  formatSeconds,
  formatTick,
  formatValue,
  type Kind,
  nearest,
  percent,
  percentAtLeast,
  plural,
  quoted,
} from "./format.ts";
export { IndexedHeap } from "./indexed-heap.ts";
export { compiledEntry, VERSION } from "./package.ts";
export { noProgress, type Progress, type ProgressStep } from "./progress.ts";
export { IntQueue, TimedQueue } from "./queues.ts";
export { mix32, Random, RandomSet, systemSeed } from "./random.ts";
