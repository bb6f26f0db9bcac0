export type { Answer, Failure, Fetcher, FetchRequest, Reply } from "./contract.ts";
export { type FailureName, failureNames } from "./failures.ts";
export {
  HOST_FAILURES_MAX,
  hostPauseMs,
  retryAfterMs,
  retryWaitMs,
  type Verdict,
  verdictOf,
  WAIT_MS_MAX,
} from "./verdicts.ts";
export { GraphTwin, twinOfGraph, type TwinWeb } from "./graph-twin.ts";
