import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReadAllowances } from "../../src/refresh/read-allowance.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("a limit of reads per day", () => {
  it("is never exceeded, in any time", () => {
    const cases = fc.record({
      perDay: fc.double({ min: 0.2, max: 100, noNaN: true }),
      keptMs: fc.integer({ min: 0, max: DAY }),
      waits: fc.array(fc.integer({ min: 0, max: 6 * HOUR }), { minLength: 1, maxLength: 30 }),
    });
    fc.assert(
      fc.property(cases, ({ perDay, keptMs, waits }) => {
        const allowances = new ReadAllowances(keptMs);
        allowances.setLimit(0, perDay, 0);
        const times: number[] = [];
        let nowMs = 0;
        for (const wait of waits) {
          nowMs += wait;
          while (allowances.readyMs(0, nowMs) <= nowMs) {
            allowances.spend(0, 1, nowMs);
            times.push(nowMs);
          }
          // The time that it names is the first at which a read is allowed.
          const readyMs = allowances.readyMs(0, nowMs);
          expect(readyMs).toBeGreaterThan(nowMs);
        }
        const most = Math.max(1, (perDay * keptMs) / DAY);
        let excess = 0;
        for (let first = 0; first < times.length; first++) {
          for (let last = first; last < times.length; last++) {
            const allowed = most + (perDay * (times[last] - times[first])) / DAY;
            excess = Math.max(excess, last - first + 1 - allowed);
          }
        }
        expect(excess).toBeLessThan(1e-6);
      }),
    );
  });

  it("allows a read when it says so", () => {
    const allowances = new ReadAllowances(0);
    allowances.setLimit(0, 3, 0);
    allowances.spend(0, 1, 0);
    const readyMs = allowances.readyMs(0, HOUR);
    expect(readyMs).toBeCloseTo(8 * HOUR, -1);
    expect(allowances.readyMs(0, readyMs)).toBe(readyMs);
  });

  it("is not earned for a time in which it was full already", () => {
    const allowances = new ReadAllowances(0);
    allowances.setLimit(0, 1, 0);
    allowances.spend(0, 1, 9 * HOUR);
    expect(allowances.readyMs(0, 9 * HOUR)).toBeCloseTo(33 * HOUR, -1);
  });

  it("keeps what was not used for as long as it was told, and no more", () => {
    const allowances = new ReadAllowances(2 * HOUR);
    allowances.setLimit(0, 48, 0);
    let reads = 0;
    while (allowances.readyMs(0, 5 * DAY) <= 5 * DAY) {
      allowances.spend(0, 1, 5 * DAY);
      reads++;
    }
    expect(reads).toBe(4);
    // A part that is given back counts.
    allowances.spend(0, -0.75, 5 * DAY);
    expect(allowances.readyMs(0, 5 * DAY)).toBeCloseTo(5 * DAY + HOUR / 8, -1);
    // But not beyond what may be kept.
    allowances.spend(0, -100, 5 * DAY);
    allowances.spend(0, 4, 5 * DAY);
    expect(allowances.readyMs(0, 5 * DAY)).toBeCloseTo(5 * DAY + HOUR / 2, -1);
  });

  it("may change, be absent, and is not lost when time stands still or goes back", () => {
    const allowances = new ReadAllowances(HOUR);
    allowances.grow(4);
    allowances.setLimit(3, Infinity, 0);
    for (let k = 0; k < 1000; k++) allowances.spend(3, 1, 0);
    expect(allowances.readyMs(3, 0)).toBe(0);
    allowances.setLimit(3, 24, DAY);
    expect(allowances.readyMs(3, DAY)).toBe(DAY);
    allowances.spend(3, 1, DAY);
    expect(allowances.readyMs(3, DAY - HOUR)).toBeCloseTo(DAY, -1);
    allowances.setLimit(3, 48, DAY);
    expect(allowances.readyMs(3, DAY)).toBeCloseTo(DAY + HOUR / 2, -1);
  });
});
