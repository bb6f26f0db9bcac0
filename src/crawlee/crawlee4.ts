/** The same queue in the shape that Crawlee 4 wants: other names, and all counts as promises. */
import type {
  AddedRequests,
  AddOptions,
  CrawleeRequest,
  OperationInfo,
  RequestSource,
  RequestSources,
} from "./contract.ts";
import type { ImportanceQueue } from "./importance-queue.ts";

/** What Crawlee 4 calls a request manager. */
export interface RequestManager4<R> extends AsyncIterable<R> {
  isEmpty(): Promise<boolean>;
  isFinished(): Promise<boolean>;
  getHandledCount(): Promise<number>;
  getTotalCount(): Promise<number>;
  getPendingCount(): Promise<number>;
  fetchNextRequest<T = unknown>(): Promise<(R & { userData: T }) | null>;
  markRequestAsHandled(request: CrawleeRequest): Promise<OperationInfo | null>;
  reclaimRequest(request: CrawleeRequest): Promise<OperationInfo | null>;
  addRequest(source: RequestSource): Promise<OperationInfo>;
  addRequestsBatched(sources: RequestSources, options?: AddOptions): Promise<AddedRequests>;
}

/** The request manager for a crawler of Crawlee 4. The handler is wrapped by the queue itself. */
export function forCrawlee4<R extends CrawleeRequest>(queue: ImportanceQueue<R>): RequestManager4<R> {
  return {
    isEmpty: () => queue.isEmpty(),
    isFinished: () => queue.isFinished(),
    getHandledCount: () => queue.handledCount(),
    getTotalCount: async () => queue.getTotalCount(),
    getPendingCount: async () => queue.getPendingCount(),
    fetchNextRequest: () => queue.fetchNextRequest(),
    markRequestAsHandled: (request) => queue.markRequestHandled(request),
    reclaimRequest: (request) => queue.reclaimRequest(request),
    addRequest: (source) => queue.addRequest(source),
    addRequestsBatched: (sources, options) => queue.addRequestsBatched(sources, options),
    [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
  };
}
