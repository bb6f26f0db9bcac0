export { type Clock, systemClock } from "./clock.ts";
export { assert, FailureError, UsageError } from "./errors.ts";
export { IndexedHeap } from "./indexed-heap.ts";
export { IntQueue } from "./int-queue.ts";
export { didYouMean, nearest } from "./nearest.ts";
export { noProgress, type Progress, type ProgressStep } from "./progress.ts";
export { mix32, Random } from "./random.ts";
export { enlarged } from "./typed-arrays.ts";
export { plural, quoted } from "./words.ts";
