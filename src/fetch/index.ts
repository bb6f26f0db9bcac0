export {
  type Answer,
  type Failure,
  type FailureName,
  failureNames,
  type Fetcher,
  type FetchRequest,
  type Reply,
} from "./contract.ts";
export {
  HOST_FAILURES_MAX,
  hostPauseMs,
  retryAfterMs,
  retryWaitMs,
  type Verdict,
  verdictOf,
  WAIT_MS_MAX,
} from "./verdicts.ts";
export { fetcherOfGraph, GraphFetcher, type ServedWeb } from "./graph-fetcher.ts";
export { systemCertificates } from "./connector.ts";
export { createHttpFetcher } from "./http-fetcher.ts";
export type { HttpFetcherOptions, Lookup, ProxySettings } from "./options.ts";
export { proxySettings, withoutCredentials } from "./proxies.ts";
export { createRefusals, parseResolveRule, type Refusal } from "./resolver.ts";
export { requestHeaders } from "./headers.ts";
