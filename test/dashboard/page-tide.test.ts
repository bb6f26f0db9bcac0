import { describe, expect, test } from "vitest";
import { curveOf, height, isInSight, marks, projectionOf } from "../../src/dashboard/page/tide/curve.ts";
import type { Overview, Tide } from "../../src/dashboard/protocol/http.ts";
import { MockCrawl } from "./mock/crawl.ts";

const START_MS = 1_000_000;
const tide: Tide = {
  points: [
    [10, START_MS, 0.5, 0.4, null],
    [100, START_MS + 9000, 0.8, null, 0.85],
  ],
  target: 0.9,
  isOfNow: false,
};
/** A running crawl with ten pages a second and 40 s to its target. */
function running(change: Partial<Overview> = {}): Overview {
  const overview = new MockCrawl("running", 1000).overview();
  return { ...overview, pagesPerSecond: 10, secondsLeft: 40, nextLimit: "coverage", ...change };
}

test("what sampling shows is a curve of its own, from where it shows something", () => {
  expect(curveOf(tide, null, "pages", "full").sampled).toEqual([null, 0.85]);
  // 15% are missing.
  expect(curveOf(tide, null, "pages", "tail").sampled[1]).toBeCloseTo(-Math.log10(0.15), 12);
  const beyond = curveOf(tide, { pages: 400, atMs: START_MS + 39_000, target: 0.9 }, "pages", "full");
  expect(beyond.sampled).toHaveLength(beyond.x.length);
  expect(beyond.sampled.slice(2).every((value) => value === null)).toBe(true);
});

describe("the projection", () => {
  test("is where present speed leads from the last point", () => {
    expect(projectionOf(running(), tide)).toEqual({ pages: 500, atMs: START_MS + 49_000, target: 0.9 });
  });

  test("is not made where nothing is known, another limit comes first, or the target is reached", () => {
    expect(projectionOf(running({ secondsLeft: null }), tide)).toBeNull();
    expect(projectionOf(running({ nextLimit: "pages" }), tide)).toBeNull();
    expect(projectionOf(running(), { ...tide, target: 0.8 })).toBeNull();
    expect(projectionOf(running(), { ...tide, target: null })).toBeNull();
    expect(projectionOf(running(), { ...tide, points: [] })).toBeNull();
  });

  test("is not made for a target above what can be reached", () => {
    const { status } = running();
    expect(projectionOf(running({ status: { ...status, ceiling: 0.89 } }), tide)).toBeNull();
    expect(projectionOf(running({ status: { ...status, ceiling: 0.9 } }), tide)).not.toBeNull();
  });

  test("is drawn up to three times the present extent, and not beyond", () => {
    const at = (pages: number, atMs: number) => ({ pages, atMs, target: 0.9 });
    expect(isInSight(at(300, START_MS), tide, "pages")).toBe(true);
    expect(isInSight(at(301, START_MS), tide, "pages")).toBe(false);
    expect(isInSight(at(1, START_MS + 27_000), tide, "time")).toBe(true);
    expect(isInSight(at(1, START_MS + 27_001), tide, "time")).toBe(false);
  });

  test("follows a power of the pages and meets the target", () => {
    // From 20% missing at 100 pages to 10% at 400: it halves over two doublings, so it is 20% / sqrt(2) at 200.
    const curve = curveOf(tide, { pages: 400, atMs: START_MS + 39_000, target: 0.9 }, "pages", "full");
    expect(curve.measured).toBe(2);
    expect(curve.x.at(-1)).toBe(400);
    expect(curve.projected.at(-1)).toBe(0.9);
    const middle = curve.x.findIndex((pages) => pages >= 200);
    const missing = 0.2 * (curve.x[middle] / 100) ** -0.5;
    expect(curve.projected[middle]).toBeCloseTo(1 - missing, 12);
    expect(curve.certified.slice(2).every((value) => value === null)).toBe(true);
    expect(curve.projected.slice(0, 2)).toEqual([null, 0.8]);
  });
});

describe("heights", () => {
  test("of the tail are nines", () => {
    expect(height(0.9, "tail")).toBeCloseTo(1, 12);
    expect(height(0.999, "tail")).toBeCloseTo(3, 12);
    expect(height(0.75, "full")).toBe(0.75);
  });

  test("of full coverage end at nine nines", () => {
    expect(height(1, "tail")).toBeCloseTo(9, 12);
  });

  test("are marked up to the full nine above the highest", () => {
    expect(marks(0.93, "tail")).toEqual([0, 0.5, 0.9, 0.95, 0.99]);
    expect(marks(0.99, "tail").at(-1)).toBe(0.99);
    expect(marks(0.2, "tail")).toEqual([0, 0.5, 0.9]);
    expect(marks(1, "tail").at(-1)).toBe(0.999999999);
  });
});
