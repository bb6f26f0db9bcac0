import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Chart, coverageChart, type Series } from "../../src/lab/index.ts";
import { linearScale, logScale, ninesScale, place, xScale, yScale } from "../../src/report/pieces/chart.ts";
import { barsPath, curvePath, dotsPath } from "../../src/report/pieces/plot.ts";
import { sampleSimulation } from "../support/sample-simulation.ts";

describe("linear scale", () => {
  test("starts at zero, marks round steps, and ends where the data end", () => {
    const scale = linearScale(70, "exact");
    expect(scale.ticks).toEqual([0, 20, 40, 60]);
    expect(scale.max).toBe(70);
    expect(place(scale, 35)).toBe(0.5);
  });

  test("can end at the round step above the data", () => {
    const scale = linearScale(1.16, "round");
    expect(scale.ticks).toEqual([0, 0.5, 1, 1.5]);
    expect(scale.max).toBe(1.5);
  });

  test("has no dust in its marks", () => {
    expect(linearScale(1, "exact").ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  test("exists for data that are all zero", () => {
    expect(place(linearScale(0, "round"), 0)).toBe(0);
  });
});

describe("logarithmic scale", () => {
  test("marks powers of ten from the one below the data to the end of the data", () => {
    const scale = logScale(3, 325_557, "exact");
    expect(scale.ticks).toEqual([1, 10, 100, 1000, 10_000, 100_000]);
    expect([scale.min, scale.max]).toEqual([1, 325_557]);
  });

  test("marks doubles and fivefolds too where there are few powers of ten", () => {
    expect(logScale(20, 450, "exact").ticks).toEqual([10, 20, 50, 100, 200]);
    expect(logScale(20, 450, "round").ticks).toEqual([10, 20, 50, 100, 200, 500, 1000]);
  });

  test("puts the geometric mean in the middle and what is below its start at its start", () => {
    const scale = logScale(1, 10_000, "exact");
    expect(place(scale, 100)).toBe(0.5);
    expect(place(scale, 0)).toBe(0);
  });

  test("exists for a single value and for none", () => {
    expect(place(logScale(1, 1, "exact"), 1)).toBe(0);
    expect(place(logScale(Infinity, 0, "exact"), 1)).toBe(0);
  });
});

describe("scale of nines", () => {
  test("marks the usual levels, up to the next full nine", () => {
    expect(ninesScale(0.9922).ticks).toEqual([0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999]);
  });

  test("gives every nine the same height", () => {
    const scale = ninesScale(0.9922);
    expect(place(scale, 0.9)).toBeCloseTo(1 / 3, 12);
    expect(place(scale, 0.99)).toBeCloseTo(2 / 3, 12);
    expect(place(scale, 0.999)).toBe(1);
  });

  test("ends at four nines, where a complete crawl is drawn too", () => {
    expect(ninesScale(1).max).toBe(0.9999);
    expect(place(ninesScale(1), 1)).toBe(1);
  });
});

test("every scale keeps values in order and on the axis", () => {
  const value = fc.double({ min: 0, max: 1, noNaN: true });
  const scales = [linearScale(0.7, "exact"), logScale(1e-3, 0.7, "exact"), ninesScale(0.995)];
  fc.assert(
    fc.property(value, value, fc.constantFrom(...scales), (a, b, scale) => {
      const [low, high] = [place(scale, Math.min(a, b)), place(scale, Math.max(a, b))];
      expect(0 <= low && low <= high && high <= 1).toBe(true);
    }),
  );
});

describe("curve", () => {
  const scales = { x: linearScale(100, "exact"), y: linearScale(1, "exact") };
  const path = (points: Series["points"]): string =>
    curvePath({ group: "g", measure: "m", line: "solid", points }, scales);

  test("is one absolute start and relative moves on a grid of 4000 by 2000, upwards negative", () => {
    expect(
      path([
        [0, 0],
        [50, 0.5],
        [100, 0.75],
        [100, 0.25],
      ]),
    ).toBe("M0 2000l2000-1000 2000-500 0 1000");
  });

  test("of a bound stands until the next point, then jumps: nowhere is it above what was proved", () => {
    const points: Series["points"] = [
      [0, 0],
      [50, 0.5],
      [75, 0.5],
      [100, 0.75],
    ];
    const steps = curvePath({ group: "g", measure: "m", line: "dotted", steps: true, points }, scales);
    expect(steps).toBe("M0 2000h2000v-1000h1000h1000v-500");
  });

  test("leaves out moves too small to see", () => {
    expect(
      path([
        [0, 0],
        [0.001, 0.0001],
        [100, 0],
      ]),
    ).toBe("M0 2000l4000 0");
  });

  test("does not drift: rounding applies to places, not to moves", () => {
    const fine = Array.from({ length: 10_001 }, (_, i) => [i / 100, i / 10_000] as const);
    const moves = path(fine).match(/-?\d+/g)!.map(Number);
    const sum = (offset: number): number =>
      moves.filter((_, i) => i % 2 === offset).reduce((total, move) => total + move, 0);
    expect([sum(0), sum(1)]).toEqual([4000, 0]);
  });
});

describe("points and errors", () => {
  const scales = { x: linearScale(100, "exact"), y: linearScale(1, "exact") };
  const points: Series["points"] = [
    [0, 0.5],
    [50, 0.25],
  ];

  test("of a cloud are dots, not joined", () => {
    const dots = dotsPath({ group: "g", measure: "m", line: "points", points }, scales);
    expect(dots).toBe("M0 1000h0M2000 1500h0");
  });

  test("are a bar around each point, from below to above, cut at the ends of the axis", () => {
    const bars = barsPath({ group: "g", measure: "m", line: "solid", points, errors: [0.1, 0.5] }, scales);
    expect(bars).toBe("M0 1200V800M2000 2000V500");
  });
});

test("guarantee and certificate are drawn in steps, what was actually had is not", () => {
  const { series } = coverageChart(sampleSimulation(1, 10).runs);
  expect(series.map(({ measure, steps }) => [measure, steps])).toEqual([
    ["actual", false],
    ["guaranteed", true],
    ["certified", true],
  ]);
});

test("axes span all series of a chart", () => {
  const series = (points: Series["points"]): Series => ({ group: "g", measure: "m", line: "solid", points });
  const chart: Chart = {
    title: "",
    description: "",
    groupLabel: "",
    x: { label: "", kind: "count", scale: "log" },
    y: { label: "", kind: "seconds", scale: "linear" },
    series: [series([[0, 0]]), series([[40, 7]]), series([[4, 30]])],
  };
  expect(xScale(chart, "log")).toMatchObject({ kind: "log", min: 1, max: 40 });
  expect(xScale(chart, "linear")).toMatchObject({ kind: "linear", min: 0, max: 40 });
  expect(yScale(chart, "log")).toMatchObject({ kind: "log", min: 1, max: 100 });
  expect(yScale(chart, "linear")).toMatchObject({ kind: "linear", min: 0, max: 30 });
  // Error bars end inside; their lower ends may be below any logarithm.
  const withBars = { ...chart, series: [...chart.series, { ...series([[9, 95]]), errors: [94.5] }] };
  expect(yScale(withBars, "log")).toMatchObject({ kind: "log", min: 1, max: 1000 });
  expect(yScale(withBars, "linear")).toMatchObject({ kind: "linear", min: 0, max: 200 });
});
