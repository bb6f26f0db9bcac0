import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import { generateGraph, successors } from "../../src/graph/index.ts";
import { type ExperimentInput, runExperiment } from "../../src/lab/index.ts";
import { withFarm } from "../../src/lab/experiments/rankmass-spam.ts";
import { neighbourhoods } from "../../src/lab/experiments/rankmass-theorems.ts";
import { graphOf } from "../graph/arbitrary.ts";

describe("the theorems of RankMass", () => {
  it("are compared with ranks by hand: on a ring with one trusted page both sides are equal", () => {
    // The surfer is L links from his last restart with probability (1 - d) d^L; page L of a long ring has just that.
    const ring = graphOf(Array.from({ length: 400 }, (_, page) => [page, (page + 1) % 400] as const));
    for (const { at, promised, found } of neighbourhoods({ graph: ring, damping: 0.5 }, [[0, 1]], [0])) {
      expect(promised).toBe(1 - 0.5 ** (at + 1));
      expect(found).toBeCloseTo(promised, 10);
    }
  });

  it("find Theorem 3 violated where pages without links restart the surfer, as documented", () => {
    // A seed with half of the trust on a page without links; the other half is on a ring of its own (docs/coverage.md).
    const graph = graphOf([
      [1, 2],
      [2, 1],
    ]);
    const trust = [
      [0, 0.5],
      [1, 0.5],
    ] as const;
    const { promised, found } = neighbourhoods({ graph, damping: 0.85 }, trust, [0])[5];
    expect(promised).toBeCloseTo(0.5 * (1 - 0.85 ** 6), 12);
    expect(found).toBeCloseTo(0.075 / 0.575, 9);
    const input: ExperimentInput = { graph, selfLinks: 0, trust, damping: 0.85, clock: systemClock };
    const verdicts = runExperiment("rankmass-theorems", input).verdicts.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(["agrees", "agrees", "differs", "agrees", "agrees"]);
  });

  it("hold on a generated web, but for the third, in every comparison", () => {
    const { graph } = generateGraph({ pages: 400, seed: 3 });
    const trust = Array.from({ length: 8 }, (_, i) => [50 * i, 1 / 8] as const);
    const { tables } = runExperiment("rankmass-theorems", {
      graph,
      selfLinks: 0,
      trust,
      damping: 0.85,
      clock: systemClock,
    });
    const [comparisons, violations] = [1, 2].map((column) => tables[0].table.rows.map((row) => Number(row[column])));
    expect(comparisons.slice(0, 3)).toEqual([88, 11, 11]);
    expect(Math.min(comparisons[3], comparisons[4])).toBeGreaterThan(100);
    expect([violations[0], violations[1], violations[3], violations[4]]).toEqual([0, 0, 0, 0]);
  });
});

describe("a link farm", () => {
  it("takes all links of its target, and links to it alone", () => {
    const farm = withFarm(
      graphOf([
        [0, 1],
        [1, 0],
        [1, 2],
      ]),
      { target: 1, pages: 2 },
    );
    expect(Array.from({ length: 5 }, (_, page) => [...successors(farm, page)])).toEqual([[1], [3, 4], [], [1], [1]]);
  });

  it("gains by hand, on a star whose centre is trusted", () => {
    // 0 is trusted and exchanges links with 59 others, of which one is the target: what enters it comes from 0 alone.
    const pages = 60;
    const graph = graphOf(
      Array.from({ length: pages - 1 }, (_, i) => [[0, i + 1] as const, [i + 1, 0] as const]).flat(),
    );
    const damping = 0.5;
    const input: ExperimentInput = { graph, selfLinks: 0, trust: [[0, 1]], damping, clock: systemClock };
    const { tables, verdicts } = runExperiment("rankmass-spam", input);
    const { columns, rows } = tables[0].table;
    const growth = columns.findIndex(
      ({ title, group }) => title === "growth" && group === "trust on the trusted pages",
    );
    // Before: x0 = (1-d) / (1-d^2), x1 = d x0 / 59. After: x0 = (1-d) + d^2 (58/59) x0, x1 = (d x0 / 59) / (1-d^2).
    const before = ((1 - damping) / (1 - damping ** 2)) * (damping / 59);
    const hub = (1 - damping) / (1 - damping ** 2 * (58 / 59));
    const after = (hub * damping) / 59 / (1 - damping ** 2);
    expect(rows).toHaveLength(1);
    expect(rows[0][growth]).toBeCloseTo(after / before, 9);
    expect(verdicts[2].verdict).toBe("agrees");
  });
});
