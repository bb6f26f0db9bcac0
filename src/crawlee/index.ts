export type {
  AddedRequest,
  AddedRequests,
  AddOptions,
  CrawleeRequest,
  HandlerContext,
  OperationInfo,
  RequestClass,
  RequestSource,
  RequestSources,
} from "./contract.ts";
export { forCrawlee4, type RequestManager4 } from "./crawlee4.ts";
export { ImportanceQueue, type ImportanceQueueOptions } from "./importance-queue.ts";
