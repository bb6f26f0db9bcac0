export { type Clock, systemClock } from "./clock.ts";
export { compiledEntry } from "./compiled-entry.ts";
export { zeroCounts } from "./counts.ts";
export { assert, FailureError, messageOf, UsageError } from "./errors.ts";
export { FingerprintTable } from "./fingerprint-table.ts";
export {
  counted,
  formatBytes,
  formatCount,
  formatCoverage,
  formatSeconds,
  formatTick,
  formatValue,
  type Kind,
  percent,
  percentAtLeast,
} from "./format.ts";
export { IndexedHeap } from "./indexed-heap.ts";
export { IntQueue } from "./int-queue.ts";
export { didYouMean, nearest } from "./nearest.ts";
export { noProgress, type Progress, type ProgressStep } from "./progress.ts";
export { mix32, Random } from "./random.ts";
export { TimedQueue } from "./timed-queue.ts";
export { systemTimers, type Timers } from "./timers.ts";
export { capacityFor, enlarged } from "./typed-arrays.ts";
export { packageVersion } from "./version.ts";
export { plural, quoted } from "./words.ts";
