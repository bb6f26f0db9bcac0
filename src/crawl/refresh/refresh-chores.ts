/**
 * What a refresh that goes on does now and then, besides reading pages: every six hours it reads sitemaps, whose dates
 * say what has changed, and once a day it deletes earlier visits that are not kept.
 */
import type { Timers } from "../../base/index.ts";
import type { RefreshCalendar } from "../../refresh/index.ts";
import type { KeptVisits } from "../../store/index.ts";
import type { PastRequests } from "../politeness/past-requests.ts";
import { LogCompaction } from "./log-compaction.ts";
import { type RefreshState, tellDates } from "./refresh-history.ts";
import { readSitemapDates, type SitemapDatesOptions } from "./sitemap-dates.ts";

const SITEMAPS_MS = 6 * 3_600_000;
const COMPACTION_MS = 24 * 3_600_000;

export interface ChoresOptions extends Pick<SitemapDatesOptions, "store" | "settings" | "fetcher" | "signal"> {
  readonly timers: Timers;
  readonly past: PastRequests;
  readonly calendar: RefreshCalendar;
  readonly state: RefreshState;
  /** Which earlier visits are kept, at a time (default: all). */
  readonly keptVisits?: ((nowMs: number) => KeptVisits) | undefined;
}

export class RefreshChores {
  readonly #options: ChoresOptions;
  /** The latest date that a sitemap gave for a page and that the queue knows. */
  readonly #saidMs = new Map<number, number>();
  #compactionMs: number;
  /** When sitemaps are read next. */
  sitemapsMs: number;

  constructor(options: ChoresOptions) {
    this.#options = options;
    const { timers, state } = options;
    const nowMs = timers.nowMs();
    const wallMs = timers.wallMs();
    const listedMs = tellDates(state, this.#saidMs, wallMs);
    this.sitemapsMs = nowMs + Math.max(0, listedMs + SITEMAPS_MS - wallMs);
    this.#compactionMs = nowMs;
  }

  /** In quiet hours they wait. */
  sitemapsAreDue(): boolean {
    const { timers, calendar } = this.#options;
    if (timers.nowMs() < this.sitemapsMs) return false;
    const wallMs = timers.wallMs();
    if (!calendar.isQuiet(wallMs)) return true;
    this.sitemapsMs = timers.nowMs() + (calendar.readyMs(wallMs) - wallMs);
    return false;
  }

  /** Until `takenOverMs` others may have requested any host. */
  async readSitemaps(takenOverMs: number): Promise<void> {
    const { state, timers } = this.#options;
    await readSitemapDates({ ...this.#options, takenOverMs });
    tellDates(state, this.#saidMs, timers.wallMs());
    this.sitemapsMs = timers.nowMs() + SITEMAPS_MS;
  }

  /** If it is due: in steps that are whole; whoever stops it in between leaves the rest to the next day. */
  async compact(): Promise<void> {
    const { keptVisits, store, timers } = this.#options;
    if (keptVisits === undefined || timers.nowMs() < this.#compactionMs) return;
    const nowMs = timers.wallMs();
    const compaction = new LogCompaction(store, keptVisits(nowMs), nowMs);
    // Between two steps, signals are heard and the dashboard is served.
    while (!this.#isStopped && compaction.step()) await new Promise<void>((next) => timers.after(0, next));
    this.#compactionMs = timers.nowMs() + COMPACTION_MS;
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }
}
