/**
 * From a log to a queue: all that is known of pages and their changes when a refresh starts, and what they are worth
 * whenever facts have changed since. Nothing else is stored, so a refresh that was killed starts anew from here.
 */
import { isDownloaded, PageState } from "../../coverage/index.ts";
import { type EarlierReads, earlierMs, type Reread, type Visit } from "../../log/index.ts";
import { topPages } from "../../rank/index.ts";
import { ageOf, type RefreshQueue, saysChanged } from "../../refresh/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { endOfLastRun } from "../stop-reasons.ts";
import type { DayBudget } from "./day-budget.ts";
import { type Importance, importanceOf, importanceOfLog, type Weighed, weighedOf } from "./importance.ts";
import type { Copy, PageBook } from "./page-book.ts";
import { readingOfVisit } from "./reading.ts";
import type { Retries } from "./retries.ts";

const DAY_MS = 86_400_000;
/** New pages in the queue: the best of all that wait. */
const NEW_MAX = 100_000;
/** Smaller changes of importance do not change the order of reads. */
const NEGLIGIBLE = 0.01;

export interface RefreshState {
  readonly store: CrawlStore;
  readonly queue: RefreshQueue;
  readonly book: PageBook;
  readonly budget: DayBudget;
  readonly retries: Retries;
}

/** Reads the history of all pages into an empty queue. */
export function readHistory(state: RefreshState, nowMs: number): Weighed {
  const { store, queue, book } = state;
  const past = new PastReads(book, state.retries);
  // What the crawl itself has read before is not part of the budget.
  const spent = new SpentReads(nowMs - DAY_MS, endOfLastRun(store)?.atMs ?? Number.NEGATIVE_INFINITY);
  const importance = importanceOfLog(store, {
    visited: (visit) => {
      spent.visit(visit);
      if (isDownloaded(visit.outcome)) past.visited(visit);
    },
  });
  for (const visit of store.replacedVisits()) {
    spent.visit(visit);
    if (isDownloaded(visit.outcome)) past.replaced(visit.url, visit.atMs);
  }
  for (const reread of store.rereads()) {
    spent.reread(reread);
    past.reread(reread);
  }
  for (const atMs of spent.times()) state.budget.count(atMs, nowMs);
  for (let page = 0; page < book.count; page++) {
    const url = book.urlOf(page);
    book.setImportance(page, importanceOf(importance, url));
    queue.set(
      page,
      { host: importance.urls.hostOf(url), importance: book.importanceOf(page), ...past.of(page) },
      nowMs,
    );
    const retryMs = state.retries.retryMs(page);
    if (retryMs > nowMs) queue.failed(page, retryMs, nowMs);
  }
  addNew(state, importance, nowMs);
  return weighedOf(importance);
}

/** Weighs all pages by the facts of now: new ones come in, those that are gone are forgotten. */
export function weighAgain(state: RefreshState, nowMs: number): Weighed {
  const { queue, book } = state;
  const importance = importanceOfLog(state.store);
  for (let page = 0; page < book.count; page++) {
    const before = book.importanceOf(page);
    const now = importanceOf(importance, book.urlOf(page));
    if (Math.abs(now - before) <= NEGLIGIBLE * before) continue;
    book.setImportance(page, now);
    if (now === 0) queue.forget(page, nowMs);
    else queue.setImportance(page, now, nowMs);
  }
  addNew(state, importance, nowMs);
  return weighedOf(importance);
}

/** Pages that nobody has read yet compete with the others. */
function addNew({ queue, book }: RefreshState, { ledger, urls }: Importance, nowMs: number): void {
  const waiting = ledger.waiting.map((mass, url) => (ledger.state[url] === PageState.Open ? mass : 0));
  for (const url of topPages(waiting, NEW_MAX)) {
    if (waiting[url] === 0) break;
    if (book.pageOf(url) !== -1) continue;
    const page = book.add(url);
    book.setImportance(page, waiting[url]);
    queue.set(page, { ...NEVER_READ, host: urls.hostOf(url), importance: waiting[url] }, nowMs);
  }
}

const NEVER_READ = { lastReadMs: null, changedAfterMs: [], unchangedMs: 0, ageMs: null } as const;

/** Tells the queue what sitemaps say that was not said before. `saidMs`: the date that was told last, by page. */
export function tellDates({ store, queue, book }: RefreshState, saidMs: Map<number, number>, nowMs: number): void {
  for (const listed of store.listedUrls()) {
    const page = book.pageOf(listed.url);
    if (page === -1 || listed.modifiedMs === null) continue;
    const { sinceReadMs } = queue.explain(page, nowMs);
    if (sinceReadMs === null || (saidMs.get(page) ?? 0) >= listed.modifiedMs) continue;
    if (!saysChanged(listed, nowMs - sinceReadMs)) continue;
    saidMs.set(page, listed.modifiedMs);
    queue.signal(page, "sitemap", nowMs);
  }
}

/** What reads have shown, page by page, in typed arrays while the log is read. */
class PastReads {
  readonly #book: PageBook;
  readonly #retries: Retries;
  readonly #seenMs: number[] = [];
  readonly #quietMs: number[] = [];
  readonly #ageMs: (number | null)[] = [];
  /** Of pages that were found changed. */
  readonly #changed = new Map<number, number[]>();

  constructor(book: PageBook, retries: Retries) {
    this.#book = book;
    this.#retries = retries;
  }

  visited(read: Visit): void {
    const { number: visit, url, atMs, digest, etag, lastModified } = read;
    const page = this.#book.add(url);
    this.#seenMs[page] = atMs;
    this.#quietMs[page] = 0;
    this.#ageMs[page] = ageOf(lastModified, atMs);
    this.#book.setCopy(page, { visit, digest, etag, lastModified, ...readingOfVisit(read) });
  }

  /** The history of a page begins with its first visit. */
  replaced(url: number, atMs: number): void {
    const page = this.#book.pageOf(url);
    if (page === -1) return;
    this.#seenMs[page] = Math.min(this.#seenMs[page], atMs);
    this.#ageMs[page] = null;
  }

  reread(reread: Reread): void {
    const { url, atMs, outcome, reason } = reread;
    const page = this.#book.pageOf(url);
    if (page === -1) return;
    if (outcome === "failed") return this.#retries.failed(page, atMs, reason);
    if (outcome === "gone" || outcome === "moved") return this.#retries.absent(page, reread, outcome);
    this.#retries.succeeded(page);
    if (reread.earlier !== undefined) this.#earlier(page, reread.earlier);
    const sinceMs = Math.max(0, atMs - this.#seenMs[page]);
    // Also where the clock was set back, as the queue takes it.
    this.#seenMs[page] = atMs;
    if (outcome === "unchanged") this.#quietMs[page] += sinceMs;
    else if (sinceMs > 0) this.#changedAfter(page, [sinceMs]);
    this.#book.setCopy(page, renewedCopy(this.#book.copyOf(page), reread));
  }

  /** Reads whose rows were folded into a later one. */
  #earlier(page: number, earlier: EarlierReads): void {
    this.#quietMs[page] += earlier.quietMs;
    this.#changedAfter(page, earlier.changedAfterMs);
    this.#seenMs[page] += earlierMs(earlier);
  }

  #changedAfter(page: number, times: readonly number[]): void {
    if (times.length > 0) this.#changed.set(page, [...(this.#changed.get(page) ?? []), ...times]);
  }

  of(page: number) {
    const { etag, lastModified } = this.#book.copyOf(page);
    return {
      lastReadMs: this.#seenMs[page],
      changedAfterMs: this.#changed.get(page) ?? [],
      unchangedMs: this.#quietMs[page],
      ageMs: this.#ageMs[page],
      isConditional: etag !== null || lastModified !== null,
    };
  }
}

/**
 * A copy after a read. An unchanged page may have new validators. A change that no visit shows is one of a version
 * before 0.2: its digest would let the next read look unchanged, though the visit that counts has the old content.
 */
export function renewedCopy(copy: Copy, { outcome, digest, etag, lastModified, visit }: Reread): Copy {
  if (outcome === "unchanged") return { ...copy, etag, lastModified };
  return visit === null || visit < (copy.visit ?? 0) ? copy : { ...copy, visit, digest, etag, lastModified };
}

/** Reads since a time, without those of the crawl. One that found something new wrote a visit, too, and counts once. */
class SpentReads {
  readonly #sinceMs: number;
  readonly #crawledMs: number;
  readonly #visits = new Map<number, number>();
  readonly #rereads: number[] = [];

  /** `crawledMs`: when the crawl has ended. */
  constructor(sinceMs: number, crawledMs: number) {
    this.#sinceMs = sinceMs;
    this.#crawledMs = crawledMs;
  }

  /** What was refused was not requested. */
  visit({ number, atMs, outcome }: Pick<Visit, "number" | "atMs" | "outcome">): void {
    if (atMs > Math.max(this.#sinceMs, this.#crawledMs) && outcome !== "refused") this.#visits.set(number, atMs);
  }

  reread({ atMs, reason, visit }: Reread): void {
    if (visit !== null) this.#visits.delete(visit);
    if (atMs > this.#sinceMs && reason !== "robots") this.#rereads.push(atMs);
  }

  times(): readonly number[] {
    return [...this.#visits.values(), ...this.#rereads];
  }
}
