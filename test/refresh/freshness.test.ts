import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random, UsageError } from "../../src/base/index.ts";
import { bestSchedule, freshness, freshnessOf, readingGain } from "../../src/refresh/index.ts";

describe("freshness of a page", () => {
  it("is (1 - exp(-x)) / x for x changes between two reads", () => {
    expect(freshness(1, 1)).toBeCloseTo(1 - Math.exp(-1), 14);
    expect(freshness(2, 5)).toBeCloseTo((1 - Math.exp(-10)) / 10, 14);
    expect(freshness(0, 5)).toBe(1);
    expect(freshness(1, Infinity)).toBe(0);
    expect(freshness(1e-9, 1)).toBeCloseTo(1 - 0.5e-9, 15);
  });

  it("is what random changes give", () => {
    // 20,000 intervals of length 3 at rate 0.7: the first change of each ends the fresh time.
    const random = new Random(5);
    let fresh = 0;
    for (let k = 0; k < 20_000; k++) fresh += Math.min(3, -Math.log(1 - random.float()) / 0.7);
    expect(fresh / 60_000).toBeCloseTo(freshness(0.7, 3), 2);
  });

  it("gains by one more read what its derivative says", () => {
    for (const [rate, interval] of [
      [0.3, 2],
      [5, 0.1],
      [1e-4, 3],
      [2, 8],
    ] as const) {
      const reads = 1 / interval;
      const step = reads * 1e-5;
      const slope = (freshness(rate, 1 / (reads + step)) - freshness(rate, 1 / (reads - step))) / (2 * step);
      expect(readingGain(1, rate, interval) / slope).toBeCloseTo(1, 5);
    }
  });

  it("gains nothing just after a read, and all of its time between changes when it was never read", () => {
    expect(readingGain(0.5, 0.25, 0)).toBe(0);
    expect(readingGain(0.5, 0.25, Infinity)).toBe(2);
    expect(readingGain(0.5, 0, 100)).toBe(0);
    expect(readingGain(0.5, 0, Infinity)).toBe(Infinity);
    expect(readingGain(0, 0, Infinity)).toBe(0);
  });

  it.each([0.0099, 0.005, 0.001])("gains as the formula says where it was read %d changes ago", (x) => {
    // The formula itself loses digits where x is small: of 1 - (1 + x) exp(-x) about 1e-16 / x^2.
    expect(readingGain(1, 1, x) / (1 - (1 + x) * Math.exp(-x))).toBeCloseTo(1, 8);
  });
});

describe("the best schedule", () => {
  it("reads two alike pages alike", () => {
    const { reads } = bestSchedule(Float64Array.of(1, 1), Float64Array.of(2, 2), 3);
    expect(reads[0]).toBeCloseTo(1.5, 9);
    expect(reads[1]).toBeCloseTo(1.5, 9);
  });

  it("spends a budget far below the changes of its pages as well", () => {
    // One page has all of the reads, two alike have half of them each.
    expect(bestSchedule(Float64Array.of(1), Float64Array.of(100), 0.1).reads[0]).toBeCloseTo(0.1, 9);
    const { reads } = bestSchedule(Float64Array.of(1, 1), Float64Array.of(10, 10), 0.2);
    for (const each of reads) expect(each).toBeCloseTo(0.1, 9);
  });

  it("does not read a page that changes too fast to be kept fresh", () => {
    // Cho and Garcia-Molina's paradox: with one read a unit, page 1 would be stale at once.
    const { reads } = bestSchedule(Float64Array.of(1, 1), Float64Array.of(1, 1000), 1);
    expect(reads[0]).toBeCloseTo(1, 9);
    expect(reads[1]).toBe(0);
  });

  it("spends the budget, gains the same everywhere, and is beaten by no other schedule", () => {
    const page = fc.record({
      weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
      rate: fc.double({ min: 0.001, max: 100, noNaN: true }),
      other: fc.double({ min: 0.001, max: 1, noNaN: true }),
    });
    const budgets = fc.double({ min: 0.1, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 8 }), budgets, (pages, budget) => {
        const importance = Float64Array.from(pages, ({ weight }) => weight);
        const rates = Float64Array.from(pages, ({ rate }) => rate);
        const { reads, marginalGain, freshness: best } = bestSchedule(importance, rates, budget);
        expect(reads.reduce((sum, each) => sum + each, 0) / budget).toBeCloseTo(1, 9);
        for (const [k, each] of reads.entries()) {
          const gain = readingGain(importance[k], rates[k], 1 / each);
          if (each > 0) expect(gain / marginalGain).toBeCloseTo(1, 5);
          else expect(importance[k] / rates[k]).toBeLessThanOrEqual(marginalGain * (1 + 1e-9));
        }
        const total = pages.reduce((sum, { other }) => sum + other, 0);
        const others = Float64Array.from(pages, ({ other }) => (other / total) * budget);
        expect(freshnessOf(importance, rates, others)).toBeLessThanOrEqual(best + 1e-9);
      }),
    );
  });

  it("needs no reads of pages that never change", () => {
    const { reads, freshness: fresh } = bestSchedule(Float64Array.of(1, 1), Float64Array.of(0, 1), 4);
    expect(reads[0]).toBe(0);
    expect(fresh).toBeCloseTo((1 + freshness(1, 1 / 4)) / 2, 12);
  });

  it.each([0, -1, Number.NaN, Infinity])("refuses a budget of %s", (budget) => {
    expect(() => bestSchedule(Float64Array.of(1), Float64Array.of(1), budget)).toThrow(UsageError);
  });

  it("refuses rates for another number of pages", () => {
    expect(() => bestSchedule(Float64Array.of(1), Float64Array.of(1, 2), 1)).toThrow(UsageError);
  });
});
