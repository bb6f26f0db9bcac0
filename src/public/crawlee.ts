/**
 * `tidemark/crawlee`: a request manager for the crawlers of Crawlee, by importance, with a certificate of coverage.
 *
 * With Crawlee, `Request` comes from its packages, and the crawler does what the loop below does:
 * `new CheerioCrawler({ requestQueue: queue, requestHandler: queue.handler(async ({ enqueueLinks }) => ...) })`.
 *
 * @example
 * ```js
 * import { ImportanceQueue } from "tidemark/crawlee";
 *
 * class Request {
 *   constructor({ url }) {
 *     Object.assign(this, { url, uniqueKey: url, method: "GET", skipNavigation: false, retryCount: 0, state: 0 });
 *   }
 * }
 * const web = { "/": ["/a", "/b"], "/a": ["/", "/b"], "/b": ["/"] };
 * const queue = new ImportanceQueue({ Request, seeds: ["https://site.example/"], coverage: 0.7 });
 * const handle = queue.handler(({ request }) => {
 *   const links = web[new URL(request.url).pathname].map((path) => new URL(path, request.url).href);
 *   return queue.addRequestsBatched(links);
 * });
 * for await (const request of queue) {
 *   const body = web[new URL(request.url).pathname].map((path) => `<a href="${path}">`).join("");
 *   await handle({ request, response: { statusCode: 200 }, body, contentType: { type: "text/html" } });
 *   await queue.markRequestHandled(request);
 *   console.log(request.url, queue.certificate().coverage.toFixed(3));
 * }
 * ```
 *
 * It prints:
 *
 * ```text
 * https://site.example/ 0.150
 * https://site.example/a 0.261
 * https://site.example/b 1.000
 * ```
 * @packageDocumentation
 */
export {
  type AddedRequest,
  type AddedRequests,
  type AddOptions,
  type CrawleeRequest,
  forCrawlee4,
  type HandlerContext,
  ImportanceQueue,
  type ImportanceQueueOptions,
  type OperationInfo,
  type RequestClass,
  type RequestManager4,
  type RequestSource,
  type RequestSources,
} from "../crawlee/index.ts";
