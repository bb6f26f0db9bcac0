/** What reads showed, in a few bytes, against the exact likelihood. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChangeEvidence } from "../../src/refresh/change-evidence.ts";
import { type Observations, updateRates } from "../../src/refresh/change-rate.ts";
import { guessedPrior, RATES, RATES_COUNT, typicalRate } from "../../src/refresh/rate-grid.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const guess = guessedPrior();

function posteriorOf(evidence: ChangeEvidence, page: number): Float64Array {
  const weights = new Float64Array(RATES_COUNT);
  evidence.posterior(page, guess, weights);
  return weights;
}

function exactly(seen: Observations): Float64Array {
  const weights = new Float64Array(RATES_COUNT);
  updateRates(seen, guess, weights);
  return weights;
}

describe("evidence of changes", () => {
  it("is exact for times of 3 hours and its doublings", () => {
    const time = fc.integer({ min: 0, max: 11 }).map((length) => 3 * HOUR * 2 ** length);
    const seen = fc.record({
      changedAfterMs: fc.array(time, { maxLength: 30 }),
      unchangedMs: fc.integer({ min: 0, max: 1000 }).map((hours) => hours * HOUR),
      ageMs: fc.option(fc.integer({ min: 1, max: 10_000 }).map((hours) => hours * HOUR)),
    });
    fc.assert(
      fc.property(seen, (observations) => {
        const evidence = new ChangeEvidence();
        evidence.grow(100);
        evidence.set(99, observations);
        const expected = exactly(observations);
        for (const [k, share] of posteriorOf(evidence, 99).entries()) expect(share).toBeCloseTo(expected[k], 5);
        expect(evidence.has(98)).toBe(false);
      }),
    );
  });

  it("is close for other times", () => {
    const changedAfterMs = [7 * DAY, 9 * DAY, 20 * DAY, 5 * DAY, 33 * HOUR];
    const seen = { changedAfterMs, unchangedMs: 40 * DAY, ageMs: null };
    const evidence = new ChangeEvidence();
    evidence.set(0, seen);
    expect(typicalRate(posteriorOf(evidence, 0)) / typicalRate(exactly(seen))).toBeCloseTo(1, 1);
  });

  it("adds up, by times without a change, dated changes and reads that found one", () => {
    const evidence = new ChangeEvidence();
    for (const [k, share] of posteriorOf(evidence, 0).entries()) expect(share).toBeCloseTo(guess[k], 12);
    expect(evidence.has(0)).toBe(false);
    evidence.addChanged(0, 48 * HOUR);
    evidence.addQuiet(0, 3 * DAY);
    evidence.addDated(0, 1);
    evidence.addQuiet(0, 2 * DAY);
    const expected = exactly({ changedAfterMs: [48 * HOUR], unchangedMs: 3 * DAY, ageMs: 2 * DAY });
    for (const [k, share] of posteriorOf(evidence, 0).entries()) expect(share).toBeCloseTo(expected[k], 5);
    expect(evidence.has(0)).toBe(true);
    evidence.clear(0);
    expect(evidence.has(0)).toBe(false);
  });

  it("counts times beyond its shortest and longest as these", () => {
    const evidence = new ChangeEvidence();
    evidence.addChanged(0, 1);
    evidence.addChanged(1, 3 * HOUR);
    evidence.addChanged(2, 1e6 * DAY);
    evidence.addChanged(3, 512 * DAY);
    expect(posteriorOf(evidence, 0)).toEqual(posteriorOf(evidence, 1));
    expect(posteriorOf(evidence, 2)).toEqual(posteriorOf(evidence, 3));
  });

  it("forgets: a page that was quiet for years and now changes every week is soon known for it", () => {
    const evidence = new ChangeEvidence();
    evidence.addQuiet(0, 3000 * DAY);
    for (let k = 0; k < 300; k++) {
      evidence.addChanged(0, 6 * DAY);
      evidence.addQuiet(0, 3 * DAY);
    }
    const rate = typicalRate(posteriorOf(evidence, 0)) * DAY;
    expect(rate).toBeGreaterThan(1 / 10);
    for (const share of posteriorOf(evidence, 0)) expect(share).toBeGreaterThanOrEqual(0);
    // Without forgetting: 300 changes in 3000 + 900 days and a little.
    expect(rate).toBeGreaterThan(300 / 3900);
  });

  it("stays a distribution where the evidence is overwhelming or contradicts itself", () => {
    const evidence = new ChangeEvidence();
    evidence.addQuiet(0, 1e9 * DAY);
    for (let k = 0; k < 60; k++) evidence.addChanged(0, 3 * HOUR);
    evidence.addDated(0, 60);
    const weights = posteriorOf(evidence, 0);
    expect(weights.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    expect(RATES.length).toBe(weights.length);
  });
});
