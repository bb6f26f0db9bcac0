import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { learnPrior, learnPriors, type Observations, updateRates } from "../../src/refresh/change-rate.ts";
import { guessedPrior, RATES, RATES_COUNT, typicalRate } from "../../src/refresh/rate-grid.ts";
import { type KnownPage, planReads } from "../../src/refresh/index.ts";

const DAY = 86_400_000;
type Seen = Observations & { readonly host?: number };
const hosted = (host: number | undefined): { host?: number } => (host === undefined ? {} : { host });

const lively = (host?: number): Seen => ({
  changedAfterMs: [DAY, DAY],
  unchangedMs: DAY,
  ageMs: null,
  ...hosted(host),
});
const quiet = (host?: number): Seen => ({ changedAfterMs: [], unchangedMs: 500 * DAY, ageMs: null, ...hosted(host) });
const times = (count: number, seen: Seen): Seen[] => Array.from({ length: count }, () => seen);

describe("the prior of a host", () => {
  it("follows its own pages, where it has enough of them", () => {
    const priors = learnPriors([...times(300, lively(0)), ...times(300, quiet(1))]);
    expect(typicalRate(priors.of(0)) * DAY).toBeGreaterThan(0.2);
    expect(typicalRate(priors.of(1)) * DAY).toBeLessThan(1 / 200);
    // Of other hosts, that of the crawl is known, between the two.
    expect(priors.of(2)).toBe(priors.crawl);
    expect(priors.of(undefined)).toBe(priors.crawl);
    expect(typicalRate(priors.crawl)).toBeLessThan(typicalRate(priors.of(0)));
    expect(typicalRate(priors.crawl)).toBeGreaterThan(typicalRate(priors.of(1)));
  });

  it("is that of the crawl below five pages, and moves by 5 of 25 parts at five", () => {
    const crawl = times(400, quiet(0));
    const few = learnPriors([...crawl, ...times(4, lively(7))]);
    expect(few.of(7)).toBe(few.crawl);
    const five = learnPriors([...crawl, ...times(5, lively(7))]);
    const fast = (prior: Float64Array): number =>
      prior.reduce((sum, share, k) => sum + (RATES[k] > 0.1 / DAY ? share : 0), 0);
    // The five pages are fast for certain, nearly; the crawl's 20 are not.
    expect(fast(five.of(7))).toBeGreaterThan(0.9 * (5 / 25));
    expect(fast(five.of(7))).toBeLessThan(1.1 * (5 / 25) + fast(five.crawl));
  });

  it("is not used where hosts are unknown", () => {
    const pages = [...times(30, lively()), ...times(30, quiet())];
    expect(learnPriors(pages).crawl).toEqual(learnPrior(pages));
    for (const [k, share] of learnPriors([]).of(3).entries()) expect(share).toBeCloseTo(guessedPrior()[k], 12);
  });

  it("plans pages of lively hosts before those of quiet ones, where nothing else is known of them", () => {
    const known = (seen: Seen): KnownPage => ({ ...seen, importance: 1e-9, lastReadMs: 0 });
    const unread = { changedAfterMs: [], unchangedMs: 0, ageMs: null, importance: 1, lastReadMs: 999 * DAY };
    const pages: KnownPage[] = [
      ...times(100, quiet(0)).map(known),
      ...times(100, lively(1)).map(known),
      { ...unread, host: 0 },
      { ...unread, host: 1 },
    ];
    const order = planReads(pages, { nowMs: 1000 * DAY, budget: 2 }).map(({ page }) => page);
    expect(order).toEqual([201, 200]);
  });

  it("predicts what the next read finds better than the prior of the crawl alone, where hosts differ", () => {
    // 10 hosts of 100 pages; the mean interval of a host is between a day and a year. One read each, then another.
    const random = new Random(9);
    const pages = Array.from({ length: 1000 }, (_, page) => {
      const host = page % 10;
      const rate = 2 ** (2 * random.float() - 1) / 1.9 ** host / DAY;
      const visit = (): { afterMs: number; isChanged: boolean } => {
        const afterMs = (1 + random.below(30)) * DAY;
        return { afterMs, isChanged: random.float() < -Math.expm1(-rate * afterMs) };
      };
      const first = visit();
      const seen: Seen = {
        host,
        changedAfterMs: first.isChanged ? [first.afterMs] : [],
        unchangedMs: first.isChanged ? 0 : first.afterMs,
        ageMs: null,
      };
      return { ...seen, next: visit() };
    });
    const priors = learnPriors(pages);
    const crawl = learnPrior(
      pages.map(({ changedAfterMs, unchangedMs, ageMs }) => ({ changedAfterMs, unchangedMs, ageMs })),
    );
    const lossWith = (priorOf: (host: number | undefined) => Float64Array): number => {
      const weights = new Float64Array(RATES_COUNT);
      let loss = 0;
      for (const page of pages) {
        updateRates(page, priorOf(page.host), weights);
        let unchanged = 0;
        for (let k = 0; k < RATES_COUNT; k++) unchanged += weights[k] * Math.exp(-RATES[k] * page.next.afterMs);
        loss -= Math.log(page.next.isChanged ? 1 - unchanged : unchanged);
      }
      return loss / pages.length;
    };
    expect(lossWith((host) => priors.of(host))).toBeLessThan(0.95 * lossWith(() => crawl));
  });
});
