/**
 * A refresh that goes on until it is stopped: spends a budget of pages per day on new pages and on reading known ones
 * again.
 *
 *     log ──> RefreshQueue ──> ReadSource ──> a round of reads ──> log
 *              ^    ^                              │
 *              │    └── what was found ────────────┘
 *              └── importance of now: between two shifts (shift.ts); dates of sitemaps: between two rounds
 *
 * All that it knows is a function of the log, but for the quality of signals, and for the age at the first read of a
 * page that has changed since. So whoever kills it loses nothing that was committed, and what it has spent of the
 * budget is in the log, too. Memory: 292 to 441 bytes per page were measured with a million pages, and 563 resident
 * (docs/benchmarks.md).
 */
import { FailureError, systemTimers, type Timers, UsageError } from "../../base/index.ts";
import type { Reread, Visit } from "../../log/index.ts";
import {
  ageOf,
  ModifiedTrust,
  RefreshCalendar,
  type RefreshCalendarOptions,
  RefreshQueue,
} from "../../refresh/index.ts";
import { type KeptVisits, StoreError } from "../../store/index.ts";
import { inTurns } from "../in-turns.ts";
import type { Now } from "../machine.ts";
import { PastRequests } from "../politeness/past-requests.ts";
import { RuleFinder } from "../settings/host-rules.ts";
import { DayBudget } from "./day-budget.ts";
import { FailedVisits, type Weighed } from "./importance.ts";
import { PageBook } from "./page-book.ts";
import { renewedCopy } from "./past-reads.ts";
import { type Reading, readingOfVisit } from "./reading.ts";
import { ReadSource } from "./read-source.ts";
import { RefreshChores } from "./refresh-chores.ts";
import { readHistory, type RefreshState, weighAgain } from "./refresh-history.ts";
import { RefreshMonitor, type RefreshStatus } from "./refresh-status.ts";
import { Retries } from "./retries.ts";
import type { LeftPage, RoundPage, RoundSource } from "./round-source.ts";
import { refreshFrom, type SourcedOptions } from "./rounds.ts";
import { Shift } from "./shift.ts";

/** While pages are weighed, others have their turn so often. */
const SLICE_MS = 50;
/** Whoever stops it learns of the coverage of now if that takes no longer; else that of the last weighing is told. */
const CLOSING_MS = 1000;

export interface RefreshForeverOptions
  extends Omit<SourcedOptions, "source" | "committed" | "takenOverMs" | "past">,
    Omit<RefreshCalendarOptions, "startMs"> {
  /** Pages that may be read per day, new and known ones together. */
  readonly budget: number;
  /** Pages of one host that may be read per day (default: any number). */
  readonly hostBudget?: number | undefined;
  /** Which earlier visits are kept, at a time (default: all). */
  readonly keptVisits?: ((nowMs: number) => KeptVisits) | undefined;
  /** Called with what is committed. */
  readonly onStatus?: ((status: RefreshStatus) => void) | undefined;
}

export interface RefreshEnd {
  readonly reason: "interrupted" | "disk-full" | "failed";
  readonly status: RefreshStatus;
  /** What ended it against its will. */
  readonly error?: FailureError;
}

/**
 * Reads new pages and known ones again until the signal is aborted, or the disk or the network ends it. Whoever aborts
 * it while the log is read gets the signal's reason as an error.
 */
export async function refreshForever(options: RefreshForeverOptions): Promise<RefreshEnd> {
  const service = await RefreshService.start(options);
  try {
    await service.run();
    return { reason: "interrupted", status: service.status };
  } catch (error) {
    if (!(error instanceof FailureError) || error instanceof UsageError) throw error;
    return { reason: error instanceof StoreError ? error.kind : "failed", status: service.status, error };
  }
}

/** What is known when it starts. */
interface History {
  readonly beginMs: number;
  readonly calendar: RefreshCalendar;
  readonly state: RefreshState;
  readonly weighed: Weighed;
}

interface Weighing {
  readonly beginMs: number;
  readonly steps: Generator<unknown, Weighed>;
}

class RefreshService implements RoundSource {
  readonly #options: RefreshForeverOptions;
  readonly #timers: Timers;
  readonly #state: RefreshState;
  readonly #reads: ReadSource;
  readonly #monitor: RefreshMonitor;
  readonly #past = new PastRequests();
  readonly #chores: RefreshChores;
  #weighed: Weighed;
  /** Pages are being weighed. */
  #weighing: Weighing | undefined;
  #shift: Shift;
  /** Something was written since the last commit. It is not weighed before: the disk may take it back. */
  #isWritten = false;
  #thoughtMs: number;

  /** Reads the log, in turns with everything else. */
  static async start(options: RefreshForeverOptions): Promise<RefreshService> {
    const { signal } = options;
    const service = await inTurns(RefreshService.#starting(options), () => signal?.aborted === true);
    if (service !== undefined) return service;
    throw signal?.reason;
  }

  static *#starting(options: RefreshForeverOptions): Generator<unknown, RefreshService> {
    const { budget: pagesPerDay, hostBudget = Infinity, timers = systemTimers, store } = options;
    const beginMs = timers.nowMs();
    const nowMs = timers.wallMs();
    const { quietHours, timeZone, readsPerSecond } = options;
    const calendar = new RefreshCalendar({ startMs: nowMs, quietHours, timeZone, readsPerSecond });
    const dates = new ModifiedTrust();
    const queue = new RefreshQueue({
      startMs: nowMs,
      readsPerDay: calendar.readsPerDay(pagesPerDay),
      hostReadsPerDay: hostBudget,
      dates,
    });
    const budget = new DayBudget(pagesPerDay, nowMs);
    const book = new PageBook();
    const state = { store, queue, book, budget, retries: new Retries(), failed: new FailedVisits(), dates };
    const weighed = yield* readHistory(state, nowMs);
    return new RefreshService(options, { beginMs, calendar, state, weighed });
  }

  private constructor(options: RefreshForeverOptions, history: History) {
    const { budget: pagesPerDay, timers = systemTimers, store, settings } = options;
    const { beginMs, calendar, state, weighed } = history;
    const { queue, book, budget } = state;
    this.#options = options;
    this.#timers = timers;
    this.#state = state;
    this.#weighed = weighed;
    this.#chores = new RefreshChores({ ...options, timers, past: this.#past, calendar, state });
    const rules = new RuleFinder(settings.hosts);
    this.#reads = new ReadSource({
      queue,
      calendar,
      budget,
      hostOf: (page) => this.#weighed.hosts.hostOf[book.urlOf(page)],
      connectionsOf: (host) => {
        const { connections } = rules.ruleOf(this.#weighed.hosts.names[host]);
        return connections ?? settings.politeness.perHost;
      },
      concurrency: settings.politeness.concurrency,
    });
    this.#monitor = new RefreshMonitor({
      queue,
      calendar,
      budget,
      book,
      pagesPerDay,
      timers,
      textOf: (url) => this.#weighed.origins.originOf(url) + store.pathOf(url),
      nextMs: (wallMs) => this.#reads.nextMs(wallMs),
    });
    this.#monitor.coverage = this.#weighed.coverage;
    this.#thoughtMs = timers.nowMs() - beginMs;
    this.#shift = this.#nextShift();
  }

  get status(): RefreshStatus {
    return this.#monitor.status;
  }

  async run(): Promise<void> {
    const { onStatus } = this.#options;
    // Whoever came before, a crawl or this refresh, may have requested any host just now.
    let takenOverMs = this.#timers.nowMs();
    onStatus?.(this.status);
    while (!this.#isStopped) {
      if (this.#chores.sitemapsAreDue()) {
        await this.#chores.readSitemaps(takenOverMs);
        takenOverMs = this.#restedMs;
        continue;
      }
      await this.#chores.compact();
      if (this.#isStopped) break;
      this.#shift = this.#nextShift();
      await refreshFrom({
        ...this.#options,
        source: this,
        takenOverMs,
        past: this.#past,
        committed: () => {
          this.#isWritten = false;
          onStatus?.(this.status);
        },
      });
      const endedMs = this.#timers.nowMs();
      takenOverMs = this.#restedMs;
      await inTurns(this.#weighNews(), () => this.#isGivenUp(endedMs));
    }
  }

  // The source of a round.

  next({ nowMs, wallMs }: Now): RoundPage | undefined {
    if (nowMs >= this.#shift.endMs) {
      const isBetween = this.#reads.out === 0 && !this.#isWritten && !this.#isRoundOver(nowMs);
      // Time has passed meanwhile: the next step has the page.
      if (isBetween) this.#changeShifts();
      return undefined;
    }
    // A clock shows whole milliseconds.
    const page = this.#reads.next(Math.floor(wallMs));
    if (page === -1) return undefined;
    const url = this.#state.book.urlOf(page);
    const { book, retries, failed } = this.#state;
    const { visit, ...copy } = book.copyOf(page);
    if (visit === null) return { url, visit, failed: failed.of(url) };
    return { url, visit, ...copy, absence: retries.absenceOf(page), failure: retries.failureOf(page) };
  }

  nextMs({ nowMs, wallMs }: Now): number {
    const { endMs } = this.#shift;
    if (this.#weighing !== undefined) return nowMs;
    // What was handed out is read to its end, and committed: both wake the round.
    if (nowMs >= endMs) return Infinity;
    // Whoever was told that there is nothing now does not ask again at the same time.
    const atMs = Math.floor(wallMs);
    return Math.min(endMs, nowMs + Math.max(1, this.#reads.nextMs(atMs) - atMs));
  }

  isClosed({ nowMs }: Now): boolean {
    return this.#isStopped || (this.#isRoundOver(nowMs) && this.#reads.out === 0);
  }

  reread(reread: Reread, reading: Reading): void {
    const { queue, book, retries } = this.#state;
    const page = book.pageOf(reread.url);
    this.#isWritten = true;
    const { atMs, outcome, lastModified } = reread;
    const isDoubted = (outcome === "gone" || outcome === "moved") && reread.visit === null;
    this.#monitor.counts[isDoubted ? "doubted" : outcome]++;
    if (outcome === "failed") {
      retries.failed(page, atMs, reread.reason);
      queue.failed(page, retries.retryMs(page), atMs);
    } else if (outcome === "changed" || outcome === "unchanged") {
      retries.succeeded(page);
      book.setCopy(page, { ...renewedCopy(book.copyOf(page), reread), ...reading });
      this.#found(page, atMs, { isChanged: outcome === "changed", lastModified });
    } else if (isDoubted) {
      retries.absent(page, reread, outcome);
      queue.failed(page, retries.retryMs(page), atMs);
    } else {
      this.#forget(page, atMs);
    }
    if (reread.visit !== null) this.#shift.news++;
    this.#reads.done(page, atMs);
  }

  firstRead(read: Visit): void {
    const { number: visit, url, atMs, outcome, reason, detail, digest, etag, lastModified } = read;
    const { queue, book, retries, failed } = this.#state;
    const page = book.pageOf(url);
    this.#isWritten = true;
    failed.visited(read);
    if (outcome === "try-again" || reason === "failed") {
      this.#monitor.counts.failed++;
      retries.failed(page, atMs, detail);
      queue.failed(page, retries.retryMs(page), atMs);
    } else if (outcome === "downloaded" || outcome === "links-unknown") {
      this.#monitor.counts.new++;
      retries.succeeded(page);
      book.setCopy(page, { visit, digest, etag, lastModified, ...readingOfVisit(read) });
      this.#found(page, atMs, { isChanged: false, lastModified });
      this.#shift.news++;
    } else {
      if (outcome !== "refused") this.#monitor.counts[outcome === "dead" ? "gone" : "moved"]++;
      this.#forget(page, atMs);
      this.#shift.news++;
    }
    this.#reads.done(page, atMs);
  }

  left({ url, untilMs }: LeftPage, { wallMs }: Now): void {
    const { queue, book } = this.#state;
    const page = book.pageOf(url);
    this.#monitor.counts.left++;
    queue.failed(page, untilMs, wallMs);
    this.#reads.pause(this.#weighed.hosts.hostOf[url], untilMs, wallMs);
    this.#reads.done(page, wallMs);
  }

  #found(
    page: number,
    atMs: number,
    read: { readonly isChanged: boolean; readonly lastModified: string | null },
  ): void {
    const ageMs = ageOf(read.lastModified, atMs);
    const modifiedMs = ageMs === null ? null : atMs - ageMs;
    this.#state.queue.read(page, { isChanged: read.isChanged, modifiedMs }, atMs);
  }

  #forget(page: number, atMs: number): void {
    this.#state.retries.succeeded(page);
    this.#state.book.setImportance(page, 0);
    this.#state.queue.forget(page, atMs);
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  get #restedMs(): number {
    return this.#past.restedMs(this.#timers.nowMs());
  }

  // Between two shifts.

  /** A round is over when sitemaps are to be read, so hosts that were given up are tried again. */
  #isRoundOver(nowMs: number): boolean {
    return nowMs >= this.#chores.sitemapsMs;
  }

  /** A slice of it: then signals are heard. */
  #changeShifts(): void {
    const untilMs = this.#timers.nowMs() + SLICE_MS;
    const steps = this.#weighNews();
    while (steps.next().done !== true) if (this.#timers.nowMs() >= untilMs) return;
    this.#shift = this.#nextShift();
  }

  #nextShift(): Shift {
    const startMs = this.#timers.nowMs();
    const sitemapsMs = startMs + Math.max(0, this.#chores.sitemapsMs - startMs);
    return new Shift({ startMs, thoughtMs: this.#thoughtMs, sitemapsMs });
  }

  /** In steps; whoever begins again goes on where it was left. */
  *#weighNews(): Generator<unknown, true> {
    if (this.#shift.news === 0) return true;
    const { nowMs, wallMs } = { nowMs: this.#timers.nowMs(), wallMs: this.#timers.wallMs() };
    this.#weighing ??= { beginMs: nowMs, steps: weighAgain(this.#state, wallMs) };
    const { steps, beginMs } = this.#weighing;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yield;
    this.#weighing = undefined;
    this.#weighed = step.value;
    this.#monitor.coverage = this.#weighed.coverage;
    this.#thoughtMs = this.#timers.nowMs() - beginMs;
    return true;
  }

  /** It is to stop, and who stopped it has waited long enough. */
  #isGivenUp(sinceMs: number): boolean {
    return this.#isStopped && this.#timers.nowMs() >= sinceMs + CLOSING_MS;
  }
}
