/**
 * What a request that was handled says about its page, told to the order and to the certificate once per page:
 *
 *     handler ran to its end         downloaded; a link that it did not add leads to the sink of dropped links
 *     handler threw, or not wrapped  links unknown
 *     404, 410                       dead
 *     401, 403, 451                  forbidden (or blocked, if a host does so all the time)
 *     skipped by robots.txt          refused: robots
 *     skipped after a redirect       refused: nofollow, like a dropped link
 *     anything else                  refused: failed
 *
 * If a link that the handler did not add was requested from outside of all handlers, the links are unknown, too.
 *
 * Redirects lead to the URL that was loaded, and it is that page of which the above is told; unless it has a request of
 * its own that is not handled yet, whose handler may take other links (Crawlee's labels). If a handler takes further
 * links of a page that was told before, its links are told once more, when that handler has run to its end.
 */
import { meaningOfStatus } from "../fetch/index.ts";
import { type CrawleeRequest, RequestState } from "./contract.ts";
import type { CrawledWeb } from "./crawled-web.ts";
import type { PageContent } from "./page-content.ts";
import type { Attempt, QueuedRequest, RequestTable } from "./request-table.ts";

const NOT_WRAPPED =
  "the request handler is not wrapped, so the links of pages are unknown and little coverage can be proved; expected " +
  "`requestHandler: queue.handler(...)`";

/** The links of pages are unknown because of requests that were made outside of their handlers. */
export const ADDED_OUTSIDE =
  "a request was added outside of the request handlers (by a timer, an event, or a list that they share), so the " +
  "links of pages that link to it and did not add it count as unknown; expected that each handler adds the links of " +
  "its page and awaits it";

export class OutcomeReports<R extends CrawleeRequest> {
  readonly #web: CrawledWeb;
  readonly #table: RequestTable<R>;
  readonly #warn: (text: string) => void;

  constructor(web: CrawledWeb, table: RequestTable<R>, warn: (text: string) => void) {
    this.#web = web;
    this.#table = table;
    this.#warn = warn;
  }

  report(queued: QueuedRequest<R>): void {
    const { page, request, attempt } = queued;
    if (page < 0 || this.#web.hasOutcome(page)) {
      this.#reportAgain(queued);
      return;
    }
    const content = attempt?.content;
    if (attempt === undefined || content === undefined) {
      this.#reportUnseen(page, request);
      return;
    }
    const end = this.#table.endOf(page, content.url);
    if (this.#web.goesRound(page, end)) {
      this.#reportSeen(page, content, attempt);
      return;
    }
    this.#web.redirected(page, end);
    if (this.#web.hasOutcome(end)) this.#reportAgain(queued);
    else if (!this.#table.isUnderWay(end)) this.#reportSeen(end, content, attempt);
  }

  /** The request has fetched a page of which is told already. */
  #reportAgain({ page, attempt }: QueuedRequest<R>): void {
    const { content, isComplete } = attempt ?? {};
    if (content === undefined || content.links === null || isComplete !== true) return;
    const end = this.#web.endOf(this.#table.endOf(page, content.url));
    const taken = this.#web.takenInAll(end);
    if (taken === undefined || meaningOf(content) !== "page") return;
    const dropped = this.#droppedOf(end, content.links, (target) => taken.has(target));
    if (!this.#mayHaveTaken(dropped)) this.#web.relinked(end, dropped);
  }

  #reportSeen(page: number, content: PageContent, { isComplete }: Attempt): void {
    const { links } = content;
    const meaning = meaningOf(content);
    if (meaning === "dead") this.#web.dead(page);
    else if (meaning === "forbidden") this.#web.refused(page, "forbidden");
    else if (meaning !== "page") this.#web.refused(page, "failed");
    else if (links === null || !isComplete) this.#web.linksUnknown(page);
    else this.#reportLinks(page, links);
  }

  #reportLinks(page: number, links: ReadonlySet<string>): void {
    const dropped = this.#droppedOf(page, links, (target) => this.#web.hasTaken(page, target));
    if (this.#web.hasDoubtfulLinks(page) || this.#mayHaveTaken(dropped)) this.#web.linksUnknown(page);
    else this.#web.downloaded(page, dropped);
  }

  #mayHaveTaken(dropped: ReadonlySet<string>): boolean {
    const mayHave = this.#web.mayHaveTaken(dropped);
    if (mayHave) this.#warn(ADDED_OUTSIDE);
    return mayHave;
  }

  /**
   * The links of a page that no handler has taken, by their keys. What a handler requests is a link too, though it may
   * stand in no HTML: in data, or in the shadow of an element.
   */
  #droppedOf(page: number, links: ReadonlySet<string>, isTaken: (target: number) => boolean): ReadonlySet<string> {
    const dropped = new Set<string>();
    for (const link of links) {
      const target = this.#table.seenPage(link);
      if (target === page || (target !== undefined && isTaken(target))) continue;
      dropped.add(this.#table.keyOf(link));
    }
    return dropped;
  }

  /** The handler was never called, or is not wrapped. */
  #reportUnseen(page: number, { state, loadedUrl }: R): void {
    if (state === RequestState.Skipped) this.#web.refused(page, loadedUrl === undefined ? "robots" : "nofollow");
    else if (state !== RequestState.Done) this.#web.refused(page, "failed");
    else {
      this.#web.linksUnknown(page);
      this.#warn(NOT_WRAPPED);
    }
  }
}

function meaningOf({ status }: PageContent): ReturnType<typeof meaningOfStatus> {
  return status === null ? "page" : meaningOfStatus(status);
}
