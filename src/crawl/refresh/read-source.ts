/**
 * Hands out the pages to read, one at a time, as the budget, the calendar and the hosts allow.
 *
 * Life of a page here: handed out, then `done`. A host has as many pages handed out as it has connections; meanwhile
 * the queue gives pages of other hosts. All together there are as many as the crawl has connections.
 */
import type { RefreshCalendar, RefreshQueue } from "../../refresh/index.ts";
import type { DayBudget } from "./day-budget.ts";

export interface ReadSourceOptions {
  readonly queue: RefreshQueue;
  readonly calendar: RefreshCalendar;
  readonly budget: DayBudget;
  readonly hostOf: (page: number) => number;
  /** How many pages of a host may be read at the same time. */
  readonly connectionsOf: (host: number) => number;
  /** The same, of all hosts together. */
  readonly concurrency: number;
}

export class ReadSource {
  readonly #options: ReadSourceOptions;
  /** Pages that were handed out, by host. */
  readonly #atHost = new Map<number, number>();
  /** Hosts that are to be left alone until a time by the clock. */
  readonly #pausedUntilMs = new Map<number, number>();
  #out = 0;

  constructor(options: ReadSourceOptions) {
    this.#options = options;
  }

  /** Pages that were handed out. */
  get out(): number {
    return this.#out;
  }

  /** The page to read now; -1 if none may be read before `nextMs`. */
  next(nowMs: number): number {
    const { queue, calendar, budget, hostOf, connectionsOf, concurrency } = this.#options;
    if (this.#out >= concurrency || this.#allowedMs(nowMs) > nowMs) return -1;
    const page = queue.next(nowMs);
    if (page === -1) return -1;
    calendar.started(nowMs);
    budget.count(nowMs, nowMs);
    const host = hostOf(page);
    const atHost = (this.#atHost.get(host) ?? 0) + 1;
    this.#atHost.set(host, atHost);
    this.#out++;
    if (atHost >= connectionsOf(host)) queue.pauseHost(host, Infinity, nowMs);
    return page;
  }

  /** When to ask for the next page: now, or later. Infinity while there is nothing to wait for but pages handed out. */
  nextMs(nowMs: number): number {
    const { queue, concurrency } = this.#options;
    if (this.#out >= concurrency) return Infinity;
    return Math.max(this.#allowedMs(nowMs), queue.nextMs(nowMs));
  }

  /** A page was read, or will not be: its host has a connection to spare. The queue was told what came of it. */
  done(page: number, nowMs: number): void {
    const host = this.#options.hostOf(page);
    const left = (this.#atHost.get(host) ?? 0) - 1;
    if (left > 0) this.#atHost.set(host, left);
    else this.#atHost.delete(host);
    this.#out--;
    this.#wake(host, nowMs);
  }

  /** A host is to be left alone for a while. */
  pause(host: number, untilMs: number, nowMs: number): void {
    if (untilMs <= (this.#pausedUntilMs.get(host) ?? nowMs)) return;
    this.#pausedUntilMs.set(host, untilMs);
    this.#wake(host, nowMs);
  }

  #wake(host: number, nowMs: number): void {
    const { queue, connectionsOf } = this.#options;
    const untilMs = this.#pausedUntilMs.get(host) ?? nowMs;
    if (untilMs <= nowMs) this.#pausedUntilMs.delete(host);
    const isFull = (this.#atHost.get(host) ?? 0) >= connectionsOf(host);
    queue.pauseHost(host, isFull ? Infinity : Math.max(nowMs, untilMs), nowMs);
  }

  #allowedMs(nowMs: number): number {
    return Math.max(this.#options.calendar.readyMs(nowMs), this.#options.budget.readyMs(nowMs));
  }
}
