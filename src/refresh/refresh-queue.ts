/**
 * What a crawl that goes on for ever asks: which page to read now, new or again, and when to ask next.
 *
 * One object brings together what is known of pages (`ChangeModel`), whose turn it is (`ReadScheduler`), and a time
 * that never goes back (`SteadyTime`). It does no I/O and reads no clock: every call says what time it is. Pages and
 * hosts are numbers, best small ones: arrays are as long as the greatest.
 *
 *     const queue = new RefreshQueue({ startMs, readsPerDay: 1000, hostReadsPerDay: 200 });
 *     queue.set(page, history, nowMs)             for each page of the log, and for each that is discovered
 *     queue.signal(page, "sitemap", nowMs)        its date in the sitemap has moved
 *     const page = queue.next(nowMs)              -1: ask again at queue.nextMs(nowMs)
 *     queue.read(page, found, nowMs)              what came of it; or failed, forget
 *
 * A page that `next` has given is out of the queue until `read`, `failed` or `forget`. The state is a function of the
 * calls, so a crawl that was stopped makes the queue anew from its log.
 */
import { TimedQueue, UsageError } from "../base/index.ts";
import { topPages } from "../rank/index.ts";
import { ChangeModel, type FoundRead, type PageHistory, type ValueTerms } from "./change-model.ts";
import { ModifiedTrust } from "./modified-trust.ts";
import { type ReadLimits, ReadScheduler } from "./read-scheduler.ts";
import type { SignalQuality } from "./signalled-gain.ts";
import { SteadyTime } from "./steady-time.ts";

/** How often to learn anew how often the pages of each host change. */
const LEARNING_MS = 7 * 86_400_000;
/** How many pages are looked at for each that is shown. */
const CANDIDATES = 8;

export interface RefreshQueueOptions extends ReadLimits {
  readonly startMs: number;
  /** Where signals come from (default: sitemaps, which include feeds). */
  readonly sources?: readonly string[];
  /** What is known of the Last-Modified dates of each host (default: nothing). */
  readonly dates?: ModifiedTrust;
}

/** Why a page is read next. */
export interface ReadReason extends Omit<ValueTerms, "signals" | "quality"> {
  /** Signals since the last read, and what is known of the signals of its host. */
  readonly signals: readonly ({ readonly source: string; readonly count: number } & SignalQuality)[];
  /** The value at which pages are read now: a page above it is next, unless its host must wait. */
  readonly level: number;
  /** When its host may be read. */
  readonly hostReadyMs: number;
}

/** How fresh the copies are, as shares of the importance of all known pages. */
export interface CopyFreshness {
  /** The expected share whose copies are current. */
  readonly current: number;
  /** The shares whose copies are certainly no older than each of the given ages. */
  readonly noOlderThan: readonly number[];
}

/** One failure of a page, after which it waits. */
interface Wait {
  readonly page: number;
}

export class RefreshQueue {
  readonly #sources: readonly string[];
  readonly #time = new SteadyTime();
  readonly #model: ChangeModel;
  readonly #scheduler: ReadScheduler;
  /** Pages that are being read (null), or wait after a failure. */
  readonly #away = new Map<number, Wait | null>();
  /** Those that wait, and others of which something else was told since. */
  readonly #waits = new TimedQueue<Wait>();
  #learnMs = Number.NEGATIVE_INFINITY;

  constructor(options: RefreshQueueOptions) {
    const { startMs, sources = ["sitemap"], dates = new ModifiedTrust(), ...limits } = options;
    expectAboveZero(limits.readsPerDay, "the budget", "reads per day");
    expectAboveZero(limits.hostReadsPerDay ?? Infinity, "the limit per host", "reads per day");
    this.#sources = sources;
    this.#model = new ChangeModel({ sources: sources.length, dates });
    this.#scheduler = new ReadScheduler({ values: this.#model, startMs: this.#time.at(startMs), ...limits });
  }

  /** Adds a page, or replaces all that is known of it. */
  set(page: number, history: PageHistory, nowMs: number): void {
    const atMs = this.#time.at(nowMs);
    const { lastReadMs, sinceMs } = history;
    this.#model.set(page, {
      ...history,
      lastReadMs: lastReadMs === null ? null : this.#time.past(lastReadMs),
      ...(sinceMs === undefined ? {} : { sinceMs: this.#time.past(sinceMs) }),
    });
    this.#update(page, atMs);
  }

  setImportance(page: number, importance: number, nowMs: number): void {
    this.#model.setImportance(page, importance);
    this.#update(page, this.#time.at(nowMs));
  }

  /**
   * A source says that a page has changed. Of a page that is being read it says nothing, since the read will show it.
   */
  signal(page: number, source: string, nowMs: number): void {
    const index = this.#sources.indexOf(source);
    if (index === -1) throw new UsageError(`unknown source "${source}", expected one of ${this.#sources.join(", ")}`);
    const atMs = this.#time.at(nowMs);
    this.#model.signal(page, index);
    this.#update(page, atMs);
  }

  /** The page to read now; -1 if the budget or hosts must wait, or no page is worth a read. */
  next(nowMs: number): number {
    const atMs = this.#time.at(nowMs);
    if (atMs >= this.#learnMs) {
      this.#model.learnPriors();
      // Later ones differ little, so the pages are looked at in turn.
      if (this.#learnMs === Number.NEGATIVE_INFINITY) this.#scheduler.reviewAll(atMs);
      this.#learnMs = atMs + LEARNING_MS;
    }
    for (let wait = this.#waits.popDue(atMs); wait !== undefined; wait = this.#waits.popDue(atMs)) {
      if (this.#away.get(wait.page) !== wait) continue;
      this.#away.delete(wait.page);
      this.#update(wait.page, atMs);
    }
    this.#model.price = this.#scheduler.level;
    const page = this.#scheduler.take(atMs);
    if (page !== -1) this.#away.set(page, null);
    return page;
  }

  /** When to ask for the next page: now, or later. Infinity if there is nothing to wait for. */
  nextMs(nowMs: number): number {
    const atMs = this.#time.at(nowMs);
    return this.#time.clockAt(Math.min(this.#scheduler.nextMs(atMs), Math.max(atMs, this.#waits.nextMs)));
  }

  /** A page was read, and this was found. */
  read(page: number, found: Omit<FoundRead, "atMs">, nowMs: number): void {
    const atMs = this.#time.at(nowMs);
    this.#model.read(page, { ...found, atMs });
    this.#away.delete(page);
    this.#update(page, atMs);
  }

  /** A page could not be read, which says nothing about it; it comes back at `retryMs`. */
  failed(page: number, retryMs: number, nowMs: number): void {
    const atMs = this.#time.at(nowMs);
    this.#scheduler.remove(page, atMs);
    const wait = { page };
    this.#away.set(page, wait);
    this.#waits.push(atMs + Math.max(0, retryMs - nowMs), wait);
  }

  /** A page is gone, or has moved: it is never read again, and its importance no longer counts. */
  forget(page: number, nowMs: number): void {
    this.#away.delete(page);
    this.#model.setImportance(page, 0);
    this.#scheduler.remove(page, this.#time.at(nowMs));
  }

  /** Reads nothing of a host until then. */
  pauseHost(host: number, untilMs: number, nowMs: number): void {
    const atMs = this.#time.at(nowMs);
    this.#scheduler.pauseHost(host, atMs + Math.max(0, untilMs - nowMs), atMs);
  }

  /** When the content of a page was last seen, by the clock of now; null if never. */
  lastReadMs(page: number, nowMs: number): number | null {
    const readMs = this.#model.lastReadMs(page);
    return readMs === null ? null : nowMs - Math.max(0, this.#time.at(nowMs) - readMs);
  }

  /** Why a page is read next, or is not. */
  explain(page: number, nowMs: number): ReadReason {
    const atMs = this.#time.at(nowMs);
    const { signals, quality, ...terms } = this.#model.explain(page, atMs);
    return {
      ...terms,
      signals: this.#sources.map((source, k) => ({ source, count: signals[k], ...quality[k] })),
      level: this.#scheduler.level,
      hostReadyMs: this.#time.clockAt(this.#scheduler.hostReadyMs(this.#model.hostOf(page), atMs)),
    };
  }

  /** The pages that are worth most, best first, whether or not their hosts must wait. Takes O(n). */
  upcoming(count: number, nowMs: number): number[] {
    const atMs = this.#time.at(nowMs);
    const bounds = Float64Array.from({ length: this.#model.count }, (_, page) => this.#scheduler.boundOf(page));
    // Values are up to half of their bounds.
    const candidates = Array.from(topPages(bounds, CANDIDATES * count), (page) => ({
      page,
      value: bounds[page] === 0 ? 0 : this.#model.valueAt(page, atMs),
    }));
    return candidates
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value || a.page - b.page)
      .slice(0, count)
      .map(({ page }) => page);
  }

  /** How fresh the copies of all pages are. Takes O(n), a few microseconds per page. */
  freshness(nowMs: number, agesMs: readonly number[]): CopyFreshness {
    const atMs = this.#time.at(nowMs);
    const noOlderThan = agesMs.map(() => 0);
    let current = 0;
    let total = 0;
    for (let page = 0; page < this.#model.count; page++) {
      const importance = this.#model.importanceOf(page);
      total += importance;
      const lastReadMs = this.#model.lastReadMs(page);
      if (importance === 0 || lastReadMs === null) continue;
      current += importance * this.#model.currentChance(page, atMs);
      for (const [k, ageMs] of agesMs.entries()) if (atMs - lastReadMs <= ageMs) noOlderThan[k] += importance;
    }
    const share = (sum: number): number => (total > 0 ? sum / total : 0);
    return { current: share(current), noOlderThan: noOlderThan.map(share) };
  }

  #update(page: number, atMs: number): void {
    if (!this.#away.has(page)) this.#scheduler.update(page, this.#model.hostOf(page), atMs);
  }
}

function expectAboveZero(value: number, what: string, unit: string): void {
  if (value > 0) return;
  throw new UsageError(`${what} is ${value} ${unit}, expected a number above 0`);
}
