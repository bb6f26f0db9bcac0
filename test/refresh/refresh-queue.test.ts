import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random, UsageError } from "../../src/base/index.ts";
import { type PageHistory, RefreshQueue, type RefreshQueueOptions } from "../../src/refresh/index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = 20_000 * DAY;

function history(known: Partial<PageHistory> = {}): PageHistory {
  return {
    host: 0,
    importance: 1,
    lastReadMs: START - 30 * DAY,
    changedAfterMs: [],
    unchangedMs: 0,
    ageMs: null,
    ...known,
  };
}

function queueOf(pages: readonly Partial<PageHistory>[], options: Partial<RefreshQueueOptions> = {}): RefreshQueue {
  const queue = new RefreshQueue({ startMs: START, readsPerDay: 1000, keptMs: DAY, ...options });
  for (const [page, known] of pages.entries()) queue.set(page, history(known), START);
  return queue;
}

/** All pages that are given at a time. */
function given(queue: RefreshQueue, nowMs: number): number[] {
  const pages: number[] = [];
  for (let page = queue.next(nowMs); page !== -1; page = queue.next(nowMs)) pages.push(page);
  return pages;
}

describe("the queue of a crawl that goes on", () => {
  it("gives the most important page first, a new one before an old one unless that is far more important", () => {
    const isNew = { lastReadMs: null };
    const queue = queueOf([{ importance: 1 }, { importance: 3 }, { importance: 1, ...isNew }, { importance: 99 }]);
    expect(given(queue, START + DAY)).toEqual([3, 2, 1, 0]);
  });

  it("gives a page that was signalled before others, and once", () => {
    const queue = queueOf([{}, {}, {}], { sources: ["sitemap", "feed"] });
    queue.signal(2, "sitemap", START);
    queue.signal(2, "feed", START);
    expect(given(queue, START + DAY)[0]).toBe(2);
    // It is being read: another signal does not give it a second time.
    queue.signal(2, "feed", START + DAY);
    expect(queue.next(START + 2 * DAY)).toBe(-1);
    queue.read(2, { isChanged: true }, START + 2 * DAY);
    expect(queue.next(START + 3 * DAY)).toBe(2);
  });

  it("goes on where the clock was set back", () => {
    const queue = queueOf([{}, {}], { readsPerDay: 24, keptMs: HOUR });
    const first = queue.next(START + 10 * DAY);
    queue.read(first, { isChanged: false }, START + 10 * DAY);
    // The clock is set back by 9 days. The next read is due an hour later, not 9 days later.
    const backMs = START + DAY;
    expect(queue.next(backMs)).toBe(-1);
    const nextMs = queue.nextMs(backMs);
    expect(nextMs).toBeGreaterThan(backMs);
    expect(nextMs).toBeLessThanOrEqual(backMs + HOUR);
    expect(queue.next(backMs + HOUR + 1)).toBe(1 - first);
    // What was read before the jump was read an hour ago.
    expect(queue.explain(first, backMs + HOUR).sinceReadMs).toBeCloseTo(HOUR, -1);
    expect(queue.lastReadMs(first, backMs + HOUR)).toBeCloseTo(backMs, -1);
    // A page that was read in the future, by an older log, was read now at the latest.
    queue.set(5, history({ lastReadMs: START + 99 * DAY }), backMs + HOUR);
    expect(queue.explain(5, backMs + 2 * HOUR).sinceReadMs).toBeLessThanOrEqual(HOUR + 2);
  });

  it("brings a page that failed back at the time it was told, and not for a signal before", () => {
    const queue = queueOf([{}]);
    expect(queue.next(START)).toBe(0);
    queue.failed(0, START + 6 * HOUR, START);
    queue.signal(0, "sitemap", START + HOUR);
    expect(queue.next(START + 5 * HOUR)).toBe(-1);
    expect(queue.nextMs(START + 5 * HOUR)).toBe(START + 6 * HOUR);
    expect(queue.next(START + 6 * HOUR)).toBe(0);
    // What was known of it still is.
    expect(queue.explain(0, START + 6 * HOUR).sinceReadMs).toBe(30 * DAY + 6 * HOUR);
    expect(queue.lastReadMs(0, START + 6 * HOUR)).toBe(START - 30 * DAY);
  });

  it("brings a page that failed back in time where the clock was set back", () => {
    const queue = queueOf([{}]);
    expect(queue.next(START + 10 * DAY)).toBe(0);
    queue.failed(0, START + DAY + 6 * HOUR, START + DAY);
    expect(queue.next(START + DAY + 5 * HOUR)).toBe(-1);
    expect(queue.next(START + DAY + 6 * HOUR)).toBe(0);
  });

  it("gives a page once, and not before its time, that failed, was forgotten or failed again, and came back", () => {
    const queue = queueOf([{}]);
    expect(queue.next(START)).toBe(0);
    queue.failed(0, START + 6 * HOUR, START);
    queue.forget(0, START + HOUR);
    queue.setImportance(0, 1, START + 2 * HOUR);
    expect(queue.next(START + 3 * HOUR)).toBe(0);
    // It is being read: the time of the failure before means nothing any more.
    expect(queue.next(START + 7 * HOUR)).toBe(-1);
    queue.failed(0, START + 9 * HOUR, START + 7 * HOUR);
    queue.failed(0, START + DAY, START + 8 * HOUR);
    expect(queue.next(START + 10 * HOUR)).toBe(-1);
    expect(queue.next(START + DAY)).toBe(0);
    queue.failed(0, START + 3 * DAY, START + DAY);
    queue.read(0, { isChanged: true }, START + DAY);
    expect(queue.next(START + 2 * DAY)).toBe(0);
    expect(queue.next(START + 4 * DAY)).toBe(-1);
  });

  it("forgets a page that is gone, whether it waits, is being read or failed", () => {
    const queue = queueOf([{}, {}, {}]);
    queue.forget(0, START);
    const reading = queue.next(START);
    queue.forget(reading, START);
    const failing = queue.next(START + HOUR);
    expect(new Set([0, reading, failing])).toEqual(new Set([0, 1, 2]));
    queue.failed(failing, START + 2 * HOUR, START + HOUR);
    queue.forget(failing, START + HOUR);
    expect(queue.next(START + DAY)).toBe(-1);
    expect(queue.nextMs(START + DAY)).toBe(Infinity);
    expect(queue.freshness(START, [Infinity])).toEqual({ current: 0, noOlderThan: [0] });
  });

  it("keeps to the limits of hosts, and to pauses", () => {
    const queue = queueOf([{ host: 0 }, { host: 0 }, { host: 1, importance: 0.1 }], { hostReadsPerDay: 1 });
    expect(given(queue, START + HOUR)).toEqual([0, 2]);
    expect(queue.explain(1, START + HOUR).hostReadyMs).toBeCloseTo(START + DAY + HOUR, -4);
    queue.pauseHost(0, START + 5 * DAY, START + 2 * HOUR);
    expect(queue.next(START + 3 * DAY)).toBe(-1);
    expect(queue.nextMs(START + 3 * DAY)).toBe(START + 5 * DAY);
    expect(queue.next(START + 5 * DAY)).toBe(1);
  });

  it("gives the same pages for the same calls", () => {
    const calls = fc.array(fc.record({ page: fc.nat(9), kind: fc.nat(5), hours: fc.nat(40) }), { maxLength: 40 });
    fc.assert(
      fc.property(calls, (steps) => {
        const run = (): number[] => {
          const queue = queueOf(Array.from({ length: 10 }, (_, page) => ({ host: page % 3, importance: 1 + page })));
          const log: number[] = [];
          let nowMs = START;
          for (const { page, kind, hours } of steps) {
            nowMs += hours * HOUR;
            if (kind === 0) queue.signal(page, "sitemap", nowMs);
            else if (kind === 1) queue.setImportance(page, hours, nowMs);
            else {
              const next = queue.next(nowMs);
              log.push(next);
              if (next !== -1) queue.read(next, { isChanged: kind === 2 }, nowMs);
            }
          }
          return log;
        };
        expect(run()).toEqual(run());
      }),
      { numRuns: 20 },
    );
  });
});

describe("what the queue shows", () => {
  it("why a page is next: its terms, and the level of the others", () => {
    const sources = ["sitemap", "feed"];
    const queue = queueOf([{ importance: 2, lastReadMs: START - DAY }, { importance: 1 }], { sources });
    queue.signal(0, "feed", START);
    const reason = queue.explain(0, START);
    expect(reason).toMatchObject({ importance: 2, sinceReadMs: DAY, hostReadyMs: START });
    expect(reason.signals.map(({ source, count }) => [source, count])).toEqual([
      ["sitemap", 0],
      ["feed", 1],
    ]);
    expect(reason.signals[1].recall).toBeCloseTo(0.5, 6);
    expect(reason.signals[0]).toMatchObject({ recall: 0, falseShare: 1 });
    expect(reason.staleChance).toBeGreaterThan(0.3);
    expect(queue.next(START)).toBe(0);
    expect(queue.explain(1, START).level).toBeCloseTo(reason.value, 6);
  });

  it("the pages that come next, best first", () => {
    const queue = queueOf([{ importance: 1 }, { importance: 3 }, { importance: 2 }, { lastReadMs: START }]);
    expect(queue.upcoming(2, START)).toEqual([1, 2]);
    expect(queue.upcoming(10, START)).toEqual([1, 2, 0]);
    // Also where bounds are in another order: close to the value of what was just read, they are closer.
    expect(queue.next(START)).toBe(1);
    queue.setImportance(0, 2.4, START);
    queue.setImportance(2, 1.4, START);
    expect(queue.upcoming(2, START)).toEqual([0, 2]);
  });

  it("how fresh copies are: certainly no older than, and probably current", () => {
    const queue = queueOf([
      { importance: 1, lastReadMs: START - HOUR },
      { importance: 2, lastReadMs: START - 10 * DAY },
      { importance: 3, lastReadMs: null },
    ]);
    const { current, noOlderThan } = queue.freshness(START, [HOUR - 1, HOUR, 10 * DAY]);
    expect(noOlderThan).toEqual([0, 1 / 6, 3 / 6]);
    expect(current).toBeGreaterThan(1 / 6);
    expect(current).toBeLessThan(3 / 6);
    expect(queueOf([]).freshness(START, [1])).toEqual({ current: 0, noOlderThan: [0] });
  });

  it("the expected share that is current is the share that is, for a crawl whose changes follow the model", () => {
    // 100 pages with one change in 5 to 80 days, read for 150 days.
    const random = new Random(3);
    const rates = Array.from({ length: 100 }, () => 1 / (5 * 16 ** random.float()) / DAY);
    const queue = queueOf(
      rates.map((_, page) => ({ host: page % 5, lastReadMs: START })),
      { readsPerDay: 5 },
    );
    const changedMs = rates.map((rate) => START - Math.log(1 - random.float()) / rate);
    let [expected, actual] = [0, 0];
    for (let day = 1; day <= 150; day++) {
      const nowMs = START + day * DAY;
      for (const page of given(queue, nowMs)) {
        queue.read(page, { isChanged: changedMs[page] <= nowMs }, nowMs);
        changedMs[page] = nowMs - Math.log(1 - random.float()) / rates[page];
      }
      if (day <= 75 || day % 10 > 0) continue;
      expected += queue.freshness(nowMs, []).current;
      actual += changedMs.filter((ms) => ms > nowMs).length / 100;
    }
    expect(expected / actual).toBeGreaterThan(0.9);
    expect(expected / actual).toBeLessThan(1.1);
  });
});

describe("bad input of the queue", () => {
  it.each<[wrong: Partial<RefreshQueueOptions>, words: RegExp]>([
    [{ readsPerDay: 0 }, /^the budget is 0 reads per day, expected a number above 0$/],
    [{ readsPerDay: Number.NaN }, /^the budget is NaN/],
    [{ hostReadsPerDay: -1 }, /^the limit per host is -1/],
  ])("%o is refused", (wrong, words) => {
    expect(() => queueOf([], wrong)).toThrow(words);
    expect(() => queueOf([], wrong)).toThrow(UsageError);
  });

  it("a source that nobody knows is refused", () => {
    const queue = queueOf([{}], { sources: ["sitemap", "feed"] });
    expect(() => queue.signal(0, "gossip", START)).toThrow(/unknown source "gossip", expected one of sitemap, feed/);
  });
});
