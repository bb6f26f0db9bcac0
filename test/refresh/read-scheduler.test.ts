/** The scheduler against brute force: the best page of all, the budget, and the limits of hosts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  belowUntil,
  readingGain,
  ReadScheduler,
  type ReadSchedulerOptions,
  type ReadValues,
} from "../../src/refresh/index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Page {
  readonly host: number;
  importance: number;
  /** Changes per day. */
  readonly rate: number;
  readMs: number;
}

/** The gain without signals. */
class PlainValues implements ReadValues {
  readonly #pages: readonly Page[];

  constructor(pages: readonly Page[]) {
    this.#pages = pages;
  }

  valueAt(page: number, atMs: number): number {
    const { importance, rate, readMs } = this.#pages[page];
    return readingGain(importance, rate / DAY, Math.max(0, atMs - readMs));
  }

  belowUntilMs(page: number, value: number, fromMs: number): number {
    const { importance, rate, readMs } = this.#pages[page];
    const valueAfter = (sinceMs: number): number => readingGain(importance, rate / DAY, sinceMs);
    return readMs + belowUntil(valueAfter, { target: value, sinceMs: Math.max(0, fromMs - readMs) });
  }
}

const drawnPage = fc.record({
  host: fc.nat(3),
  importance: fc.double({ min: 0.01, max: 1, noNaN: true }),
  rate: fc.double({ min: 0.001, max: 20, noNaN: true }),
  readMs: fc.integer({ min: -100 * DAY, max: 0 }),
});
const drawnPages = fc.array(drawnPage, { minLength: 1, maxLength: 25 });
const waits = fc.array(fc.integer({ min: 0, max: 8 * HOUR }), { minLength: 1, maxLength: 40 });

const copied = (pages: readonly Page[]): Page[] => pages.map((page) => ({ ...page }));

function schedulerOf(pages: readonly Page[], options: Partial<ReadSchedulerOptions> = {}) {
  const values = new PlainValues(pages);
  const scheduler = new ReadScheduler({ values, startMs: 0, readsPerDay: 10, ...options });
  for (const [page, { host }] of pages.entries()) scheduler.update(page, host, 0);
  return { scheduler, values };
}

interface Read {
  readonly page: number;
  readonly atMs: number;
}

/** Asks for pages after each wait, and reads what it gets. */
function readAll(
  pages: Page[],
  scheduler: ReadScheduler,
  pauses: readonly number[],
  onTake: (page: number, atMs: number) => void = () => undefined,
): Read[] {
  const reads: Read[] = [];
  let nowMs = 0;
  for (const pause of pauses) {
    nowMs += pause;
    for (let page = scheduler.take(nowMs); page !== -1; page = scheduler.take(nowMs)) {
      onTake(page, nowMs);
      reads.push({ page, atMs: nowMs });
      pages[page].readMs = nowMs;
      scheduler.update(page, pages[page].host, nowMs);
    }
  }
  return reads;
}

describe("the next read", () => {
  it("is the page that is worth most, up to the resolution", () => {
    fc.assert(
      fc.property(drawnPages, waits, fc.constantFrom(0.05, 1e-6), (drawn, pauses, resolution) => {
        const pages = copied(drawn);
        const { scheduler, values } = schedulerOf(pages, { resolution, keptMs: DAY });
        readAll(pages, scheduler, pauses, (taken, nowMs) => {
          const best = Math.max(...pages.map((_, page) => values.valueAt(page, nowMs)));
          expect(values.valueAt(taken, nowMs) * (1 + resolution + 1e-9)).toBeGreaterThanOrEqual(best);
        });
      }),
    );
  });

  it("is the best page of the hosts that may be read, where hosts have limits", () => {
    fc.assert(
      fc.property(drawnPages, waits, (drawn, pauses) => {
        const pages = copied(drawn);
        const hostReadsPerDay = 2;
        const { scheduler, values } = schedulerOf(pages, { hostReadsPerDay, keptMs: 12 * HOUR, resolution: 1e-6 });
        // Each host may always be read once, then every half day: a plain count of what was earned and spent.
        const left = [1, 1, 1, 1];
        let countedMs = 0;
        readAll(pages, scheduler, pauses, (taken, nowMs) => {
          for (const [host, reads] of left.entries()) {
            left[host] = Math.min(1, reads + (hostReadsPerDay * (nowMs - countedMs)) / DAY);
          }
          countedMs = nowMs;
          const allowed = pages.map(({ host }, page) => (left[host] > 1 - 1e-6 ? values.valueAt(page, nowMs) : 0));
          expect(values.valueAt(taken, nowMs) * (1 + 1e-5)).toBeGreaterThanOrEqual(Math.max(...allowed));
          left[pages[taken].host]--;
          expect(left[pages[taken].host]).toBeGreaterThan(-1e-6);
        });
      }),
    );
  });

  it("never exceeds the budget or the limit of a host, in any time", () => {
    const limits = fc.record({
      readsPerDay: fc.double({ min: 0.5, max: 50, noNaN: true }),
      hostReadsPerDay: fc.double({ min: 0.5, max: 20, noNaN: true }),
      keptMs: fc.integer({ min: 0, max: DAY }),
    });
    fc.assert(
      fc.property(drawnPages, waits, limits, (drawn, pauses, limit) => {
        const pages = copied(drawn);
        const { scheduler } = schedulerOf(pages, limit);
        const reads = readAll(pages, scheduler, pauses);
        expectWithin(reads, limit.readsPerDay, limit.keptMs);
        for (let host = 0; host < 4; host++) {
          const own = reads.filter(({ page }) => pages[page].host === host);
          expectWithin(own, limit.hostReadsPerDay, limit.keptMs);
        }
      }),
    );
  });

  it("is the same every time", () => {
    fc.assert(
      fc.property(drawnPages, waits, (pages, pauses) => {
        const run = (): Read[] => {
          const copies = copied(pages);
          return readAll(copies, schedulerOf(copies, { hostReadsPerDay: 5 }).scheduler, pauses);
        };
        expect(run()).toEqual(run());
      }),
    );
  });

  it("spends the budget, and settles at one level for all pages", () => {
    const pages = Array.from({ length: 300 }, (_, k) => ({
      host: k % 7,
      importance: 1 / (1 + (k % 10)),
      rate: 0.02 * 1.3 ** (k % 13),
      readMs: -k * HOUR,
    }));
    const { scheduler, values } = schedulerOf(pages, { readsPerDay: 12 });
    const taken: number[] = [];
    readAll(
      pages,
      scheduler,
      Array.from({ length: 24 * 400 }, () => HOUR),
      (page, nowMs) => {
        if (nowMs > 200 * DAY) taken.push(values.valueAt(page, nowMs));
      },
    );
    expect(taken.length).toBeGreaterThan(200 * 12 - 2);
    const [least, most] = [Math.min(...taken), Math.max(...taken)];
    expect(most / least).toBeLessThan(1.3);
    expect(scheduler.level).toBeGreaterThan(0.9 * least);
    expect(scheduler.level).toBeLessThan(1.1 * most);
  });
});

describe("a scheduler", () => {
  const two = (): Page[] => [
    { host: 0, importance: 1, rate: 0.1, readMs: -10 * DAY },
    { host: 1, importance: 0.1, rate: 0.1, readMs: -10 * DAY },
  ];

  it("has no page until one is worth a read, and says when to ask again", () => {
    const pages: Page[] = [{ host: 0, importance: 1, rate: 0.1, readMs: 0 }];
    const { scheduler } = schedulerOf(pages);
    expect(scheduler.take(0)).toBe(-1);
    const nextMs = scheduler.nextMs(0);
    expect(nextMs).toBeGreaterThan(0);
    expect(nextMs).toBeLessThanOrEqual(60_000);
    expect(scheduler.take(nextMs)).toBe(0);
    expect(scheduler.take(nextMs)).toBe(-1);
    // The page is out until it is told of again.
    expect(scheduler.has(0)).toBe(false);
    expect(scheduler.nextMs(nextMs)).toBe(Infinity);
    expect(schedulerOf([]).scheduler.nextMs(5)).toBe(Infinity);
  });

  it("waits for the budget, and says for how long", () => {
    const { scheduler } = schedulerOf(two(), { readsPerDay: 2, keptMs: 0 });
    expect(scheduler.take(0)).toBe(0);
    expect(scheduler.take(0)).toBe(-1);
    expect(scheduler.nextMs(0)).toBeCloseTo(12 * HOUR, -2);
    expect(scheduler.take(12 * HOUR - 1000)).toBe(-1);
    expect(scheduler.take(12 * HOUR + 1000)).toBe(1);
  });

  it("follows a value that rises or falls when it is told, and forgets pages that are removed", () => {
    const pages = two();
    const { scheduler } = schedulerOf(pages, { readsPerDay: 1000, keptMs: DAY });
    pages[1].importance = 5;
    scheduler.update(1, 1, 0);
    expect(scheduler.boundOf(1)).toBeGreaterThan(scheduler.boundOf(0));
    expect(scheduler.take(DAY)).toBe(1);
    scheduler.update(1, 1, DAY);
    pages[1].importance = 0.2;
    // It falls unnoticed; what is taken is looked at again first.
    expect(scheduler.take(DAY)).toBe(0);
    scheduler.remove(1, DAY);
    scheduler.remove(1, DAY);
    expect(scheduler.take(DAY)).toBe(-1);
    expect(scheduler.boundOf(1)).toBe(0);
  });

  it("moves a page to another host", () => {
    const pages = two();
    const { scheduler } = schedulerOf(pages, { hostReadsPerDay: 1, readsPerDay: 100, keptMs: DAY });
    expect(scheduler.take(HOUR)).toBe(0);
    scheduler.update(1, 0, HOUR);
    // Its new host has been read today.
    expect(scheduler.take(HOUR)).toBe(-1);
    expect(scheduler.nextMs(HOUR)).toBeCloseTo(DAY + HOUR, -4);
  });

  it("leaves a host alone that is paused, and reads it again after", () => {
    const { scheduler } = schedulerOf(two(), { readsPerDay: 1000, keptMs: DAY });
    scheduler.pauseHost(0, 5 * HOUR, 0);
    expect(scheduler.take(HOUR)).toBe(1);
    expect(scheduler.take(HOUR)).toBe(-1);
    expect(scheduler.nextMs(HOUR)).toBe(5 * HOUR);
    expect(scheduler.take(5 * HOUR)).toBe(0);
  });

  it("finds pages of little value when better ones can no longer be read", () => {
    // Values a million times apart: the floor must fall.
    const pages: Page[] = Array.from({ length: 20 }, (_, k) => ({
      host: k % 2,
      importance: k % 2 === 0 ? 1 : 1e-6,
      rate: 0.1,
      readMs: -5 * DAY,
    }));
    const { scheduler } = schedulerOf(pages, { readsPerDay: 1000, keptMs: DAY });
    for (let day = 1; day < 20; day++) {
      const page = scheduler.take(day * DAY);
      expect(page % 2).toBe(0);
      pages[page].readMs = day * DAY;
      scheduler.update(page, 0, day * DAY);
    }
    scheduler.pauseHost(0, Infinity, 20 * DAY);
    expect(scheduler.take(20 * DAY) % 2).toBe(1);
  });
});

function expectWithin(reads: readonly Read[], perDay: number, keptMs: number): void {
  const most = Math.max(1, (perDay * keptMs) / DAY);
  let excess = 0;
  for (let first = 0; first < reads.length; first++) {
    for (let last = first; last < reads.length; last++) {
      const allowed = most + (perDay * (reads[last].atMs - reads[first].atMs)) / DAY;
      excess = Math.max(excess, last - first + 1 - allowed);
    }
  }
  expect(excess).toBeLessThan(1e-6);
}
