import { describe, expect, it } from "vitest";
import { belowUntil, signalledGain, SILENT } from "../../src/refresh/index.ts";

const DAY = 86_400_000;

describe("when a value reaches a target", () => {
  it("is rather too early than too late, and not much", () => {
    for (const rate of [0.01, 1, 50]) {
      const valueAfter = (ms: number): number => signalledGain((rate * ms) / DAY, SILENT);
      for (const target of [0.001, 0.3, 0.9]) {
        let sinceMs = 0;
        let looks = 0;
        while (valueAfter(sinceMs) < target * 0.999 && looks < 100) {
          const next = belowUntil(valueAfter, { target, sinceMs });
          expect(next).toBeGreaterThan(sinceMs);
          expect(valueAfter(next)).toBeLessThanOrEqual(target * 1.001);
          sinceMs = next;
          looks++;
        }
        expect(looks).toBeLessThan(20);
      }
    }
    // A value that grows no more is looked at less and less.
    expect(belowUntil(() => 1, { target: 2, sinceMs: DAY })).toBe(64 * DAY);
    expect(belowUntil(() => 3, { target: 2, sinceMs: DAY })).toBe(DAY);
  });
});
