import { describe, expect, it } from "vitest";
import { type ProvedPoint, withSampled } from "../../src/survey/tide-gauge.ts";

const PROVED: readonly ProvedPoint[] = [
  [1, 10, 0.1, 0.05],
  [5, 50, 0.3, null],
  [9, 90, 0.6, 0.5],
];

describe("what sampling shows in the tide", () => {
  it("is nothing where nobody sampled", () => {
    expect(withSampled(PROVED, [])).toEqual(PROVED.map((point) => [...point, null]));
    expect(withSampled([], [])).toEqual([]);
  });

  it("makes a point between two others, at which no more is proved than before", () => {
    const steps = [
      { pages: 3, atMs: 30, coverage: 0.5 },
      { pages: 7, atMs: 70, coverage: 0.8 },
    ];
    expect(withSampled(PROVED, steps)).toEqual([
      [1, 10, 0.1, 0.05, null],
      [3, 30, 0.1, 0.05, 0.5],
      [5, 50, 0.3, null, 0.5],
      [7, 70, 0.3, null, 0.8],
      [9, 90, 0.6, 0.5, 0.8],
    ]);
  });

  it("belongs to the point with as many pages, the last step of several, and is not shown before its time", () => {
    const steps = [
      { pages: 5, atMs: 48, coverage: 0.5 },
      { pages: 5, atMs: 57, coverage: 0.8 },
      { pages: 7, atMs: 70, coverage: 0.85 },
      { pages: 7, atMs: 75, coverage: 0.9 },
      { pages: 9, atMs: 80, coverage: 0.95 },
    ];
    expect(withSampled(PROVED, steps)).toEqual([
      [1, 10, 0.1, 0.05, null],
      [5, 57, 0.3, null, 0.8],
      [7, 75, 0.3, null, 0.9],
      [9, 90, 0.6, 0.5, 0.95],
    ]);
  });

  it("ends where it becomes void", () => {
    const steps = [
      { pages: 2, atMs: 20, coverage: 0.5 },
      { pages: 6, atMs: 60, coverage: null },
    ];
    expect(withSampled(PROVED, steps).map(([pages, , , , sampled]) => [pages, sampled])).toEqual([
      [1, null],
      [2, 0.5],
      [5, 0.5],
      [6, null],
      [9, null],
    ]);
  });
});
