/**
 * From a log to a queue: all that is known of pages and their changes when a refresh starts, and what they are worth
 * whenever facts have changed since. Nothing else is stored, so a refresh that was killed starts anew from here.
 */
import type { Reread, Visit } from "../../log/index.ts";
import { topPages } from "../../rank/index.ts";
import { type ModifiedTrust, type RefreshQueue, saysChanged } from "../../refresh/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { endOfLastRun } from "../stop-reasons.ts";
import type { DayBudget } from "./day-budget.ts";
import {
  type FailedVisits,
  type Importance,
  importanceOf,
  importanceOfLog,
  unreadImportance,
  type Weighed,
  weighedOf,
} from "./importance.ts";
import type { PageBook } from "./page-book.ts";
import { PastReads } from "./past-reads.ts";
import type { Retries } from "./retries.ts";

const DAY_MS = 86_400_000;
/** New pages that one weighing adds to the queue at most: the best of all that wait. Those of earlier ones stay. */
const NEW_MAX = 100_000;
/** Between as many pages others have their turn. */
const PAGES_PER_STEP = 4096;
/** Smaller changes of importance do not change the order of reads. */
const NEGLIGIBLE = 0.01;

export interface RefreshState {
  readonly store: CrawlStore;
  readonly queue: RefreshQueue;
  readonly book: PageBook;
  readonly budget: DayBudget;
  readonly retries: Retries;
  readonly failed: FailedVisits;
  /** What is known of the dates of each host: the queue has the same object. */
  readonly dates: ModifiedTrust;
}

/** Reads the history of all pages into an empty queue, in steps. */
export function* readHistory(state: RefreshState, nowMs: number): Generator<unknown, Weighed> {
  const { store, queue, book } = state;
  const past = new PastReads(book, state.retries);
  // What the crawl itself has read before is not part of the budget.
  const spent = new SpentReads(nowMs - DAY_MS, endOfLastRun(store)?.atMs ?? Number.NEGATIVE_INFINITY);
  const failures: Pick<Visit, "url" | "atMs" | "detail">[] = [];
  const importance = yield* importanceOfLog(store, {
    visited: (visit) => {
      spent.visit(visit);
      const { url, atMs, outcome, reason, detail } = visit;
      if (outcome === "try-again" || reason === "failed") failures.push({ url, atMs, detail });
      state.failed.visited(visit);
      past.visited(visit);
    },
  });
  for (const visit of store.replacedVisits()) {
    spent.visit(visit);
    past.replaced(visit);
    if (visit.number % PAGES_PER_STEP === 0) yield;
  }
  for (const reread of store.rereads()) {
    spent.reread(reread);
    past.reread(reread);
    if (reread.number % PAGES_PER_STEP === 0) yield;
    const { url, atMs, outcome, reason: detail } = reread;
    if (outcome === "failed" && state.failed.of(url) !== undefined) failures.push({ url, atMs, detail });
  }
  past.noteDates(state.dates, (url) => importance.urls.hostOf(url));
  for (const atMs of spent.times()) state.budget.count(atMs, nowMs);
  for (let page = 0; page < book.count; page++) {
    const url = book.urlOf(page);
    book.setImportance(page, importanceOf(importance, url));
    const host = importance.urls.hostOf(url);
    const { seenMs: lastReadMs, triedMs: _, ...reads } = past.of(page, state.dates.isTrusted(host));
    const known = { host, importance: book.importanceOf(page), lastReadMs, ...reads };
    queue.set(page, { ...known, changedAfterMs: [] }, nowMs);
    if (page % PAGES_PER_STEP === 0) yield;
  }
  addNew(state, importance, nowMs);
  for (const { url, atMs, detail } of failures) {
    const page = book.pageOf(url);
    // A page that was downloaded since has not failed any more.
    if (page !== -1 && book.copyOf(page).visit === null) state.retries.failed(page, atMs, detail);
  }
  for (let page = 0; page < book.count; page++) {
    const retryMs = state.retries.retryMs(page);
    if (retryMs > nowMs) queue.failed(page, retryMs, nowMs);
  }
  return weighedOf(importance);
}

/** Weighs all pages by the facts of now, in steps: new ones come in, those that are gone are forgotten. */
export function* weighAgain(state: RefreshState, nowMs: number): Generator<unknown, Weighed> {
  const { queue, book } = state;
  const importance = yield* importanceOfLog(state.store);
  for (let page = 0; page < book.count; page++) {
    if (page % PAGES_PER_STEP === 0) yield;
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
  const waiting = Float64Array.from(ledger.waiting, (_, url) => unreadImportance(ledger, url));
  for (const url of topPages(waiting, NEW_MAX)) {
    if (waiting[url] === 0) break;
    if (book.pageOf(url) !== -1) continue;
    const page = book.add(url);
    book.setImportance(page, waiting[url]);
    queue.set(page, { ...NEVER_READ, host: urls.hostOf(url), importance: waiting[url] }, nowMs);
  }
}

const NEVER_READ = { lastReadMs: null, changedAfterMs: [], unchangedMs: 0, ageMs: null } as const;

/**
 * Tells the queue what sitemaps say that was not said before. `saidMs`: the date that was told last, by page. Returns
 * when the last of the sitemaps was read, Unix time in milliseconds; -Infinity if none was.
 */
export function tellDates({ store, queue, book }: RefreshState, saidMs: Map<number, number>, nowMs: number): number {
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const listed of store.listedUrls()) {
    latestMs = Math.max(latestMs, listed.listedMs);
    const page = book.pageOf(listed.url);
    if (page === -1 || listed.modifiedMs === null || (saidMs.get(page) ?? 0) >= listed.modifiedMs) continue;
    const readMs = queue.lastReadMs(page, nowMs);
    if (readMs === null || !saysChanged(listed, readMs)) continue;
    saidMs.set(page, listed.modifiedMs);
    queue.signal(page, "sitemap", nowMs);
  }
  return latestMs;
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
