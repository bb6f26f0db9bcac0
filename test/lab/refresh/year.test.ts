import { describe, expect, it } from "vitest";
import { optimum } from "../../../src/lab/refresh/optimum.ts";
import { allAlike, type ChangingPages, ChangingWeb, mixedRates, silent } from "../../../src/lab/refresh/world.ts";
import {
  informed,
  inTurn,
  planned,
  proportional,
  queued,
  runYear,
  type Year,
  type YearPolicy,
} from "../../../src/lab/refresh/year.ts";

function pagesOf(count: number, qualityOf = silent): ChangingPages {
  const hosts = Uint32Array.from({ length: count }, (_, page) => page % 4);
  const importance = Float64Array.from(hosts, (_, page) => 1 / (1 + page));
  return { importance, hosts, rates: mixedRates(hosts, 2), qualityOf };
}

function yearOf(pages: ChangingPages, days: number): Year {
  return { web: new ChangingWeb(pages, { days, seed: 4 }), readsPerDay: 1.55, warmUp: days / 2 };
}

const sum = (values: Float64Array): number => values.reduce((total, each) => total + each, 0);

describe("a year of refreshing", () => {
  it("counts a copy as fresh from its read until the first change", () => {
    const still = { ...pagesOf(2), importance: Float64Array.of(3, 1), rates: Float64Array.of(0, 0) };
    const web = new ChangingWeb(still, { days: 4, seed: 1 });
    // Page 0 changes on days 0 and 1, each time at noon; page 1 in the morning of day 2.
    web.firstChange[0] = 0.5;
    web.firstChange[2] = 0.5;
    web.firstChange[5] = 0.25;
    const found: [page: number, isChanged: boolean, day: number][] = [];
    const policy: YearPolicy = {
      choose: (day) => (day === 1 ? [0, 1] : []),
      found: (...what) => void found.push(what),
    };
    const { byDay, freshness, readsPerHost } = runYear({ web, readsPerDay: 1, warmUp: 2 }, policy);
    expect(Array.from(byDay)).toEqual([(1.5 + 1) / 4, (1.5 + 1) / 4, 0.25 / 4, 0]);
    expect(freshness).toBeCloseTo(0.25 / 8, 12);
    expect(found).toEqual([
      [0, true, 1],
      [1, false, 1],
    ]);
    expect(Array.from(readsPerHost)).toEqual([1, 1]);
  });

  it("tells of the signals of a day before its reads", () => {
    const web = new ChangingWeb({ ...pagesOf(2), rates: Float64Array.of(0, 0) }, { days: 2, seed: 1 });
    web.signals[3] = 2;
    const calls: string[] = [];
    runYear(
      { web, readsPerDay: 1, warmUp: 0 },
      {
        choose: (day) => (calls.push(`choose ${day}`), []),
        signalled: (page, signals, day) => void calls.push(`page ${page} x${signals} day ${day}`),
      },
    );
    expect(calls).toEqual(["choose 1", "page 1 x2 day 2", "choose 2"]);
  });

  it.each<[string, (year: Year) => YearPolicy]>([
    ["in turn", inTurn],
    ["by change rate", proportional],
    ["by the plan of --once", (year) => planned(year, { hearsSignals: true })],
    ["by the queue", (year) => queued(year, { hearsSignals: true })],
    ["by the queue that knows all", (year) => informed(year, { hearsSignals: true })],
  ])("%s spends the budget and no more", (_, policy) => {
    const year = yearOf(pagesOf(20, allAlike({ recall: 0.5, falseShare: 0.2 })), 60);
    const reads = sum(runYear(year, policy(year)).readsPerHost);
    // 60 days at 1.55 reads; the first read of a queue needs no saving.
    expect(reads).toBeGreaterThanOrEqual(92);
    expect(reads).toBeLessThanOrEqual(94);
  });

  it("keeps to limits per host", () => {
    const year = { ...yearOf(pagesOf(20), 60), readsPerDay: 2 };
    for (const policy of [queued, informed]) {
      const free = runYear(year, policy(year, { hearsSignals: false })).readsPerHost;
      expect(Math.max(...free)).toBeGreaterThan(40);
      const limited = runYear(year, policy(year, { hearsSignals: false, hostReadsPerDay: 0.5 })).readsPerHost;
      expect(Math.max(...limited)).toBeLessThanOrEqual(31);
      expect(sum(limited)).toBeGreaterThan(110);
    }
  });

  it("comes close to the best possible with known rates, and signals help", () => {
    const quiet = pagesOf(60);
    const signalling = { ...quiet, qualityOf: allAlike({ recall: 0.5, falseShare: 0.2 }) };
    const freshnessOf = (pages: ChangingPages, hearsSignals: boolean): number => {
      const year = { ...yearOf(pages, 400), readsPerDay: 1 };
      return runYear(year, informed(year, { hearsSignals })).freshness;
    };
    // By luck, 200 days may be a little better than the average of a long time.
    for (const pages of [quiet, signalling]) {
      const share = freshnessOf(pages, true) / optimum(pages, { readsPerDay: 1 }).freshness;
      expect(share).toBeGreaterThan(0.93);
      expect(share).toBeLessThan(1.04);
    }
    expect(freshnessOf(signalling, true)).toBeGreaterThan(1.03 * freshnessOf(signalling, false));
  });
});
