/** The gain with signals, checked by simulation, by a differential equation, and by dynamic programming. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { readCycle, readingGain, signalledGain, type SignalQuality, SILENT } from "../../src/refresh/index.ts";
import { poissonTail } from "../../src/refresh/signalled-gain.ts";

const qualities: readonly SignalQuality[] = [
  { recall: 0.5, falseShare: 0.2 },
  { recall: 0.8, falseShare: 0.6 },
  { recall: 0.3, falseShare: 0.9 },
  { recall: 0.95, falseShare: 0.05 },
];
const qualityAndDoubt = fc.record({
  recall: fc.double({ min: 0, max: 0.98, noNaN: true }),
  falseShare: fc.double({ min: 0.01, max: 0.9, noNaN: true }),
  doubt: fc.double({ min: 1e-6, max: 12, noNaN: true }),
});

describe("the gain of a read", () => {
  it("is today's formula where there are no signals", () => {
    for (const doubt of [0, 1e-9, 1e-5, 1e-3, 0.3, 2, 9, Infinity]) {
      expect(signalledGain(doubt, SILENT)).toBeCloseTo(readingGain(1, 1, doubt), 12);
      // It is close to it where signals are rare, or nearly all of them false.
      expect(signalledGain(doubt, { recall: 1e-9, falseShare: 0.2 })).toBeCloseTo(readingGain(1, 1, doubt), 7);
    }
    for (const doubt of [1, 3]) {
      expect(signalledGain(doubt, { recall: 0.5, falseShare: 0.999 })).toBeCloseTo(readingGain(1, 1, doubt), 3);
    }
  });

  it("keeps its digits where the doubt is small", () => {
    for (const quality of qualities) {
      // Between the series and the sums, 1% more doubt is 2% more gain.
      for (const doubt of [1e-7, 9.95e-5, 1e-3]) {
        expect(signalledGain(1.01 * doubt, quality) / signalledGain(doubt, quality)).toBeCloseTo(1.0201, 3);
      }
    }
  });

  it("grows with the doubt, from 0 to 1", () => {
    fc.assert(
      fc.property(qualityAndDoubt, ({ doubt, ...quality }) => {
        const gain = signalledGain(doubt, quality);
        expect(gain).toBeGreaterThanOrEqual(0);
        expect(gain).toBeLessThanOrEqual(1 + 1e-9);
        expect(signalledGain(doubt * 1.1, quality)).toBeGreaterThanOrEqual(gain - 1e-12);
      }),
    );
  });

  it("is what one more read per unit of time adds to the share of time in which a copy is current", () => {
    for (const quality of qualities) {
      for (const doubt of [0.2, 1, 4]) {
        const [less, more] = [doubt * 0.999, doubt * 1.001].map((limit) => readCycle(limit, quality));
        const slope = (less.currentTime / less.time - more.currentTime / more.time) / (1 / less.time - 1 / more.time);
        expect(signalledGain(doubt, quality) / slope).toBeCloseTo(1, 2);
      }
    }
  });
});

describe("the cycle between two reads", () => {
  it.each(qualities)("is as long and as current as a simulation says, with recall $recall", (quality) => {
    for (const limit of [0.4, 2, 5]) {
      const { time, currentTime } = readCycle(limit, quality);
      const simulated = simulate(limit, quality, 40_000);
      expect(simulated.time / time).toBeCloseTo(1, 1);
      expect(simulated.currentTime / currentTime).toBeCloseTo(1, 1);
      // A change comes with rate 1 while the copy is current.
      expect(simulated.changedShare / currentTime).toBeCloseTo(1, 1);
    }
  });

  it.each(qualities)("solves its differential equation, with recall $recall", (quality) => {
    const { recall, falseShare } = quality;
    const signals = recall / (1 - falseShare);
    const step = -Math.log(falseShare);
    // (1 - recall) time'(D) = 1 + signals (time(D - step) - time(D)), and time is 0 up to 0. And d currentTime =
    // exp(-D) d time.
    const grid = 40_000;
    const width = 6 / grid;
    const time = new Float64Array(grid + 1);
    let currentTime = 0;
    for (let k = 0; k < grid; k++) {
      const slopeAt = (place: number, value: number): number => {
        const before = place - step / width;
        const delayed = before <= 0 ? 0 : time[Math.floor(before)];
        return (1 + signals * (delayed - value)) / (1 - recall);
      };
      const half = time[k] + (slopeAt(k, time[k]) * width) / 2;
      time[k + 1] = time[k] + slopeAt(k + 0.5, half) * width;
      currentTime += Math.exp(-(k + 0.5) * width) * (time[k + 1] - time[k]);
    }
    const cycle = readCycle(6, quality);
    expect(time[grid] / cycle.time).toBeCloseTo(1, 2);
    expect(currentTime / cycle.currentTime).toBeCloseTo(1, 2);
  });

  it("is by signals alone where every change is signalled", () => {
    // Two signals, each false with 1/2, raise the doubt by log 2 each: a limit of 1 takes two of them, at rate 2.
    const quality = { recall: 1, falseShare: 0.5 };
    const { time, currentTime } = readCycle(1, quality);
    expect(time).toBeCloseTo(1, 12);
    // Current until the first signal, for 1/2, and then with probability 1/2 for as long again.
    expect(currentTime).toBeCloseTo(0.75, 12);
  });
});

describe("reading when the doubt reaches a limit", () => {
  it("is as good as any rule that looks at time and signals: dynamic programming finds none better", () => {
    // One page, change rate 1; a read costs `price`. States: steps since the read, and signals since.
    const quality = { recall: 0.5, falseShare: 0.2 };
    const price = 0.25;
    const stepTime = 0.02;
    const steps = 300;
    const signalsMost = 4;
    const chance = (quality.recall / (1 - quality.falseShare)) * stepTime;
    const current = (k: number, n: number): number => Math.exp(-(1 - quality.recall) * k * stepTime) * 0.2 ** n;
    // The best average reward per unit of time is the one at which a cycle is worth nothing: bisection.
    const cycleWorth = (average: number): number => {
      let later = new Float64Array(signalsMost + 1).fill(-price);
      for (let k = steps - 1; k >= 0; k--) {
        later = later.map((_, n) => {
          const reward = ((current(k, n) + current(k + 1, n)) / 2 - average) * stepTime;
          const signalled = later[Math.min(n + 1, signalsMost)];
          const waits = reward + chance * signalled + (1 - chance) * later[n];
          return k === 0 ? waits : Math.max(-price, waits);
        });
      }
      return later[0];
    };
    let [low, high] = [0, 1];
    for (let k = 0; k < 40; k++) {
      const middle = (low + high) / 2;
      if (cycleWorth(middle) > 0) low = middle;
      else high = middle;
    }
    const limits = Array.from({ length: 400 }, (_, k) => 0.01 * (k + 1));
    const best = Math.max(
      ...limits.map((limit) => {
        const { time, currentTime } = readCycle(limit, quality);
        return (currentTime - price) / time;
      }),
    );
    expect(low / best).toBeCloseTo(1, 2);
    // And the best limit is where the gain is the price.
    const limitOfBest = limits.find((limit) => signalledGain(limit, quality) >= price)!;
    const { time, currentTime } = readCycle(limitOfBest, quality);
    expect((currentTime - price) / time / best).toBeCloseTo(1, 3);
  });
});

describe("the tail of a Poisson distribution", () => {
  it("is one minus the sum of its terms", () => {
    for (const [count, mean] of [
      [0, 1],
      [3, 2.5],
      [10, 30],
      [4, 0.001],
    ] as const) {
      let term = Math.exp(-mean);
      let sum = 0;
      for (let k = 0; k <= count; k++) {
        sum += term;
        term *= mean / (k + 1);
      }
      expect(poissonTail(count, mean)).toBeCloseTo(1 - sum, 12);
    }
    expect(poissonTail(5, Infinity)).toBe(1);
    // Far out, by a normal distribution: 200 events where 150 are expected are 4.1 standard deviations.
    expect(poissonTail(200, 150)).toBeGreaterThan(1e-5);
    expect(poissonTail(200, 150)).toBeLessThan(1e-4);
  });
});

function simulate(limit: number, { recall, falseShare }: SignalQuality, cycles: number) {
  const random = new Random(11);
  const waits = (rate: number): number => -Math.log(1 - random.float()) / rate;
  let [time, currentTime, changed] = [0, 0, 0];
  for (let cycle = 0; cycle < cycles; cycle++) {
    let now = 0;
    let doubt = 0;
    let changedAt = Infinity;
    while (doubt < limit) {
      const change = waits(1);
      const falseSignal = waits((recall * falseShare) / (1 - falseShare));
      const passes = (limit - doubt) / (1 - recall);
      const next = Math.min(change, falseSignal, passes);
      now += next;
      doubt += (1 - recall) * next;
      if (next === passes) break;
      if (next === change) changedAt = Math.min(changedAt, now);
      if (next === falseSignal || random.float() < recall) doubt -= Math.log(falseShare);
    }
    time += now;
    currentTime += Math.min(now, changedAt);
    if (changedAt < Infinity) changed++;
  }
  return { time: time / cycles, currentTime: currentTime / cycles, changedShare: changed / cycles };
}
