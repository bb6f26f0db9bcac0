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
export { GraphFetcher, twinOfGraph, type TwinWeb } from "./graph-fetcher.ts";
export { systemCertificates } from "./certificates.ts";
export { createHttpFetcher } from "./http-fetcher.ts";
export type { HttpFetcherOptions, Lookup } from "./options.ts";
export { type ProxySettings, proxySettings, withoutCredentials } from "./proxies.ts";
export { createRefusals, type Refusal } from "./refusal.ts";
export { requestHeaders } from "./request-headers.ts";
export { parseResolveRule } from "./resolve-rules.ts";
