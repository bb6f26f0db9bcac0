/**
 * Which page to read next, for millions of pages: always the one whose read is worth most now, of the hosts that may be
 * read now, as long as the budget allows a read.
 *
 * For known change rates this follows the best schedule (freshness.ts, signalled-gain.ts): the value of a page at which
 * it is read settles at one level, the Lagrange multiplier of the budget, without anybody computing it, and moves when
 * the budget moves. A host that may give fewer reads than its pages deserve is read at its limit, best pages first, and
 * the rest of the budget goes to other hosts. That is the optimum under limits per host (A. Kolobov, E. Lubetzky, Y.
 * Peres, E. Horvitz, Optimal freshness crawl under politeness constraints, SIGIR 2019; docs/refresh.md): a page is
 * read when its value reaches the level of the budget or that of its host, whichever is higher.
 *
 * Values grow with time, each in its own way, so no heap of values stays in order. Pages are therefore kept by bounds
 * of their values, and a queue of times says when the value of a page may have reached its bound, so that it needs a
 * new one. The page with the highest bound is looked at: if it is worth its bound, up to the `resolution`, it is
 * chosen; else it gets a closer bound, and the next one is looked at. So the chosen page is worth at least the best
 * one, divided by 1 + `resolution`. Bounds are close to the values of pages that are nearly worth a read, and twice the
 * values of others; a page that is worth less than a millionth of the level sleeps until it is worth that. A few pages
 * per read are looked at in turn, in case an estimate has changed since.
 *
 * Cost per read: O(log n) for each of some 40 looks. Memory: 44 bytes per page, 65 per host. Time is an argument and
 * must not go back (`RefreshQueue` sees to it).
 */
import { assert, capacityFor, enlarged, IndexedHeap } from "../base/index.ts";
import { PageHeaps } from "./page-heaps.ts";
import { ReadAllowances } from "./read-allowance.ts";

/** What reads are worth. */
export interface ReadValues {
  /** What a read of the page is worth at a time. It grows with time, or falls a little. */
  valueAt(page: number, atMs: number): number;
  /**
   * A time until which the page is worth at most `value`, from a time on at which it is worth less: rather too early
   * than too late. Infinity if it is never worth more.
   */
  belowUntilMs(page: number, value: number, fromMs: number): number;
}

export interface ReadLimits {
  /** How many pages may be read per day. */
  readonly readsPerDay: number;
  /** How many pages of one host may be read per day (default: any number). */
  readonly hostReadsPerDay?: number;
  /** For how long reads that were not made may be made up for, in milliseconds (default: an hour). */
  readonly keptMs?: number;
}

export interface ReadSchedulerOptions extends ReadLimits {
  readonly values: ReadValues;
  readonly startMs: number;
  /** How much less the chosen page may be worth than the best one, as a share (default: 0.05). */
  readonly resolution?: number;
}

/** For how long reads that were not made may be made up for. */
export const KEPT_MS_DEFAULT = 3_600_000;
/** From this share of the level on, bounds are close to values. */
const NEAR = 0.5;
/** How far bounds are above values elsewhere. */
const COARSE = 2;
/** Pages below this share of the level sleep. */
const LEAST = 2 ** -20;
/** How fast the level follows the value of a read below it, and above it: it stays near the least values. */
const FALL = 1 / 16;
const RISE = 1 / 64;
/** How many pages are looked at per read, in turn. */
const REVIEWS = 16;
/** The bucket of the whole crawl. */
const CRAWL = 0;

export class ReadScheduler {
  readonly #values: ReadValues;
  readonly #hostReadsPerDay: number;
  /** How far above its value the bound of a chosen page may be. */
  readonly #resolution: number;
  /** How far bounds are above values near the level: less, since an estimate that falls a little changes nothing. */
  readonly #fine: number;
  readonly #budget: ReadAllowances;
  readonly #allowances: ReadAllowances;
  readonly #startMs: number;
  /** The host of each page plus one; 0 for a page that is not here. */
  #hosts = new Uint32Array(64);
  /** Pages that are awake, by bounds of their values. */
  readonly #awake = new PageHeaps();
  /** Pages by the time at which to look at them again, negative: the greatest key is the earliest. */
  readonly #looks = new IndexedHeap(64);
  /** Hosts with pages awake that may be read, by their highest bounds. */
  readonly #ready = new IndexedHeap(64);
  /** Hosts with pages awake that must wait, by the time until which, negative. */
  readonly #waiting = new IndexedHeap(64);
  #pausedUntilMs = new Float64Array(64);
  #hostCount = 0;
  #level = 0;
  /** The page that is reviewed next. */
  #reviewed = 0;
  /** Pages have numbers below this. */
  #count = 0;
  /** How many pages are here. */
  #size = 0;

  constructor(options: ReadSchedulerOptions) {
    const {
      values,
      readsPerDay,
      hostReadsPerDay = Infinity,
      keptMs = KEPT_MS_DEFAULT,
      startMs,
      resolution = 0.05,
    } = options;
    this.#values = values;
    this.#hostReadsPerDay = hostReadsPerDay;
    this.#resolution = 1 + resolution;
    this.#fine = Math.sqrt(1 + resolution);
    this.#startMs = startMs;
    this.#budget = new ReadAllowances(keptMs);
    this.#budget.setLimit(CRAWL, readsPerDay, startMs);
    this.#allowances = new ReadAllowances(keptMs);
  }

  /** What the last reads were worth at least: what one more read per day would add to the freshness. */
  get level(): number {
    return this.#level;
  }

  /** Adds a page, or looks at it again: after it was read, or when anything else has changed its value. */
  update(page: number, host: number, nowMs: number): void {
    this.#grow(page, host);
    if (this.#hosts[page] !== 0 && this.#hosts[page] !== host + 1) this.remove(page, nowMs);
    if (this.#hosts[page] === 0) this.#size++;
    this.#hosts[page] = host + 1;
    this.#look(page, nowMs);
  }

  /** Takes a page out until it is added again. */
  remove(page: number, nowMs: number): void {
    if (!this.has(page)) return;
    const host = this.#hosts[page] - 1;
    this.#hosts[page] = 0;
    this.#size--;
    this.#looks.remove(page);
    this.#awake.remove(page, host);
    this.#place(host, nowMs);
  }

  has(page: number): boolean {
    return this.#hosts[page] > 0;
  }

  /** Reads nothing of a host until then, for instance because it has asked for patience. */
  pauseHost(host: number, untilMs: number, nowMs: number): void {
    this.#growHosts(host);
    this.#pausedUntilMs[host] = untilMs;
    this.#place(host, nowMs);
  }

  /**
   * Takes the page to read now out and counts the read; -1 if none may be read or is worth it. `update` adds the page
   * again once it was read.
   */
  take(nowMs: number): number {
    if (this.#budget.readyMs(CRAWL, nowMs) > nowMs) return -1;
    this.#advance(nowMs);
    while (this.#ready.size > 0) {
      const host = this.#ready.top;
      const page = this.#awake.top(host);
      const value = this.#values.valueAt(page, nowMs);
      if (value * this.#resolution < this.#awake.key(page)) this.#bind(page, value, this.#fine, nowMs);
      else return this.#spend(page, value, nowMs);
    }
    return -1;
  }

  /** When `take` may next have a page: now, or a later time. Infinity if there are no pages. */
  nextMs(nowMs: number): number {
    if (this.#size === 0) return Infinity;
    const budgetMs = this.#budget.readyMs(CRAWL, nowMs);
    // What will be the best page then is not looked for before.
    if (budgetMs > nowMs) return budgetMs;
    this.#advance(nowMs);
    if (this.#ready.size > 0) return budgetMs;
    const isAnyAsleep = this.#awake.size < this.#size;
    return Math.max(budgetMs, Math.min(-this.#waiting.topKey, isAnyAsleep ? -this.#looks.topKey : Infinity));
  }

  /** When a host may be read: now, or a later time. */
  hostReadyMs(host: number, nowMs: number): number {
    this.#growHosts(host);
    return Math.max(nowMs, this.#allowedMs(host, nowMs));
  }

  /** A bound of what a page is worth; 0 if it sleeps or is not here. */
  boundOf(page: number): number {
    return this.has(page) ? this.#awake.key(page) : 0;
  }

  /** Looks at all pages again, since all estimates have changed. Takes O(n log n). */
  reviewAll(nowMs: number): void {
    for (let page = 0; page < this.#count; page++) if (this.has(page)) this.#look(page, nowMs);
  }

  #spend(page: number, value: number, nowMs: number): number {
    const host = this.#hosts[page] - 1;
    const share = value < this.#level ? FALL : RISE;
    this.#level = this.#level === 0 ? value : this.#level * (value / this.#level) ** share;
    this.#budget.spend(CRAWL, 1, nowMs);
    this.#allowances.spend(host, 1, nowMs);
    this.remove(page, nowMs);
    this.#review(nowMs);
    return page;
  }

  /** Looks at the pages whose time has come, and at the hosts that need wait no longer. */
  #advance(nowMs: number): void {
    while (-this.#looks.topKey <= nowMs) this.#look(this.#looks.pop(), nowMs);
    while (-this.#waiting.topKey <= nowMs) this.#place(this.#waiting.pop(), nowMs);
  }

  #review(nowMs: number): void {
    for (let k = 0; k < Math.min(REVIEWS, this.#count); k++) {
      this.#reviewed = (this.#reviewed + 1) % this.#count;
      if (this.has(this.#reviewed)) this.#look(this.#reviewed, nowMs);
    }
  }

  #look(page: number, nowMs: number): void {
    const value = this.#values.valueAt(page, nowMs);
    const isNear = this.#level > 0 && value >= NEAR * this.#level;
    this.#bind(page, value, isNear ? this.#fine : COARSE, nowMs);
  }

  /** Sets the bound of a page to so many times its value, and when to look at it again. */
  #bind(page: number, value: number, factor: number, nowMs: number): void {
    const host = this.#hosts[page] - 1;
    const least = LEAST * this.#level;
    const bound = Math.max(least, value * factor);
    if (value > least) this.#awake.set(page, host, bound);
    else this.#awake.remove(page, host);
    this.#place(host, nowMs);
    const againMs = this.#values.belowUntilMs(page, bound, nowMs);
    if (againMs < Infinity) setKey(this.#looks, page, -Math.max(againMs, nowMs + 1));
    else this.#looks.remove(page);
  }

  /** Puts a host where it belongs: ready, waiting, or neither if none of its pages is awake. */
  #place(host: number, nowMs: number): void {
    const page = this.#awake.top(host);
    const allowedMs = page === -1 ? Infinity : this.#allowedMs(host, nowMs);
    if (allowedMs <= nowMs) setKey(this.#ready, host, this.#awake.key(page));
    else this.#ready.remove(host);
    if (page !== -1 && allowedMs > nowMs) setKey(this.#waiting, host, -allowedMs);
    else this.#waiting.remove(host);
  }

  #allowedMs(host: number, nowMs: number): number {
    return Math.max(this.#pausedUntilMs[host], this.#allowances.readyMs(host, nowMs));
  }

  #grow(page: number, host: number): void {
    this.#growHosts(host);
    this.#count = Math.max(this.#count, page + 1);
    if (page >= this.#hosts.length) {
      this.#hosts = enlarged(this.#hosts, capacityFor(page + 1, this.#hosts.length));
      this.#looks.grow(this.#hosts.length);
      this.#awake.grow({ pages: this.#hosts.length, hosts: 0 });
    }
  }

  #growHosts(host: number): void {
    if (host < this.#hostCount) return;
    assert(Number.isInteger(host), "hosts are numbered");
    this.#allowances.grow(host + 1);
    this.#awake.grow({ pages: 0, hosts: host + 1 });
    if (host >= this.#pausedUntilMs.length) {
      this.#pausedUntilMs = enlarged(this.#pausedUntilMs, capacityFor(host + 1, this.#pausedUntilMs.length));
      this.#ready.grow(this.#pausedUntilMs.length);
      this.#waiting.grow(this.#pausedUntilMs.length);
    }
    for (let each = this.#hostCount; each <= host; each++) {
      this.#pausedUntilMs[each] = Number.NEGATIVE_INFINITY;
      this.#allowances.setLimit(each, this.#hostReadsPerDay, this.#startMs);
    }
    this.#hostCount = host + 1;
  }
}

/** Sets the key of an id, which may rise or fall or be new. */
function setKey(heap: IndexedHeap, id: number, key: number): void {
  if (heap.has(id)) heap.change(id, key);
  else heap.raise(id, key);
}
