/** Rates of change against the likelihood as it is written in a textbook, without any care for large numbers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { learnPrior, type Observations, updateRates } from "../../src/refresh/change-rate.ts";
import { ageOf } from "../../src/refresh/index.ts";
import { RATES } from "../../src/refresh/rate-grid.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const nothing: Observations = { changedAfterMs: [], unchangedMs: 0, ageMs: null };
const guess = learnPrior([]);

/** Changed after t: 1 - exp(-r t). Unchanged for u: exp(-r u). Modified a time a before: r exp(-r a). */
function likelihood(rate: number, { changedAfterMs, unchangedMs, ageMs }: Observations): number {
  const changed = changedAfterMs.reduce((product, t) => product * (1 - Math.exp(-rate * t)), 1);
  return changed * Math.exp(-rate * unchangedMs) * (ageMs === null ? 1 : rate * Math.exp(-rate * ageMs));
}

/** The share of a distribution on rates above one change in this time. */
const shareFasterThan = (distribution: Float64Array, timeMs: number): number =>
  distribution.reduce((sum, share, k) => sum + (RATES[k] > 1 / timeMs ? share : 0), 0);

describe("how likely each rate is", () => {
  it("is by Bayes the prior times the likelihood", () => {
    const time = fc.double({ min: HOUR, max: 100 * DAY, noNaN: true });
    const seen = fc.record({
      changedAfterMs: fc.array(time, { maxLength: 4 }),
      unchangedMs: fc.oneof(fc.constant(0), time),
      ageMs: fc.option(time),
    });
    fc.assert(
      fc.property(seen, (observations) => {
        const posterior = new Float64Array(RATES.length);
        updateRates(observations, guess, posterior);
        const expected = RATES.map((rate, k) => guess[k] * likelihood(rate, observations));
        const total = expected.reduce((sum, each) => sum + each, 0);
        for (const [k, share] of posterior.entries()) expect(share).toBeCloseTo(expected[k] / total, 9);
      }),
    );
  });
});

describe("what is learnt from a crawl", () => {
  const lively: Observations = { ...nothing, changedAfterMs: Array.from({ length: 30 }, () => HOUR) };
  const quiet: Observations = { ...nothing, unchangedMs: 3000 * DAY };

  it("moves a guess that has the weight of 20 pages", () => {
    // The mean of 20 guesses and one other distribution is at most 2/21 away from the guess.
    const away = learnPrior([lively]).reduce((sum, share, k) => sum + Math.abs(share - guess[k]), 0);
    expect(away).toBeGreaterThan(0.9 * (2 / 21));
    expect(away).toBeLessThanOrEqual((2 / 21) * (1 + 1e-9));
  });

  it("is learnt from all over it where it has more pages than are looked at", () => {
    const fast: Observations = { ...nothing, changedAfterMs: [HOUR], ageMs: HOUR };
    const pages = [...Array.from({ length: 8000 }, () => quiet), ...Array.from({ length: 8000 }, () => fast)];
    expect(shareFasterThan(learnPrior(pages), DAY)).toBeCloseTo(0.5, 1);
  });

  it("is the prior where there is no evidence", () => {
    expect(learnPrior([nothing, nothing])).toEqual(guess);
    // One change in 90 days, in the middle.
    expect(shareFasterThan(guess, 90 * DAY)).toBeCloseTo(0.5, 1);
  });
});

describe("a Last-Modified header", () => {
  const readAt = 5 * DAY;
  const modifiedAt = (ms: number) => new Date(ms).toUTCString();

  it("is believed from two minutes before the read, and not for a second less", () => {
    expect(ageOf(modifiedAt(readAt - 120_000), readAt)).toBe(120_000);
    expect(ageOf(modifiedAt(readAt - 119_000), readAt)).toBeNull();
  });

  it("is not believed in the future, however far", () => {
    for (const ahead of [0, 1000, 120_000, 3 * DAY]) expect(ageOf(modifiedAt(readAt + ahead), readAt)).toBeNull();
  });
});
