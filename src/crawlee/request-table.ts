/**
 * The requests of a crawler: who is who. Crawlee knows requests by their `uniqueKey`, coverage knows pages by their
 * URL.
 *
 * The first request of a URL stands for its page. Further ones of the same URL are outside of the graph: they are
 * handed out, and nothing is learnt from them but the links that their handlers take. Nothing at all is learnt from
 * requests that fetch something else than the page of their URL (POST, a payload, no navigation at all). URLs to which
 * Crawlee gives the same key are one page: it will never request both.
 */
import { UsageError } from "../base/index.ts";
import type { Source } from "../log/index.ts";
import { canonicalUrl } from "../web/index.ts";
import type { CrawleeRequest, RequestClass, RequestSource } from "./contract.ts";
import type { CrawledWeb } from "./crawled-web.ts";
import type { PageContent } from "./page-content.ts";

/** What an attempt at a request has seen. */
export interface Attempt {
  /** Undefined until the page was read. */
  content?: PageContent;
  /** Whether the handler ran to its end. */
  isComplete: boolean;
  /** Whether Crawlee has given the request back: what its handler still does comes too late. */
  isOver: boolean;
}

export interface QueuedRequest<R extends CrawleeRequest> {
  request: R;
  /** The page that it fetches; -1 outside of the graph. */
  readonly page: number;
  state: "waiting" | "in-flight" | "handled";
  /** Made for a seed by ourselves, and not handed out yet: the user's own request for it takes its place. */
  isOurs: boolean;
  /** Of the request when it was handed out last. */
  retryCount: number;
  attempt?: Attempt;
}

export class RequestTable<R extends CrawleeRequest> {
  readonly #class: RequestClass<R>;
  readonly #web: CrawledWeb;
  readonly #byKey = new Map<string, QueuedRequest<R>>();
  readonly #byPage = new Map<number, QueuedRequest<R>>();
  /** The page that was discovered first under the key of a URL, perhaps without a request under that key. */
  readonly #pagesByUrlKey = new Map<string, number>();
  #lastId = 0;

  constructor(requestClass: RequestClass<R>, web: CrawledWeb) {
    this.#class = requestClass;
    this.#web = web;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The request that was added before under the key of this one. */
  find({ uniqueKey }: { readonly uniqueKey: string }): QueuedRequest<R> | undefined {
    return this.#byKey.get(uniqueKey);
  }

  /** The request that fetches a page. */
  ofPage(page: number): QueuedRequest<R> | undefined {
    return this.#byPage.get(page);
  }

  /** Whether a page has a request that is not handled yet. */
  isUnderWay(page: number): boolean {
    const queued = this.#byPage.get(page);
    return queued !== undefined && queued.state !== "handled";
  }

  requestOf(source: RequestSource | string): R {
    if (source instanceof this.#class) return source;
    const { url, ...options } = typeof source === "string" ? { url: source } : source;
    if (typeof url === "string") return new this.#class({ ...options, url });
    throw new UsageError(
      'a request without a url was added; expected a URL, such as { url: "https://host/path" } (requestsFromUrl ' +
        "is not supported: read the list and add its URLs)",
    );
  }

  /** The page that a request links to or fetches; -1 if its URL is not that of a web page. */
  pageOf(request: R): number {
    const url = canonicalUrl(request.url);
    if (url === null) return -1;
    const queued = this.find(request);
    if (queued !== undefined && queued.page >= 0) this.#web.alias(url, queued.page);
    return this.#discover(url, "link");
  }

  #discover(url: string, source: Source): number {
    const known = this.#web.find(url);
    if (known !== undefined) return known;
    const key = this.keyOf(url);
    const same = this.#sameAs(url, key);
    if (same !== undefined) return same;
    const page = this.#web.discover(url, source);
    this.#pagesByUrlKey.set(key, page);
    return page;
  }

  /** The page that was seen under this key by another way to write its URL. */
  #sameAs(url: string, key: string): number | undefined {
    const page = this.#byKey.get(key)?.page ?? -1;
    const same = page < 0 ? this.#pagesByUrlKey.get(key) : page;
    if (same !== undefined) this.#web.alias(url, same);
    return same;
  }

  /** The key that Crawlee gives to a URL. */
  keyOf(url: string): string {
    return this.requestOf(url).uniqueKey;
  }

  /** The page of a canonical URL, or of another one under the same key; undefined for one that was never seen. */
  seenPage(url: string): number | undefined {
    return this.#web.find(url) ?? this.#sameAs(url, this.keyOf(url));
  }

  /** The page at the end of a request's redirects. From /path to /path/ is none: Crawlee gives both one key. */
  endOf(page: number, url: string): number {
    const canonical = canonicalUrl(url);
    if (canonical === null) return page;
    return this.#discover(canonical, "redirect");
  }

  /** A request under a new key; or one for a seed, in the place of ours. */
  add(request: R, options: { readonly isOurs: boolean }): QueuedRequest<R> {
    const page = this.pageOf(request);
    const before = this.#byPage.get(page);
    const isReplaced = before?.isOurs === true && fetchesPage(request);
    if (isReplaced) this.#byKey.delete(before.request.uniqueKey);
    const isOfPage = page >= 0 && fetchesPage(request) && (before === undefined || isReplaced);
    this.#giveWay(request);
    request.id = String(++this.#lastId);
    const { isOurs } = options;
    const queued: QueuedRequest<R> = {
      request,
      page: isOfPage ? page : -1,
      state: "waiting",
      isOurs,
      retryCount: 0,
    };
    this.#byKey.set(request.uniqueKey, queued);
    if (isOfPage) this.#byPage.set(page, queued);
    return queued;
  }

  /** Crawlee may give a POST the key of the seed at its URL. Ours takes another one: both are requested. */
  #giveWay({ uniqueKey }: R): void {
    const ours = this.#byKey.get(uniqueKey);
    if (ours === undefined) return;
    const options = { url: ours.request.url, uniqueKey: `seed ${uniqueKey}` };
    const { id } = ours.request;
    ours.request = this.requestOf(options);
    ours.request.id = id;
    this.#byKey.set(ours.request.uniqueKey, ours);
  }
}

/** Whether a request fetches the page of its URL, as a link to it does. */
export function fetchesPage({ method, payload, skipNavigation }: CrawleeRequest): boolean {
  return method === "GET" && payload === undefined && !skipNavigation;
}
