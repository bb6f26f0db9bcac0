import { describe, expect, it } from "vitest";
import { Random } from "../../../src/base/index.ts";
import { optimum } from "../../../src/lab/refresh/optimum.ts";
import { allAlike, type ChangingPages, silent } from "../../../src/lab/refresh/world.ts";
import { bestSchedule, readCycle } from "../../../src/refresh/index.ts";

function drawn(count: number): ChangingPages {
  const random = new Random(5);
  return {
    importance: Float64Array.from({ length: count }, () => 1 / (1 + random.below(50))),
    rates: Float64Array.from({ length: count }, () => 0.005 * 400 ** random.float()),
    hosts: Uint32Array.from({ length: count }, (_, page) => page % 2),
    qualityOf: silent,
  };
}

const sum = (values: Float64Array): number => values.reduce((total, each) => total + each, 0);

describe("the best that is possible", () => {
  it("is the best schedule of Cho and Garcia-Molina where pages are silent", () => {
    const pages = drawn(200);
    for (const readsPerDay of [0.5, 3, 20]) {
      const best = bestSchedule(pages.importance, pages.rates, readsPerDay);
      const found = optimum(pages, { readsPerDay });
      expect(found.freshness).toBeCloseTo(best.freshness, 4);
      expect(sum(found.reads)).toBeCloseTo(readsPerDay, 3);
    }
  });

  it("gives a host with a limit its limit, and the rest to others", () => {
    const even = drawn(100);
    // Host 0 deserves most of the reads.
    const pages = { ...even, importance: even.importance.map((each, page) => (even.hosts[page] === 0 ? 9 : 1) * each) };
    const ofHost = (host: number, values: Float64Array): Float64Array =>
      values.filter((_, page) => pages.hosts[page] === host);
    const readsOf = ({ reads }: { readonly reads: Float64Array }): number[] =>
      [0, 1].map((host) => sum(ofHost(host, reads)));
    expect(readsOf(optimum(pages, { readsPerDay: 4 }))[0]).toBeGreaterThan(2.8);
    // With limits that are met, the hosts are two problems, each with a budget of its own.
    const freshnessOf = (budgets: readonly number[]): number => {
      const parts = budgets.map((budget, host) => {
        const importance = ofHost(host, pages.importance);
        return sum(importance) * bestSchedule(importance, ofHost(host, pages.rates), budget).freshness;
      });
      return (parts[0] + parts[1]) / sum(pages.importance);
    };
    for (const [hostReadsPerDay, expected] of [
      [2.5, [2.5, 1.5]],
      [1, [1, 1]],
    ] as const) {
      const found = optimum(pages, { readsPerDay: 4, hostReadsPerDay });
      for (const [host, reads] of readsOf(found).entries()) expect(reads).toBeCloseTo(expected[host], 3);
      expect(found.freshness).toBeCloseTo(freshnessOf(expected), 4);
    }
  });

  it("is what one page with signals allows, by the doubt at which it is read", () => {
    const quality = { recall: 0.5, falseShare: 0.2 };
    const pages = { ...drawn(1), qualityOf: allAlike(quality) };
    const rate = pages.rates[0];
    const { time, currentTime } = readCycle(0.8, quality);
    const { freshness, reads } = optimum(pages, { readsPerDay: rate / time });
    expect(reads[0]).toBeCloseTo(rate / time, 6);
    expect(freshness).toBeCloseTo(currentTime / time, 5);
  });

  it("grows with the budget and with the quality of signals", () => {
    const pages = drawn(60);
    const at = (readsPerDay: number, recall: number): number =>
      optimum({ ...pages, qualityOf: allAlike({ recall, falseShare: 0.2 }) }, { readsPerDay }).freshness;
    expect(at(2, 0.5)).toBeGreaterThan(at(1, 0.5));
    expect(at(1, 0.8)).toBeGreaterThan(at(1, 0.5));
    expect(at(1, 0.5)).toBeGreaterThan(optimum(pages, { readsPerDay: 1 }).freshness);
  });
});
