import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random, UsageError } from "../../src/base/index.ts";
import { ageOf, type KnownPage, learnPrior, planReads, saysChanged } from "../../src/refresh/index.ts";

const DAY = 86_400_000;
const NOW = 1000 * DAY;

function page(known: Partial<KnownPage> = {}): KnownPage {
  return {
    importance: 1,
    lastReadMs: NOW - 10 * DAY,
    changedAfterMs: [],
    unchangedMs: 0,
    ageMs: null,
    ...known,
  };
}

const order = (pages: readonly KnownPage[], budget = pages.length) =>
  planReads(pages, { nowMs: NOW, budget }).map((read) => read.page);

describe("what is read now", () => {
  it("is the more important of two pages alike", () => {
    expect(order([page({ importance: 1 }), page({ importance: 2 })])).toEqual([1, 0]);
  });

  it("is the one read longer ago of two alike", () => {
    expect(order([page({ lastReadMs: NOW - DAY }), page({ lastReadMs: NOW - 30 * DAY })])).toEqual([1, 0]);
  });

  it("is the one seen to change of two alike, as long as it can be kept fresh", () => {
    const quiet = page({ unchangedMs: 300 * DAY });
    const lively = page({ changedAfterMs: [10 * DAY, 10 * DAY, 10 * DAY], unchangedMs: 30 * DAY });
    expect(order([quiet, lively])).toEqual([1, 0]);
  });

  it("is a new page before an old one of the same importance, and after one of far more", () => {
    const fresh = page({ lastReadMs: null, importance: 1 });
    expect(order([page(), fresh])).toEqual([1, 0]);
    const weekly = page({ importance: 1000, changedAfterMs: [7 * DAY, 7 * DAY], unchangedMs: 7 * DAY });
    expect(order([fresh, weekly])).toEqual([1, 0]);
  });

  it("is no more than the budget, and nothing of what was read this moment or is worth nothing", () => {
    expect(order([page(), page(), page()], 2)).toEqual([0, 1]);
    expect(order([page({ lastReadMs: NOW }), page({ importance: 0 })])).toEqual([]);
    expect(order([], 5)).toEqual([]);
  });

  it("gains what the page would be fresh, which is counted for a year where it was never read", () => {
    // All pages change once in 16 years, the slowest rate there is.
    const year = 365.25 * DAY;
    const prior = Float64Array.from({ length: 36 }, (_, k) => Number(k === 0));
    const gainOf = (known: KnownPage) => planReads([known], { nowMs: NOW, budget: 1, prior })[0]?.gain;
    // A new page is fresh until it changes or the year ends: 1 / (1/16 + 1) years.
    expect((gainOf(page({ lastReadMs: null, importance: 3 })) ?? 0) / year).toBeCloseTo(3 * (16 / 17), 9);
    // One read 16 years ago: (w / rate) (1 - (1 + x) exp(-x)) with x = 1.
    const old = page({ lastReadMs: NOW - 16 * year, importance: 3 });
    expect((gainOf(old) ?? 0) / year).toBeCloseTo(3 * 16 * (1 - 2 / Math.E), 9);
  });

  it("is no page that was read later than now, by a clock that has been set back", () => {
    expect(order([page({ lastReadMs: NOW + 30 * DAY }), page()])).toEqual([1]);
  });

  it("comes with how likely it has changed", () => {
    const [never] = planReads([page({ lastReadMs: null })], { nowMs: NOW, budget: 1 });
    expect(never.staleChance).toBeCloseTo(1, 9);
    const steady = page({
      changedAfterMs: Array.from({ length: 200 }, () => 10 * DAY),
      unchangedMs: 2000 * DAY,
    });
    const [read] = planReads([steady], { nowMs: NOW, budget: 1 });
    // 200 of 400 reads after 10 days found a change: exp(-10 r) = 1/2, whatever the prior.
    expect(read.staleChance).toBeCloseTo(0.5, 1);
    expect(read.changeRate * DAY).toBeGreaterThan(Math.LN2 / 10 / 1.25);
    expect(read.changeRate * DAY).toBeLessThan((Math.LN2 / 10) * 1.25);
  });

  it("is what a sitemap says to have changed, as if it were new", () => {
    const plain = [page({ importance: 1.1 }), page({ importance: 2 }), page()];
    expect(order(plain, 2)).toEqual([1, 0]);
    const said = [...plain.slice(0, 2), page({ isSaidChanged: true })];
    expect(order(said, 2)).toEqual([2, 1]);
    const reads = planReads(said, { nowMs: NOW, budget: 2 });
    const [fresh] = planReads([page({ lastReadMs: null })], { nowMs: NOW, budget: 1, prior: learnPrior(said) });
    expect(reads[0]).toEqual({ ...fresh, page: 2, staleChance: 1 });
  });

  it("is chosen by sitemaps for half of the budget, rounded down, and for all that gains nothing otherwise", () => {
    const said = page({ isSaidChanged: true });
    expect(order([page({ importance: 2 }), page({ importance: 1.9 }), said, said], 3)).toEqual([2, 0, 1]);
    const justRead = page({ lastReadMs: NOW });
    const saidNow = page({ lastReadMs: NOW, isSaidChanged: true });
    expect(order([justRead, justRead, saidNow, saidNow], 2)).toEqual([2, 3]);
  });

  it("is by at least half what it would be without sitemaps, whatever these say", () => {
    const known = fc.record({
      importance: fc.double({ min: 0, max: 1, noNaN: true }),
      lastReadMs: fc.option(fc.integer({ min: NOW - 1000 * DAY, max: NOW })),
      isSaidChanged: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(known, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 20 }),
        (drawn, budget) => {
          const pages = drawn.map((each) =>
            page({ ...each, isSaidChanged: each.isSaidChanged && each.lastReadMs !== null }),
          );
          const without = order(
            pages.map((each) => ({ ...each, isSaidChanged: false })),
            budget,
          );
          const reads = planReads(pages, { nowMs: NOW, budget });
          const chosen = reads.map((read) => read.page);
          expect(chosen).toEqual(expect.arrayContaining(without.slice(0, Math.ceil(budget / 2))));
          expect(new Set(chosen).size).toBe(chosen.length);
          // No budget is lost by it, and no more is spent.
          expect(chosen.length).toBeGreaterThanOrEqual(without.length);
          expect(chosen.length).toBeLessThanOrEqual(budget);
          const gains = reads.map(({ gain }) => gain);
          expect(gains).toEqual([...gains].sort((a, b) => b - a));
          if (pages.every(({ isSaidChanged }) => isSaidChanged === false)) expect(chosen).toEqual(without);
        },
      ),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])("is refused for a budget of %s", (budget) => {
    expect(() => planReads([page()], { nowMs: NOW, budget })).toThrow(UsageError);
  });
});

describe("change rates", () => {
  it("are learnt from the other pages where nothing is known of one", () => {
    const unknown = page();
    const rateAmong = (others: readonly KnownPage[]) =>
      planReads([unknown, ...others], { nowMs: NOW, budget: others.length + 1 }).find((read) => read.page === 0)!
        .changeRate;
    const lively = Array.from({ length: 200 }, () => page({ changedAfterMs: [DAY, DAY], unchangedMs: DAY }));
    const quiet = Array.from({ length: 200 }, () => page({ unchangedMs: 500 * DAY }));
    expect(rateAmong(lively) * DAY).toBeGreaterThan(0.2);
    expect(rateAmong(quiet) * DAY).toBeLessThan(1 / 500);
  });

  it("are believed from a Last-Modified that is old enough", () => {
    expect(ageOf("Thu, 01 Jan 1970 00:00:00 GMT", 5 * DAY)).toBe(5 * DAY);
    expect(ageOf("Tue, 06 Jan 1970 00:00:00 GMT", 5 * DAY)).toBeNull();
    expect(ageOf("Mon, 05 Jan 1970 23:59:30 GMT", 5 * DAY)).toBeNull();
    expect(ageOf("yesterday", 5 * DAY)).toBeNull();
    expect(ageOf(null, 5 * DAY)).toBeNull();
    const rates = planReads([page({ ageMs: 2000 * DAY }), page({ ageMs: DAY / 2 })], {
      nowMs: NOW,
      budget: 2,
    });
    const rateOf = (k: number) => rates.find((read) => read.page === k)!.changeRate;
    expect(rateOf(1)).toBeGreaterThan(20 * rateOf(0));
  });

  it("stay numbers however much was seen", () => {
    const pages = [
      page({ unchangedMs: 1e6 * DAY }),
      page({ changedAfterMs: Array.from({ length: 5000 }, () => 1) }),
      page({ changedAfterMs: [1], unchangedMs: 1e6 * DAY, ageMs: 1e6 * DAY }),
    ];
    for (const read of planReads(pages, { nowMs: NOW, budget: 3 })) expect(read.changeRate).toBeGreaterThan(0);
  });

  it("of a thousand pages are found again in their distribution", () => {
    // All pages change every 20 days; each is read 10 times, 10 days apart.
    const random = new Random(3);
    const pages = Array.from({ length: 1000 }, () => {
      const changes = Array.from({ length: 10 }, () => random.float() < 1 - Math.exp(-0.5)).filter(Boolean).length;
      return page({
        changedAfterMs: Array.from({ length: changes }, () => 10 * DAY),
        unchangedMs: (10 - changes) * 10 * DAY,
      });
    });
    const prior = learnPrior(pages);
    const [read] = planReads([page()], { nowMs: NOW, budget: 1, prior });
    expect(read.changeRate * 20 * DAY).toBeGreaterThan(0.8);
    expect(read.changeRate * 20 * DAY).toBeLessThan(1.25);
  });
});

describe("the date of a sitemap", () => {
  it.each<[what: string, modifiedMs: number | null, is: boolean]>([
    ["after the last read", NOW - DAY, true],
    ["a moment after it", NOW - 2 * DAY + 1, true],
    ["of the last read itself", NOW - 2 * DAY, false],
    ["before it", NOW - 3 * DAY, false],
    ["two minutes before the sitemap was read", NOW - 120_000, true],
    ["of its making, as the sitemap was read", NOW - 119_999, false],
    ["in the future", NOW + 1, false],
    ["that is missing", null, false],
  ])("%s says that a page has changed: %s, %s", (_, modifiedMs, is) => {
    expect(saysChanged({ modifiedMs, listedMs: NOW }, NOW - 2 * DAY)).toBe(is);
  });
});
