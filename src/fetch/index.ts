export * from "./contract.ts";
export * from "./retry-policy.ts";
export { fetcherOfGraph, GraphFetcher, type ServedWeb } from "./graph-fetcher.ts";
export { systemCertificates } from "./connector.ts";
export { createHttpFetcher } from "./http-fetcher.ts";
export type { HttpFetcherOptions, Lookup, ProxySettings } from "./options.ts";
export { proxySettings, withoutCredentials } from "./proxies.ts";
export { createRefusals, parseResolveRule, type Refusal } from "./guarded-resolver.ts";
export { requestHeaders } from "./headers.ts";
