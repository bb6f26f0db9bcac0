import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { kendallTau, l1Distance, lInfinityDistance, spearman, topOverlap, topPages } from "../../src/rank/index.ts";

const f = (...values: number[]) => Float64Array.of(...values);

/** Few distinct values, so that ties of every kind occur. */
const twoRankings = fc
  .array(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 })), { minLength: 2, maxLength: 40 })
  .map((pairs) => [Float64Array.from(pairs, ([a]) => a), Float64Array.from(pairs, ([, b]) => b)] as const);

function tauByDefinition(a: Float64Array, b: Float64Array): { a: number; b: number } {
  let difference = 0;
  let untiedInA = 0;
  let untiedInB = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < i; j++) {
      const [signA, signB] = [Math.sign(a[i] - a[j]), Math.sign(b[i] - b[j])];
      difference += signA * signB;
      untiedInA += Math.abs(signA);
      untiedInB += Math.abs(signB);
    }
  }
  const pairs = (a.length * (a.length - 1)) / 2;
  return { a: difference / pairs, b: difference / Math.sqrt(untiedInA * untiedInB) };
}

/** Places by counting, page by page: how many are below, and half of those that are equal. */
function placeByDefinition(values: Float64Array, i: number): number {
  const below = values.filter((value) => value < values[i]).length;
  return below + (values.filter((value) => value === values[i]).length - 1) / 2;
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (x: readonly number[]) => x.reduce((sum, value) => sum + value, 0) / x.length;
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, i) => (value - ma) * (b[i] - mb)));
  const variance = (x: readonly number[], m: number) => mean(x.map((value) => (value - m) ** 2));
  return covariance / Math.sqrt(variance(a, ma) * variance(b, mb));
}

describe("spearman", () => {
  it("is 1 for the same order, -1 for the opposite one, whatever the values", () => {
    expect(spearman(f(1, 2, 3, 100), f(-4, 0, 30, 31))).toBe(1);
    expect(spearman(f(1, 2, 3, 4), f(9, 8, 7, -1))).toBe(-1);
  });

  it("is by hand: two of four pages exchanged", () => {
    // 1 - 6 * (0 + 1 + 1 + 0) / (4 * 15)
    expect(spearman(f(1, 2, 3, 4), f(1, 3, 2, 4))).toBeCloseTo(0.8, 12);
  });

  it("is the correlation of the places, equal pages sharing the mean of theirs", () => {
    fc.assert(
      fc.property(twoRankings, ([a, b]) => {
        const places = (x: Float64Array) => Array.from(x, (_, i) => placeByDefinition(x, i));
        const expected = pearson(places(a), places(b));
        if (Number.isNaN(expected)) expect(spearman(a, b)).toBeNaN();
        else expect(spearman(a, b)).toBeCloseTo(expected, 9);
      }),
    );
  });
});

describe("kendallTau", () => {
  it("is 1 for the same order, -1 for the opposite one", () => {
    expect(kendallTau(f(1, 2, 3, 4), f(10, 20, 30, 40))).toBe(1);
    expect(kendallTau(f(1, 2, 3, 4), f(4, 3, 2, 1))).toBe(-1);
  });
  it("counts a tie as neither: one tied pair of three leaves 2/3", () => {
    expect(kendallTau(f(1, 2, 3), f(1, 2, 2))).toBeCloseTo(2 / 3, 15);
  });
  it("agrees with the definition, pair by pair, in both treatments of ties", () => {
    fc.assert(
      fc.property(twoRankings, ([a, b]) => {
        const expected = tauByDefinition(a, b);
        expect(kendallTau(a, b)).toBeCloseTo(expected.a, 12);
        if (Number.isNaN(expected.b)) expect(kendallTau(a, b, "b")).toBeNaN();
        else expect(kendallTau(a, b, "b")).toBeCloseTo(expected.b, 12);
      }),
    );
  });
  it("has no value for a single page", () => {
    expect(kendallTau(f(1), f(1))).toBeNaN();
  });
});

describe("distances", () => {
  it("sum the differences, or take the greatest", () => {
    expect(l1Distance(f(1, 2, 3), f(2, 2, 1))).toBe(3);
    expect(lInfinityDistance(f(1, 2, 3), f(2, 2, 1))).toBe(2);
    expect(lInfinityDistance(f(2, 2, 1), f(1, 2, 3))).toBe(2);
  });
  it("refuse rankings of different pages", () => {
    for (const compare of [l1Distance, lInfinityDistance, kendallTau]) {
      expect(() => compare(f(1, 2), f(1))).toThrow(UsageError);
    }
  });
});

describe("topPages", () => {
  it("lists the best first, the lower id first among equals", () => {
    expect([...topPages(f(3, 5, 5, 1, 5), 3)]).toEqual([1, 2, 4]);
    expect([...topPages(f(3, 5, 5, 1, 5), 99)]).toEqual([1, 2, 4, 0, 3]);
  });
  it("agrees with sorting everything", () => {
    fc.assert(
      fc.property(twoRankings, fc.integer({ min: 1, max: 45 }), ([ranks], k) => {
        const sorted = Array.from(ranks.keys()).sort((p, q) => ranks[q] - ranks[p] || p - q);
        expect([...topPages(ranks, k)]).toEqual(sorted.slice(0, k));
      }),
    );
  });
  it("refuses a count that is no whole number above 0", () => {
    for (const k of [0, -1, 1.5, Number.NaN]) expect(() => topPages(f(1), k)).toThrow(UsageError);
  });
});

describe("topOverlap", () => {
  it("is the share of common pages among the best k", () => {
    expect(topOverlap(f(4, 3, 2, 1), f(4, 1, 3, 2), 2)).toBe(0.5);
    expect(topOverlap(f(4, 3, 2, 1), f(1, 2, 3, 4), 4)).toBe(1);
  });
});
