/**
 * A request manager for Crawlee's crawlers: hands out the most important page first, and ends the crawl when the
 * coverage wanted is proved.
 *
 * What a crawler tells its queue is not enough for a certificate. The queue hears of the links that the user's filter
 * lets through, not of the page they stand on nor of the links that were dropped. So the request handler is wrapped:
 * all links of a page are read before the user's handler runs, and what it adds while it runs is known to come from it.
 *
 * Life of a request: waiting, in flight (Crawlee has it), handled. What is learnt from it is reported when it is
 * handled (`outcome-reports.ts`).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { systemTimers, UsageError } from "../base/index.ts";
import type { Certificate, MissingShare } from "../coverage/index.ts";
import { canonicalUrl } from "../web/index.ts";
import { checkNames, checkRequestClass, checkSeeds, checkShare } from "./checked-options.ts";
import {
  type AddedRequest,
  type AddedRequests,
  type AddOptions,
  type CrawleeRequest,
  type HandlerContext,
  type OperationInfo,
  type RequestClass,
  type RequestSource,
  type RequestSources,
} from "./contract.ts";
import { CrawledWeb } from "./crawled-web.ts";
import { ADDED_OUTSIDE, OutcomeReports } from "./outcome-reports.ts";
import { readContent, readLateLinks } from "./page-content.ts";
import { type Attempt, fetchesPage, type QueuedRequest, RequestTable } from "./request-table.ts";
import { WaitingRequests } from "./waiting-requests.ts";

/** Whose handler is running, for what it adds. One for all queues: Node 20 keeps each that was ever used, for ever. */
const running = new AsyncLocalStorage<{ readonly queue: object; readonly page: number; readonly attempt: Attempt }>();

/** Options of `ImportanceQueue`. */
export interface ImportanceQueueOptions<R extends CrawleeRequest> {
  /** Crawlee's class, which its packages export: `import { CheerioCrawler, Request } from "@crawlee/cheerio"`. */
  readonly Request: RequestClass<R>;
  /** Where surfers start: importance is personalised PageRank from these URLs. They are requested first. */
  readonly seeds: readonly string[];
  /** The crawl ends when this share of all importance is proved to be downloaded (default: when nothing is left). */
  readonly coverage?: number | undefined;
  /** What to fetch next, a name of `tidemark/order` (default: "rankmass"). */
  readonly order?: string;
  /** How likely a surfer follows a link (default: 0.85). */
  readonly damping?: number;
}

const OPTIONS: Readonly<Record<keyof ImportanceQueueOptions<never>, true>> = {
  Request: true,
  seeds: true,
  coverage: true,
  order: true,
  damping: true,
};

/** The queue of a Crawlee crawler (`requestQueue`), by importance, with a certificate of coverage. */
export class ImportanceQueue<R extends CrawleeRequest> {
  readonly #web: CrawledWeb;
  readonly #table: RequestTable<R>;
  readonly #waiting: WaitingRequests<R>;
  readonly #reports: OutcomeReports<R>;
  #inFlight = 0;
  #handled = 0;
  /** What was added before comes from no handler. */
  #hasRunHandler = false;
  readonly #warned = new Set<string>();

  constructor(options: ImportanceQueueOptions<R>) {
    checkNames(options, Object.keys(OPTIONS));
    const { Request, seeds, coverage, order = "rankmass", damping = 0.85 } = options;
    checkRequestClass(Request);
    checkSeeds(seeds);
    if (coverage !== undefined) checkShare("coverage", coverage, { mayBeOne: true });
    checkShare("damping", damping, { mayBeOne: false });
    this.#web = new CrawledWeb({ damping, order, coverage });
    this.#table = new RequestTable(Request, this.#web);
    this.#waiting = new WaitingRequests(this.#web, this.#table);
    this.#reports = new OutcomeReports(this.#web, this.#table, (text) => this.#warn(text));
    this.#trust(seeds);
  }

  /** Wraps the request handler of the crawler (a router too). Without it, the links of no page are known. */
  handler<C extends HandlerContext>(handle: (context: C) => unknown): (context: C) => Promise<void> {
    const wrapped = async (context: C): Promise<void> => {
      if ("querySelector" in context) throw new UsageError(ADAPTIVE);
      const queued = this.#table.find(context.request);
      if (!fetchesPage(context.request)) {
        await handle(context);
        return;
      }
      const attempt: Attempt = { isComplete: false, isOver: false };
      if (queued !== undefined) queued.attempt = attempt;
      this.#hasRunHandler = true;
      attempt.content = await readContent(context);
      const page = this.#table.endOf(queued?.page ?? -1, attempt.content.url);
      await running.run({ queue: this, page, attempt }, async () => handle(context));
      attempt.content = await readLateLinks(context, attempt.content);
      attempt.isComplete = true;
    };
    // Crawlee looks for the schemas of a router.
    return Object.setPrototypeOf(wrapped, handle) as typeof wrapped;
  }

  /** The proved share of all importance, as of the last look: never above the truth. `certificate` is up to date. */
  get coverage(): number {
    return this.#web.certified;
  }

  /** What is proved now. */
  certificate(): Certificate {
    return this.#web.certificate();
  }

  /** What is not proved to be covered, by reason and host, largest first. */
  missing(): MissingShare[] {
    return this.#web.missing();
  }

  async isEmpty(): Promise<boolean> {
    return this.#waiting.peek() === undefined;
  }

  async isFinished(): Promise<boolean> {
    return this.#inFlight === 0 && this.#waiting.peek() === undefined;
  }

  async handledCount(): Promise<number> {
    return this.#handled;
  }

  getTotalCount(): number {
    return this.#table.size;
  }

  /**
   * Only requests in flight. Crawlee subtracts this from `maxRequestsPerCrawl` to find how many it may add: were all
   * that wait counted, it would keep the URLs that it saw first, and there would be nothing left to choose from.
   */
  getPendingCount(): number {
    return this.#inFlight;
  }

  async fetchNextRequest<T = unknown>(): Promise<(R & { userData: T }) | null> {
    const queued = this.#waiting.take();
    if (queued === undefined) return null;
    queued.state = "in-flight";
    queued.isOurs = false;
    queued.retryCount = queued.request.retryCount;
    this.#inFlight++;
    return queued.request as R & { userData: T };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R> {
    for (let request = await this.fetchNextRequest(); request !== null; request = await this.fetchNextRequest()) {
      yield request;
    }
  }

  async markRequestHandled(request: CrawleeRequest): Promise<OperationInfo | null> {
    const queued = this.#land(request, "handled");
    if (queued === undefined) return null;
    this.#handled++;
    request.handledAt = new Date(systemTimers.wallMs()).toISOString();
    this.#waiting.rethink();
    this.#reports.report(queued);
    this.#waiting.isClosed = this.#web.isReached;
    delete queued.attempt;
    return infoOf(queued, true);
  }

  async reclaimRequest(request: CrawleeRequest): Promise<OperationInfo | null> {
    const queued = this.#land(request, "waiting");
    if (queued === undefined) return null;
    this.#waiting.reclaim(queued);
    return infoOf(queued, true);
  }

  async addRequest(source: RequestSource): Promise<OperationInfo> {
    return { ...this.#add(this.#table.requestOf(source)), forefront: false };
  }

  async addRequestsBatched(sources: RequestSources, options: AddOptions = {}): Promise<AddedRequests> {
    const { maxNewRequests = Number.POSITIVE_INFINITY } = options;
    const addedRequests: AddedRequest[] = [];
    const requestsOverLimit: { url: string }[] = [];
    let count = 0;
    for await (const source of sources) {
      const request = this.#table.requestOf(source);
      if (count >= maxNewRequests && this.#isNew(request)) {
        // A limit is no filter: the link was taken, and its target is missing.
        this.#noteTaken(request);
        requestsOverLimit.push({ url: request.url });
        continue;
      }
      const added = this.#add(request);
      if (!added.wasAlreadyPresent) count++;
      addedRequests.push(added);
    }
    return { addedRequests, waitForAllRequestsToBeAdded: Promise.resolve([]), requestsOverLimit };
  }

  #trust(seeds: readonly string[]): void {
    const pages = new Set<number>();
    for (const seed of seeds) {
      const request = this.#table.requestOf(seed);
      const queued = this.#table.find(request) ?? this.#table.add(request, { isOurs: true });
      pages.add(queued.page);
    }
    for (const page of pages) this.#web.trusted(page, 1 / pages.size);
  }

  #isNew(request: R): boolean {
    return this.#table.find(request)?.isOurs ?? true;
  }

  #add(request: R): AddedRequest {
    this.#noteTaken(request);
    const before = this.#table.find(request);
    if (before !== undefined && !before.isOurs) return infoOf(before, true);
    const queued = this.#table.add(request, { isOurs: false });
    this.#waiting.add(queued);
    return infoOf(queued, false);
  }

  /** The page whose handler is running links to that of the request; or else nobody knows which page does. */
  #noteTaken(request: R): void {
    if (!fetchesPage(request)) return;
    const target = this.#table.pageOf(request);
    if (target < 0) return;
    const store = running.getStore();
    const isOfHandler = store?.queue === this && !store.attempt.isOver;
    if (store?.queue === this) this.#noteTakenBy(store, target);
    // A timer has the context of whichever handler has started it.
    if (!isOfHandler && this.#hasRunHandler) this.#noteRequested(target, request);
  }

  #noteTakenBy({ page, attempt }: { readonly page: number; readonly attempt: Attempt }, target: number): void {
    if (page < 0 || this.#web.take(page, target, attempt)) return;
    // Less is proved than before: the crawl may have to go on. Of a handler that runs, more is known at its end.
    this.#waiting.isClosed = attempt.isOver && this.#web.isReached;
    if (attempt.isOver) this.#warn(ADDED_LATE);
  }

  #noteRequested(target: number, { url }: R): void {
    if (!this.#web.requestedByUnknown(target, this.#table.keyOf(canonicalUrl(url) ?? url))) return;
    this.#waiting.isClosed = this.#web.isReached;
    this.#warn(ADDED_OUTSIDE);
  }

  /** A request that comes back; undefined for one that was not out, which nobody waits for. */
  #land(request: CrawleeRequest, state: "waiting" | "handled"): QueuedRequest<R> | undefined {
    const queued = this.#table.find(request);
    if (queued?.state !== "in-flight") return undefined;
    queued.state = state;
    if (queued.attempt !== undefined) queued.attempt.isOver = true;
    this.#inFlight--;
    return queued;
  }

  /** Says it once. */
  #warn(text: string): void {
    if (!this.#warned.has(text)) process.emitWarning(text, "TidemarkWarning");
    this.#warned.add(text);
  }
}

const ADAPTIVE =
  "AdaptivePlaywrightCrawler adds the links of a page when its handler has ended, so all of them would count as " +
  "dropped; expected a PlaywrightCrawler or a CheerioCrawler";

const ADDED_LATE =
  "a request handler added a request after it had ended, so the links of its page count as unknown; expected `await` " +
  "before enqueueLinks and addRequests";

function infoOf<R extends CrawleeRequest>(queued: QueuedRequest<R>, wasAlreadyPresent: boolean): OperationInfo {
  const { request, state } = queued;
  const { id = "", uniqueKey } = request;
  return { requestId: id, uniqueKey, wasAlreadyPresent, wasAlreadyHandled: state === "handled", forefront: false };
}
