import { describe, expect, it } from "vitest";
import { generateGraph, withoutSelfLinks } from "../../src/graph/index.ts";
import { averageFreshness, randomRates, REFRESH_POLICIES, type RefreshTrial } from "../../src/lab/refresh/trial.ts";
import { pagerank } from "../../src/rank/index.ts";
import { bestSchedule, freshness, freshnessOf } from "../../src/refresh/index.ts";

describe("a web with known change rates", () => {
  const pages = 1000;
  const graph = withoutSelfLinks(generateGraph({ pages, seed: 7 }).graph);
  const trial: RefreshTrial = {
    importance: pagerank(graph).ranks,
    rates: randomRates(pages, { median: 1 / 20, spread: 1.5, seed: 7 }),
    readsPerRound: 10,
    rounds: 500,
    warmUp: 300,
  };
  const found = Object.fromEntries(
    REFRESH_POLICIES.map((policy) => [policy, averageFreshness(trial, policy)]),
  ) as Record<(typeof REFRESH_POLICIES)[number], number>;

  it("is kept fresher than by reading in turn by a fifth, and than by importance or change rate alone", () => {
    expect(found.best).toBeGreaterThan(1.2 * found.uniform);
    expect(found.best).toBeGreaterThan(found.importance);
    expect(found.best).toBeGreaterThan(found.rate);
  });

  it("is kept so where rates are learnt from what the reads find", () => {
    expect(found.learning).toBeGreaterThan(1.2 * found.uniform);
    expect(found.learning).toBeGreaterThan(found.importance);
    expect(found.learning).toBeGreaterThan(found.rate);
    // What is not known costs something, but not much.
    expect(found.learning).toBeGreaterThan(0.9 * found.best);
  });

  it("is as fresh as the best schedule says, by always reading what gains most", () => {
    const best = bestSchedule(trial.importance, trial.rates, trial.readsPerRound);
    expect(found.best / best.freshness).toBeGreaterThan(0.98);
    expect(found.best / best.freshness).toBeLessThan(1.01);
  });

  it("is read in turn as the formula says", () => {
    const interval = pages / trial.readsPerRound;
    const expected = trial.rates.reduce((sum, rate, k) => sum + trial.importance[k] * freshness(rate, interval), 0);
    expect(found.uniform).toBeCloseTo(expected, 2);
    expect(freshnessOf(trial.importance, trial.rates, new Float64Array(pages).fill(1 / interval))).toBeCloseTo(
      expected,
      9,
    );
  });
});
