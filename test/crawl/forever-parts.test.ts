import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/base/index.ts";
import { DayBudget } from "../../src/crawl/refresh/day-budget.ts";
import { importanceOfLog, massLeak } from "../../src/crawl/refresh/importance.ts";
import { PageBook } from "../../src/crawl/refresh/page-book.ts";
import { ReadSource } from "../../src/crawl/refresh/read-source.ts";
import { Retries } from "../../src/crawl/refresh/retries.ts";
import { Shift } from "../../src/crawl/refresh/shift.ts";
import { RefreshCalendar, RefreshQueue } from "../../src/refresh/index.ts";
import { crawlInline, InlineWeb } from "../support/inline-web.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_700_000_000_000;

describe("a budget per day", () => {
  it("is never exceeded in any 24 hours, and at most a minute of it is lost", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 * HOUR }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), steps, (limit, waits) => {
        const budget = new DayBudget(limit, NOW);
        const made: number[] = [];
        let nowMs = NOW;
        for (const waitMs of waits) {
          nowMs += waitMs;
          const inDay = made.filter((atMs) => atMs > nowMs - DAY).length;
          const readyMs = budget.readyMs(nowMs);
          if (inDay >= limit) expect(readyMs).toBeGreaterThan(nowMs);
          if (made.filter((atMs) => atMs > nowMs - DAY - MINUTE).length < limit) expect(readyMs).toBe(nowMs);
          if (readyMs > nowMs) continue;
          budget.count(nowMs, nowMs);
          made.push(nowMs);
        }
      }),
    );
  });

  it("counts reads of earlier runs, those of a clock that was ahead too", () => {
    const budget = new DayBudget(2, NOW);
    budget.count(NOW - DAY - 2 * MINUTE, NOW);
    expect(budget.spent(NOW)).toBe(0);
    budget.count(NOW - DAY / 2, NOW);
    budget.count(NOW + 10 * HOUR, NOW);
    expect(budget.spent(NOW)).toBe(2);
    expect(budget.spent(NOW + 11 * HOUR)).toBe(2);
    const readyMs = budget.readyMs(NOW + 11 * HOUR);
    expect(readyMs).toBeGreaterThan(NOW + DAY / 2);
    expect(readyMs).toBeLessThanOrEqual(NOW + DAY / 2 + MINUTE);
    expect(budget.readyMs(readyMs)).toBe(readyMs);
  });
});

describe("the source of reads", () => {
  const page = (host: number) => ({
    host,
    importance: 1,
    lastReadMs: null,
    changedAfterMs: [],
    unchangedMs: 0,
    ageMs: null,
  });

  function source(pagesOfHosts: readonly number[], concurrency = 10) {
    const queue = new RefreshQueue({ startMs: NOW - DAY, readsPerDay: 1e9 });
    pagesOfHosts.forEach((host, k) => queue.set(k, page(host), NOW));
    const calendar = new RefreshCalendar({ startMs: NOW });
    const budget = new DayBudget(1e9, NOW);
    const hostOf = (k: number): number => pagesOfHosts[k];
    return { queue, reads: new ReadSource({ queue, calendar, budget, hostOf, connectionsOf: () => 1, concurrency }) };
  }

  it("gives one page per connection of a host, and the next when that is done", () => {
    const { queue, reads } = source([0, 0, 1]);
    const given = [reads.next(NOW), reads.next(NOW), reads.next(NOW)];
    expect(
      given
        .filter((k) => k !== -1)
        .map((k) => [0, 0, 1][k])
        .sort(),
    ).toEqual([0, 1]);
    expect(given[2]).toBe(-1);
    expect(reads.nextMs(NOW)).toBe(Infinity);
    const first = given.find((k) => k === 0 || k === 1)!;
    queue.read(first, { isChanged: false }, NOW);
    reads.done(first, NOW);
    expect(reads.next(NOW)).toBe(1 - first);
  });

  it("leaves a host alone that asked for it, however many of its pages are done meanwhile", () => {
    const { queue, reads } = source([0, 0]);
    const first = reads.next(NOW);
    queue.failed(first, NOW + HOUR, NOW);
    reads.pause(0, NOW + HOUR, NOW);
    reads.done(first, NOW);
    expect(reads.next(NOW)).toBe(-1);
    expect(reads.nextMs(NOW)).toBe(NOW + HOUR);
    expect(reads.next(NOW + HOUR - 1)).toBe(-1);
    expect(reads.next(NOW + HOUR)).not.toBe(-1);
  });

  it("gives no more pages than there are connections", () => {
    const { reads } = source([0, 1, 2, 3], 2);
    expect([reads.next(NOW), reads.next(NOW), reads.next(NOW)].filter((k) => k !== -1)).toHaveLength(2);
    expect(reads.nextMs(NOW)).toBe(Infinity);
  });
});

describe("mass", () => {
  it("is conserved in the ledger of a log, and what is lost or made is noticed", async () => {
    const link = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");
    const pages: Readonly<Record<string, string>> = {
      "/": link("/a", "/b", "/gone"),
      "/a": link("/", "/a"),
      "/b": "end",
    };
    const { store } = await crawlInline(new InlineWeb(({ pathname }) => pages[pathname]), ["http://a.example/"]);
    const { ledger } = runSteps(importanceOfLog(store));
    expect(massLeak(ledger, 0)).toBeCloseTo(0, 12);
    ledger.settled[0] += 1e-6;
    expect(Math.abs(massLeak(ledger, 0))).toBeGreaterThan(1e-8);
  });
});

describe("a page that could not be read", () => {
  it("is tried after an hour, then after as long as it has failed, up to a week", () => {
    const retries = new Retries();
    expect(retries.retryMs(3)).toBe(Number.NEGATIVE_INFINITY);
    retries.failed(3, NOW, "status-500");
    expect(retries.retryMs(3)).toBe(NOW + HOUR);
    retries.failed(3, NOW + 5 * HOUR, "cut-off");
    expect(retries.failureOf(3)).toBe("cut-off");
    expect(retries.retryMs(3)).toBe(NOW + 10 * HOUR);
    retries.failed(3, NOW + 30 * DAY, null);
    expect(retries.retryMs(3)).toBe(NOW + 37 * DAY);
    retries.succeeded(3);
    expect(retries.retryMs(3)).toBe(Number.NEGATIVE_INFINITY);
  });

  it("keeps the time at which it was first not found, unless it says something else", () => {
    const retries = new Retries();
    retries.absent(1, { atMs: NOW, target: null }, "gone");
    retries.absent(1, { atMs: NOW + 6 * HOUR, target: null }, "gone");
    expect(retries.absenceOf(1)?.sinceMs).toBe(NOW);
    expect(retries.retryMs(1)).toBe(NOW + 12 * HOUR);
    retries.absent(1, { atMs: NOW + 12 * HOUR, target: "http://a.example/" }, "moved");
    expect(retries.absenceOf(1)?.sinceMs).toBe(NOW + 12 * HOUR);
  });
});

describe("a shift", () => {
  it("ends with news after twenty times the thought before it, at least a minute; else when sitemaps are due", () => {
    const shift = new Shift({ startMs: 1000, thoughtMs: 10_000, sitemapsMs: 9e6 });
    expect(shift.endMs).toBe(9e6);
    shift.news++;
    expect(shift.endMs).toBe(201_000);
    const short = new Shift({ startMs: 0, thoughtMs: 1, sitemapsMs: 9e6 });
    short.news++;
    expect(short.endMs).toBe(MINUTE);
  });
});

describe("the book of pages", () => {
  it("gives each URL one number and keeps its copy", () => {
    const book = new PageBook();
    const digest = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    for (let url = 0; url < 3000; url += 3) book.add(url);
    expect(book.count).toBe(1000);
    expect(book.add(300)).toBe(100);
    expect(book.pageOf(301)).toBe(-1);
    expect(book.pageOf(1e6)).toBe(-1);
    const unread = { readAs: "", isWhole: false };
    expect(book.copyOf(100)).toEqual({ visit: null, digest: null, etag: null, lastModified: null, ...unread });
    const copy = { visit: 7, digest, etag: "e", lastModified: null, readAs: "text/html; noindex", isWhole: true };
    book.setCopy(100, copy);
    expect(book.copyOf(book.pageOf(300))).toEqual(copy);
    expect(book.copyOf(101).readAs).toBe("");
    expect(book.copyOf(101).digest).toBeNull();
  });
});
