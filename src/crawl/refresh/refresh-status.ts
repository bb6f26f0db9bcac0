/** What a refresh that goes on reports about itself. */
import type { Timers } from "../../base/index.ts";
import type { RefreshCalendar, RefreshQueue } from "../../refresh/index.ts";
import type { DayBudget } from "./day-budget.ts";
import type { PageBook } from "./page-book.ts";

const HOUR_MS = 3_600_000;
const AGES_MS = [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, 30 * 24 * HOUR_MS];
/** How many pages are shown that are read next. */
const UPCOMING = 20;
/** Looking at all pages takes at most this share of the time. */
const LOOKING = 1 / 50;
const LOOK_MS_LEAST = 1000;

/** How fresh the copies are, as shares of the importance of all known pages. */
export interface Freshness {
  /** The expected share whose copies are current. */
  readonly current: number;
  /** The shares whose copies are certainly no older than this. */
  readonly hour: number;
  readonly day: number;
  readonly week: number;
  readonly month: number;
}

/** A page that is read soon, and why. */
export interface UpcomingRead {
  readonly url: string;
  /** It was never read. */
  readonly isNew: boolean;
  /** As a share of all known pages. */
  readonly importance: number;
  readonly changesPerDay: number;
  /** Unix time in milliseconds; null if never. */
  readonly lastReadMs: number | null;
  /** The probability that our copy is not current. */
  readonly staleChance: number;
  /** How many signals say that it has changed since. */
  readonly signals: number;
  /** What a read is worth, as a multiple of what one must be worth to be made now. */
  readonly value: number;
}

/** Reads of this run, by what they found. */
export interface ReadCounts {
  unchanged: number;
  changed: number;
  gone: number;
  moved: number;
  /** Gone or moved by what they found, which is not believed yet: these pages stay. */
  doubted: number;
  failed: number;
  /** Pages that were downloaded for the first time. */
  new: number;
  /** Not read after all, because a host asked us to wait or could not be reached. */
  left: number;
}

export interface RefreshStatus extends Readonly<ReadCounts> {
  /** Reads of this run. */
  readonly reads: number;
  /** Pages per day that may be read, and reads of the last 24 hours, of earlier runs too. */
  readonly budget: number;
  readonly readsToday: number;
  /** Known pages, read or not, that are worth a read some time. */
  readonly pages: number;
  /** Certified coverage by the facts at the last weighing. */
  readonly coverage: number;
  readonly freshness: Freshness;
  /** When the next read may start, Unix time in milliseconds; null if there is nothing to read. */
  readonly nextMs: number | null;
  /** It is a quiet hour. */
  readonly isQuiet: boolean;
  readonly upcoming: readonly UpcomingRead[];
  /** Since this run began. */
  readonly elapsedMs: number;
}

/** What a look at all pages finds. */
type Look = Pick<RefreshStatus, "pages" | "freshness" | "upcoming">;

export interface MonitorOptions {
  readonly queue: RefreshQueue;
  readonly calendar: RefreshCalendar;
  readonly budget: DayBudget;
  readonly book: PageBook;
  readonly pagesPerDay: number;
  readonly timers: Timers;
  /** The text of a URL. */
  readonly textOf: (url: number) => string;
  /** When the next page is handed out, by the clock. */
  readonly nextMs: (nowMs: number) => number;
}

/** Makes statuses. Freshness is a look at all pages, so it may be a little old for millions of them. */
export class RefreshMonitor {
  readonly counts: ReadCounts = {
    unchanged: 0,
    changed: 0,
    gone: 0,
    moved: 0,
    doubted: 0,
    failed: 0,
    new: 0,
    left: 0,
  };
  coverage = 0;
  readonly #options: MonitorOptions;
  readonly #startMs: number;
  #looked: Look | undefined;
  #lookMs = Number.NEGATIVE_INFINITY;

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#startMs = options.timers.nowMs();
  }

  get status(): RefreshStatus {
    const { calendar, budget, pagesPerDay, timers } = this.#options;
    const nowMs = timers.wallMs();
    const nextMs = this.#options.nextMs(nowMs);
    const { left, ...counts } = this.counts;
    return {
      reads: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      left,
      budget: pagesPerDay,
      readsToday: budget.spent(nowMs),
      coverage: this.coverage,
      nextMs: nextMs === Infinity ? null : nextMs,
      isQuiet: calendar.isQuiet(nowMs),
      ...this.#look(nowMs),
      elapsedMs: timers.nowMs() - this.#startMs,
    };
  }

  #look(nowMs: number): Look {
    const { timers } = this.#options;
    const beginMs = timers.nowMs();
    if (this.#looked !== undefined && beginMs < this.#lookMs) return this.#looked;
    this.#looked = { freshness: this.#freshness(nowMs), ...this.#upcoming(nowMs) };
    const endMs = timers.nowMs();
    this.#lookMs = endMs + Math.max(LOOK_MS_LEAST, (endMs - beginMs) / LOOKING);
    return this.#looked;
  }

  #freshness(nowMs: number): Freshness {
    const { current, noOlderThan } = this.#options.queue.freshness(nowMs, AGES_MS);
    const [hour, day, week, month] = noOlderThan;
    return { current, hour, day, week, month };
  }

  #upcoming(nowMs: number): Pick<RefreshStatus, "pages" | "upcoming"> {
    const { queue, book, textOf } = this.#options;
    let pages = 0;
    let total = 0;
    for (let page = 0; page < book.count; page++) {
      const importance = book.importanceOf(page);
      // Pages that are gone, or that nothing links to any more, keep their numbers.
      if (importance > 0) pages++;
      total += importance;
    }
    const upcoming = queue.upcoming(UPCOMING, nowMs).map((page) => {
      const { changeRate, sinceReadMs, staleChance, signals, value, level } = queue.explain(page, nowMs);
      return {
        url: textOf(book.urlOf(page)),
        isNew: sinceReadMs === null,
        importance: book.importanceOf(page) / total,
        changesPerDay: changeRate * 24 * HOUR_MS,
        lastReadMs: sinceReadMs === null ? null : nowMs - sinceReadMs,
        staleChance,
        signals: signals.reduce((sum, { count }) => sum + count, 0),
        value: level === 0 ? 1 : value / level,
      };
    });
    return { pages, upcoming };
  }
}
