/**
 * What is used of Crawlee, as types of our own: nothing of Crawlee is loaded, and versions whose shapes agree all fit.
 * The shapes are those of @crawlee/core 3.18 (`IRequestManager`, `Request`); the benchmark `crawlee` compiles against
 * the real ones. Its crawlers refuse the option `requestManager`, though their types have it: they take the queue as
 * `requestQueue`, of which they use no more than of a manager.
 */

/** What is used of Crawlee's `Request`. */
export interface CrawleeRequest {
  id?: string | undefined;
  readonly url: string;
  readonly uniqueKey: string;
  readonly method: string;
  readonly payload?: string | undefined;
  readonly skipNavigation: boolean;
  /** Where redirects have led. */
  readonly loadedUrl?: string | undefined;
  readonly retryCount: number;
  readonly state: number;
  handledAt?: string | undefined;
}

/** Values of Crawlee's `RequestState` that make a difference here. */
export const RequestState = { Done: 4, Skipped: 7 } as const;

/** Crawlee's class `Request`. */
export type RequestClass<R extends CrawleeRequest> = new (options: { url: string }) => R;

/** A request, or the options of one; further fields are those of Crawlee's `RequestOptions`. */
export interface RequestSource {
  readonly url?: string;
}

/** Requests, options of requests, or URLs. */
export type RequestSources = Iterable<RequestSource | string> | AsyncIterable<RequestSource | string>;

/** What became of a request that was added. */
export interface AddedRequest {
  readonly requestId: string;
  readonly uniqueKey: string;
  readonly wasAlreadyPresent: boolean;
  readonly wasAlreadyHandled: boolean;
}

/** What Crawlee wants to know of an operation on one request. */
export interface OperationInfo extends AddedRequest {
  readonly forefront: boolean;
}

/** What became of many requests. */
export interface AddedRequests {
  addedRequests: AddedRequest[];
  waitForAllRequestsToBeAdded: Promise<AddedRequest[]>;
  requestsOverLimit: { url: string }[];
}

/** Options of `addRequestsBatched` that matter here. */
export interface AddOptions {
  /** How many requests may be added that are not present yet (default: any number). */
  readonly maxNewRequests?: number;
}

/** What is used of the context of a request handler. */
export interface HandlerContext {
  readonly request: CrawleeRequest;
}
