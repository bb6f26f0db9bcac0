import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lesson } from "../../src/refresh/lesson.ts";
import { RATES, RATES_COUNT } from "../../src/refresh/rate-grid.ts";

const DAY = 86_400_000;
const currentAfter = (ms: number): Float64Array => RATES.map((rate) => Math.exp(-rate * ms));

function only(...rates: readonly number[]): Float64Array {
  const weights = new Float64Array(RATES_COUNT);
  for (const k of rates) weights[k] += 1 / rates.length;
  return weights;
}

describe("what a read teaches", () => {
  it("is nothing where the rate is known, or what the read finds", () => {
    const lesson = new Lesson();
    for (const k of [3, 15, 30]) {
      expect(lesson.worth(only(k), currentAfter(10 * DAY), DAY)).toBeCloseTo(0, 3);
    }
    const either = only(8, 30);
    expect(lesson.worth(either, currentAfter(0), DAY)).toBeCloseTo(0, 3);
    expect(lesson.worth(either, new Float64Array(RATES_COUNT), DAY)).toBeCloseTo(0, 3);
  });

  it("is never negative, and nothing at a price that no page is worth", () => {
    const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: RATES_COUNT,
      maxLength: RATES_COUNT,
    });
    const since = fc.double({ min: 0.01, max: 400, noNaN: true });
    fc.assert(
      fc.property(weights, since, fc.double({ min: 0.01, max: 100, noNaN: true }), (drawn, days, price) => {
        const total = drawn.reduce((sum, weight) => sum + weight, 1e-9);
        const shares = Float64Array.from(drawn, (weight) => (weight + 1e-9 / RATES_COUNT) / total);
        expect(new Lesson().worth(shares, currentAfter(days * DAY), price * DAY)).toBeGreaterThanOrEqual(0);
      }),
    );
    expect(new Lesson().worth(only(8, 30), currentAfter(DAY), 1e9 * DAY)).toBe(0);
  });

  it("is what a better choice of the interval gains in a year, for a page that is quiet or hopeless", () => {
    // Either one change in about 290 days, or one in an hour; the read price is 20 days of freshness.
    const [quiet, hopeless] = [8, 30];
    const price = 20 * DAY;
    // After 5 days, the read shows which: unchanged if quiet, changed if hopeless (and rarely if quiet).
    const found = new Lesson().worth(only(quiet, hopeless), currentAfter(5 * DAY), price);
    const best = (gainOf: (ms: number) => number): number =>
      Math.max(0, ...Array.from({ length: 2000 }, (_, k) => gainOf((k + 1) * DAY)));
    const current = (k: number, ms: number): number => -Math.expm1(-RATES[k] * ms) / RATES[k];
    const apart = best((ms) => (current(quiet, ms) - price) / ms);
    const together = best((ms) => (current(quiet, ms) / 2 + current(hopeless, ms) / 2 - price) / ms);
    const expected = 365.25 * DAY * (apart / 2 - together);
    expect(expected).toBeGreaterThan(0);
    // The intervals of the kernel are 1.67 apart, and the read may mislead a little.
    expect(found / expected).toBeGreaterThan(0.8);
    expect(found / expected).toBeLessThan(1.2);
  });
});
