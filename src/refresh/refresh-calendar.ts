/**
 * When a crawl that goes on may start a read: not in quiet hours, and not more often than a rate per second.
 *
 *     const calendar = new RefreshCalendar({ startMs, quietHours: "22:00-06:00", timeZone: "Europe/Berlin" });
 *     const queue = new RefreshQueue({ startMs, readsPerDay: calendar.readsPerDay(5000) });
 *     calendar.readyMs(nowMs) > nowMs             wait until then; else ask the queue
 *     calendar.started(nowMs)                     a read was started
 *
 * Quiet hours follow the clock, wherever it is set. The rate is kept by the time that has passed: a clock that is set
 * back neither stops the crawl nor lets it hurry.
 */
import { UsageError } from "../base/index.ts";
import { QuietHours, type QuietHoursOptions } from "./quiet-hours.ts";
import { ReadAllowances } from "./read-allowance.ts";
import { KEPT_MS_DEFAULT } from "./read-scheduler.ts";
import { SteadyTime } from "./steady-time.ts";

const DAY_MS = 86_400_000;
/** The one bucket. */
const RATE = 0;

export interface RefreshCalendarOptions extends QuietHoursOptions {
  readonly startMs: number;
  /** How many reads may start per second, on average and at any time (default: any number). */
  readonly readsPerSecond?: number | undefined;
}

export class RefreshCalendar {
  readonly #quiet: QuietHours;
  readonly #time = new SteadyTime();
  readonly #rate = new ReadAllowances(0);

  constructor({ startMs, readsPerSecond = Infinity, ...quiet }: RefreshCalendarOptions) {
    if (!(readsPerSecond > 0)) {
      throw new UsageError(`the rate is ${readsPerSecond} pages per second, expected a number above 0`);
    }
    this.#quiet = new QuietHours(quiet);
    this.#rate.setLimit(RATE, readsPerSecond * (DAY_MS / 1000), this.#time.at(startMs));
  }

  isQuiet(nowMs: number): boolean {
    return this.#quiet.isQuiet(nowMs);
  }

  /** When the next read may start: now, or later. */
  readyMs(nowMs: number): number {
    const steadyMs = this.#time.at(nowMs);
    // The clock shows whole milliseconds.
    return this.#quiet.endMs(Math.ceil(this.#time.clockAt(this.#rate.readyMs(RATE, steadyMs))));
  }

  /** Counts a read that was started. */
  started(nowMs: number): void {
    this.#rate.spend(RATE, 1, this.#time.at(nowMs));
  }

  /**
   * The limit for the queue with which so many pages are read on a usual day. What the queue saves up in quiet hours,
   * which is at most `keptMs` each time, is part of it.
   */
  readsPerDay(pagesPerDay: number, keptMs: number = KEPT_MS_DEFAULT): number {
    let usableMs = DAY_MS;
    for (const quietMs of this.#quiet.lengthsMs()) usableMs -= Math.max(0, quietMs - keptMs);
    return (pagesPerDay * DAY_MS) / usableMs;
  }
}
