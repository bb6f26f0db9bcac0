import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { guessedPrior, RATES, RATES_COUNT } from "../../src/refresh/rate-grid.ts";
import { SignalLearner } from "../../src/refresh/signal-learner.ts";
import type { SignalQuality } from "../../src/refresh/index.ts";

const DAY = 86_400_000;

/** Reads of pages whose rates are drawn from the weights; each is read after a while, or soon after a signal. */
function teach(
  learner: SignalLearner,
  { recall, falseShare }: SignalQuality,
  { host = 0, reads, seed, sources = 1 }: { host?: number; reads: number; seed: number; sources?: number },
): void {
  const weights = guessedPrior();
  const random = new Random(seed);
  const wait = (rate: number): number => (rate > 0 ? -Math.log(1 - random.float()) / rate : Infinity);
  for (let source = 0; source < sources; source++) learner.heard(host, source);
  for (let read = 0; read < reads; read++) {
    let pick = random.float();
    let k = 0;
    while (k < RATES_COUNT - 1 && pick >= weights[k]) pick -= weights[k++];
    const rate = RATES[k];
    const falseRate = (rate * recall * falseShare) / (1 - falseShare);
    const signals = Array.from({ length: sources }, () => 0);
    let sinceMs = 0;
    let isChanged = false;
    // Read after 60 days, or half a day after the first signal, whichever is first: reads depend on signals.
    let endMs = 60 * DAY;
    for (;;) {
      const changeMs = wait(rate);
      const falseMs = wait(falseRate * sources);
      const nextMs = Math.min(changeMs, falseMs);
      if (sinceMs + nextMs > endMs) break;
      sinceMs += nextMs;
      if (nextMs === changeMs) {
        isChanged = true;
        for (let source = 0; source < sources; source++) if (random.float() < recall) signals[source]++;
      } else signals[random.below(sources)]++;
      if (signals.some((count) => count > 0)) endMs = Math.min(endMs, sinceMs + DAY / 2);
    }
    learner.learn({ host, weights, sinceMs: endMs, signals, isChanged });
  }
}

describe("the quality of signals", () => {
  it.each<SignalQuality>([
    { recall: 0.5, falseShare: 0.2 },
    { recall: 0.9, falseShare: 0.05 },
    { recall: 0.2, falseShare: 0.7 },
  ])("is found from what reads show: recall $recall, $falseShare false", (quality) => {
    const learner = new SignalLearner(1);
    teach(learner, quality, { reads: 1500, seed: 4 });
    const found = learner.qualityOf(0, 0);
    // Where most signals are false, they tell little, of themselves too.
    const error = quality.falseShare > 0.5 ? 0.25 : 0.15;
    expect(Math.abs(found.recall - quality.recall)).toBeLessThan(error);
    expect(Math.abs(found.falseShare - quality.falseShare)).toBeLessThan(error);
    const signals = learner.of(0);
    expect(signals.recall).toBeCloseTo(found.recall, 9);
    expect(signals.falseShare).toBeCloseTo(found.falseShare, 9);
    expect(signals.doubts[0]).toBeCloseTo(-Math.log(found.falseShare), 9);
    expect(signals.changes[0]).toBeCloseTo(1 - found.falseShare, 9);
  });

  it("is its own for a host that lies, and that of the others for a new one", () => {
    const learner = new SignalLearner(1);
    for (let host = 0; host < 4; host++)
      teach(learner, { recall: 0.8, falseShare: 0.1 }, { host, reads: 200, seed: host });
    teach(learner, { recall: 0.1, falseShare: 0.9 }, { host: 9, reads: 200, seed: 20 });
    teach(learner, { recall: 0.8, falseShare: 0.1 }, { host: 0, reads: 200, seed: 30 });
    expect(learner.qualityOf(9, 0).falseShare).toBeGreaterThan(0.6);
    expect(learner.qualityOf(1, 0).falseShare).toBeLessThan(0.25);
    learner.heard(50, 0);
    expect(learner.qualityOf(50, 0).falseShare).toBeLessThan(0.35);
  });

  it("is nothing where there are no signals", () => {
    const learner = new SignalLearner(2);
    const weights = guessedPrior();
    learner.learn({ host: 3, weights, sinceMs: DAY, signals: [0, 0], isChanged: true });
    expect(learner.of(3)).toEqual({ recall: 0, falseShare: 1, doubts: [0, 0], changes: [0, 0] });
    learner.heard(3, 1);
    expect(learner.of(3).recall).toBeCloseTo(0.5, 6);
    expect(learner.of(3).falseShare).toBeGreaterThan(0.35);
    expect(learner.of(3).falseShare).toBeLessThan(0.5);
    expect(learner.of(3).doubts[0]).toBe(0);
    expect(learner.qualityOf(3, 0)).toEqual({ recall: 0, falseShare: 1 });
  });

  it("of two sources adds up to the changes that at least one of them signals", () => {
    const learner = new SignalLearner(2);
    teach(learner, { recall: 0.5, falseShare: 0.2 }, { reads: 800, seed: 6, sources: 2 });
    const [first, second] = [learner.qualityOf(0, 0), learner.qualityOf(0, 1)];
    const both = learner.of(0);
    expect(both.recall).toBeCloseTo(1 - (1 - first.recall) * (1 - second.recall), 9);
    // A change that both signal counts once: together they count as many changes as they see.
    const seen = (first.recall / (1 - first.falseShare)) * both.changes[0];
    const seenToo = (second.recall / (1 - second.falseShare)) * both.changes[1];
    expect(seen + seenToo).toBeCloseTo(both.recall, 9);
  });

  it("is learnt anew when a site changes its habits", () => {
    const learner = new SignalLearner(1);
    teach(learner, { recall: 0.1, falseShare: 0.9 }, { reads: 1500, seed: 1 });
    expect(learner.qualityOf(0, 0).falseShare).toBeGreaterThan(0.6);
    teach(learner, { recall: 0.8, falseShare: 0.05 }, { reads: 1500, seed: 2 });
    expect(learner.qualityOf(0, 0).falseShare).toBeLessThan(0.3);
  });
});
