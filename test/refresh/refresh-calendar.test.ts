import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { RefreshCalendar, type RefreshCalendarOptions, RefreshQueue } from "../../src/refresh/index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A midnight. */
const START = 20_000 * DAY;

const calendarOf = (options: Partial<RefreshCalendarOptions> = {}): RefreshCalendar =>
  new RefreshCalendar({ startMs: START, ...options });

/** Reads as soon as calendar and queue allow it; the times of the reads. */
function readsUntil(calendar: RefreshCalendar, queue: RefreshQueue, endMs: number): number[] {
  const times: number[] = [];
  for (let nowMs = START; nowMs < endMs; ) {
    const readyMs = calendar.readyMs(nowMs);
    if (readyMs > nowMs) {
      nowMs = readyMs;
      continue;
    }
    const page = queue.next(nowMs);
    if (page === -1) {
      nowMs = Math.max(nowMs + 1, Math.ceil(queue.nextMs(nowMs)));
      continue;
    }
    calendar.started(nowMs);
    queue.forget(page, nowMs);
    times.push(nowMs);
  }
  return times;
}

function queueOfNewPages(count: number, readsPerDay: number): RefreshQueue {
  const queue = new RefreshQueue({ startMs: START, readsPerDay });
  const nothing = { lastReadMs: null, changedAfterMs: [], unchangedMs: 0, ageMs: null };
  for (let page = 0; page < count; page++) queue.set(page, { host: 0, importance: 1, ...nothing }, START);
  return queue;
}

describe("the calendar of a refresh", () => {
  it("allows a read at any time where nothing is said", () => {
    const calendar = calendarOf();
    for (let k = 0; k < 5; k++) {
      expect(calendar.readyMs(START)).toBe(START);
      calendar.started(START);
    }
    expect(calendar.readsPerDay(100)).toBe(100);
    expect(calendar.isQuiet(START)).toBe(false);
  });

  it("keeps reads apart by a rate per second, and saves nothing up", () => {
    const calendar = calendarOf({ readsPerSecond: 4 });
    const times: number[] = [];
    for (let nowMs = START + DAY; times.length < 9; nowMs = Math.max(nowMs, calendar.readyMs(nowMs))) {
      if (calendar.readyMs(nowMs) > nowMs) continue;
      calendar.started(nowMs);
      times.push(nowMs);
    }
    for (const [k, ms] of times.entries()) {
      expect(ms - (START + DAY)).toBeGreaterThanOrEqual(250 * k - 1);
      expect(ms - (START + DAY)).toBeLessThanOrEqual(251 * k);
    }
  });

  it("goes on at the same rate where the clock is set back, or forward", () => {
    const calendar = calendarOf({ readsPerSecond: 0.1 });
    calendar.started(START + DAY);
    expect(calendar.readyMs(START + DAY)).toBe(START + DAY + 10_000);
    // Set back by a day: the rest of the ten seconds, not a day more, and not less either.
    const nextMs = calendar.readyMs(START);
    expect(nextMs).toBe(START + 10_000);
    expect(calendar.readyMs(nextMs)).toBe(nextMs);
    calendar.started(nextMs);
    expect(calendar.readyMs(nextMs)).toBe(nextMs + 10_000);
    // Set forward by a year: one read, as after any long pause.
    const laterMs = START + 365 * DAY;
    expect(calendar.readyMs(laterMs)).toBe(laterMs);
    calendar.started(laterMs);
    expect(calendar.readyMs(laterMs)).toBe(laterMs + 10_000);
  });

  it("has quiet hours by the clock, also where it is set back into them", () => {
    const calendar = calendarOf({ quietHours: "22:00-06:00" });
    expect(calendar.isQuiet(START)).toBe(true);
    expect(calendar.readyMs(START + 5 * HOUR)).toBe(START + 6 * HOUR);
    expect(calendar.readyMs(START + 6 * HOUR)).toBe(START + 6 * HOUR);
    expect(calendar.readyMs(START + 5.5 * HOUR)).toBe(START + 6 * HOUR);
    // A read that the rate allows only in quiet hours waits for their end.
    const slow = calendarOf({ quietHours: "22:00-06:00", readsPerSecond: 1 / 3600 });
    slow.started(START + 21.5 * HOUR);
    expect(slow.readyMs(START + 21.5 * HOUR)).toBe(START + 30 * HOUR);
  });

  it.each(["", "22:00-06:00", "22:00-06:00,12:00-12:30"])(
    "with a queue reads as many pages per day as it may, quiet hours: %s",
    (quietHours) => {
      const calendar = calendarOf({ quietHours });
      const queue = queueOfNewPages(700, calendar.readsPerDay(200));
      const times = readsUntil(calendar, queue, START + 3 * DAY);
      for (const ms of times) expect(calendar.isQuiet(ms)).toBe(false);
      for (const day of [0, 1, 2]) {
        const reads = times.filter((ms) => ms >= START + day * DAY && ms < START + (day + 1) * DAY).length;
        expect(reads).toBeGreaterThanOrEqual(198);
        expect(reads).toBeLessThanOrEqual(201);
      }
    },
  );

  it("counts what the queue may save up in quiet hours", () => {
    const calendar = calendarOf({ quietHours: "20:00-08:00" });
    expect(calendar.readsPerDay(130)).toBeCloseTo(240, 9);
    expect(calendar.readsPerDay(120, 0)).toBeCloseTo(240, 9);
    expect(calendar.readsPerDay(120, DAY)).toBeCloseTo(120, 9);
  });

  it("refuses a rate of nothing", () => {
    expect(() => calendarOf({ readsPerSecond: 0 })).toThrow(
      /^the rate is 0 pages per second, expected a number above 0$/,
    );
    expect(() => calendarOf({ readsPerSecond: Number.NaN })).toThrow(UsageError);
  });
});
