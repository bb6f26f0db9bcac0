/**
 * Which request is handed out next. Requests outside of the graph go first, for they belong to pages that were fetched,
 * and go out even when the target is reached. Then come the pages, by the order. A request that failed waits until
 * others went before it, so that a server can recover. What would fetch a page again goes last, but also when the
 * target is reached: its handler may take further links of that page.
 */
import { assert } from "../base/index.ts";
import type { CrawleeRequest } from "./contract.ts";
import type { CrawledWeb } from "./crawled-web.ts";
import type { QueuedRequest, RequestTable } from "./request-table.ts";

/** How many other requests go out before a second attempt; twice as many before the third, and so on. */
const BETWEEN_ATTEMPTS = 20;

export class WaitingRequests<R extends CrawleeRequest> {
  /** Whether the target is reached: no page is handed out any more. */
  isClosed = false;
  readonly #web: CrawledWeb;
  readonly #table: RequestTable<R>;
  readonly #outside: QueuedRequest<R>[] = [];
  readonly #retries: { readonly queued: QueuedRequest<R>; readonly after: number }[] = [];
  readonly #repeats = new Set<QueuedRequest<R>>();
  /** Pages that the order has handed out, though nobody has added a request for them: the crawler's limit. */
  readonly #withoutRequest = new Set<number>();
  /** What is handed out next, once it was looked at. */
  #next: { readonly queued: QueuedRequest<R>; readonly isByOrder: boolean } | undefined;
  #handedOut = 0;

  constructor(web: CrawledWeb, table: RequestTable<R>) {
    this.#web = web;
    this.#table = table;
  }

  add(queued: QueuedRequest<R>): void {
    const { page } = queued;
    // It may stand in for the one that was looked at.
    this.rethink();
    if (page < 0) this.#outside.push(queued);
    else if (this.#web.hasOutcome(page)) this.#repeats.add(queued);
    else if (this.#withoutRequest.delete(page)) this.#web.order.putBack(page);
    // The page that links to it has no outcome yet; it waits from now on all the same.
    else this.#web.order.known(page);
  }

  /** Takes back a request that was handed out: its attempt has failed, or Crawlee has no time for it now. */
  reclaim(queued: QueuedRequest<R>): void {
    const { page, request } = queued;
    const hasFailed = request.retryCount > queued.retryCount;
    delete queued.attempt;
    if (page < 0) this.#outside.push(queued);
    else if (this.#web.hasOutcome(page)) this.#repeats.add(queued);
    else if (hasFailed) this.#retries.push({ queued, after: this.#handedOut + BETWEEN_ATTEMPTS * request.retryCount });
    else this.#web.order.putBack(page);
  }

  /** What is looked at next may be another page: something is about to be learnt. */
  rethink(): void {
    if (this.#next?.isByOrder !== true) return;
    this.#web.order.putBack(this.#next.queued.page);
    this.#next = undefined;
  }

  peek(): QueuedRequest<R> | undefined {
    this.#next ??= this.#choose();
    return this.#next?.queued;
  }

  take(): QueuedRequest<R> | undefined {
    const queued = this.peek();
    if (queued === undefined) return undefined;
    this.#next = undefined;
    this.#handedOut++;
    return queued;
  }

  #choose(): { readonly queued: QueuedRequest<R>; readonly isByOrder: boolean } | undefined {
    const outside = this.#outside.shift();
    if (outside !== undefined) return { queued: outside, isByOrder: false };
    if (this.isClosed) return this.#firstRepeat();
    if (this.#retries.length > 0 && this.#retries[0].after <= this.#handedOut) return this.#firstRetry();
    const best = this.#best();
    if (best !== undefined) return { queued: best, isByOrder: true };
    return this.#firstRetry() ?? this.#firstRepeat();
  }

  #firstRetry(): { readonly queued: QueuedRequest<R>; readonly isByOrder: false } | undefined {
    const retry = this.#retries.shift();
    return retry === undefined ? undefined : { queued: retry.queued, isByOrder: false };
  }

  #firstRepeat(): { readonly queued: QueuedRequest<R>; readonly isByOrder: false } | undefined {
    for (const repeat of this.#repeats) {
      this.#repeats.delete(repeat);
      return { queued: repeat, isByOrder: false };
    }
    return undefined;
  }

  /** The best page that has a request. */
  #best(): QueuedRequest<R> | undefined {
    const { order } = this.#web;
    for (let page = order.next(); page >= 0; page = order.next()) {
      const queued = this.#table.ofPage(page);
      if (queued === undefined) {
        this.#withoutRequest.add(page);
        continue;
      }
      assert(queued.state === "waiting", "the order hands out each page once");
      return queued;
    }
    return undefined;
  }
}
