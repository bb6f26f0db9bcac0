import fc from "fast-check";
import { formatCount, formatCoverage, formatSeconds, formatTick, formatValue } from "../../src/base/format.ts";
import { expect, test } from "vitest";
import { cases } from "../support/cases.ts";

test("counts are written with thousands separators", () => {
  expect(formatCount(0)).toBe("0");
  expect(formatCount(999)).toBe("999");
  expect(formatCount(325_557)).toBe("325,557");
  expect(formatCount(3_216_152)).toBe("3,216,152");
});

test("coverage is cut, so a value just below a level is not shown as that level", () => {
  expect(formatCoverage(0.97999999)).toBe("0.9799");
  expect(formatCoverage(0.98)).toBe("0.9800");
  expect(formatCoverage(0.29, 2)).toBe("0.29");
  expect(formatCoverage(1 - 2 ** -53)).toBe("0.9999");
  expect(formatCoverage(1)).toBe("1.0000");
  expect(formatCoverage(0)).toBe("0.0000");
  expect(formatCoverage(1e-7)).toBe("0.0000");
  expect(formatCoverage(1.9e-7, 7)).toBe("0.0000001");
});

test("coverage as shown is never above the value and less than a last digit below it", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 8 }), (value, digits) => {
      const shown = Number(formatCoverage(value, digits));
      expect(shown).toBeLessThanOrEqual(value);
      expect(value - shown).toBeLessThan(10 ** -digits * (1 + 1e-6));
    }),
    { numRuns: cases(5000), examples: [[1.0000009999999999e-7, 7]] },
  );
});

test("times carry the unit that suits them", () => {
  expect(formatSeconds(0)).toBe("0 s");
  expect(formatSeconds(0.00064)).toBe("640 µs");
  expect(formatSeconds(0.0123456)).toBe("12.3 ms");
  expect(formatSeconds(0.9996)).toBe("1 s");
  expect(formatSeconds(3.4249)).toBe("3.42 s");
  expect(formatSeconds(59.96)).toBe("1 min 00 s");
  expect(formatSeconds(125)).toBe("2 min 05 s");
  expect(formatSeconds(3599.7)).toBe("1 h 00 min");
  expect(formatSeconds(87 * 60)).toBe("1 h 27 min");
});

test("ticks are as short as they can be", () => {
  expect([0, 0.98, 0.9995, 250, 1000, 1500, 325_000, 2_500_000, 1e9].map(formatTick)).toEqual([
    "0",
    "0.98",
    "0.9995",
    "250",
    "1k",
    "1.5k",
    "325k",
    "2.5M",
    "1G",
  ]);
});

test("a plain number has four digits", () => {
  expect(formatValue(0.0384123, "number")).toBe("0.03841");
  expect(formatValue(1, "number")).toBe("1");
});
