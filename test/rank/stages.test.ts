import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condense } from "../../src/rank/condense.ts";
import type { Condensed } from "../../src/rank/condensed.ts";
import { type Plan, planOf } from "../../src/rank/stages.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { arbitraryWeb } from "./arbitrary-web.ts";

const condensedOf = (web: Parameters<typeof condense>[0]): Condensed =>
  condense(web, { damping: 0.85, arcsMax: Infinity })!;

/** What may be solved at the same time: the components of each divided stage together, every other one alone. */
function groupsOf({ order, stages, batches }: Plan): number[][] {
  return stages.flatMap(({ kind, from, to }) =>
    kind === "divided"
      ? [batches.slice(from, to).flatMap((batch) => [...order.subarray(batch.from, batch.to)])]
      : [...order.subarray(from, to)].map((component) => [component]),
  );
}

const worths = fc.record({
  sharedArcsMin: fc.integer({ min: 1, max: 8 }),
  dividedArcsMin: fc.integer({ min: 0, max: 4 }),
});

describe("a plan", () => {
  it.each([1, 2, 3])("solves every component once, after all that lead to it, with threads: %i", (threads) => {
    fc.assert(
      fc.property(arbitraryWeb, worths, (web, worth) => {
        const condensed = condensedOf(web);
        const { starts, offsets, sources } = condensed;
        const count = starts.length - 1;
        const plan = planOf(condensed, threads, worth);
        const groups = groupsOf(plan);
        for (const { kind, from } of plan.stages) {
          // Threads divide the classes of a component that they share.
          const k = plan.order[from];
          if (kind === "shared") expect(starts[k + 1] - starts[k]).toBeGreaterThan(1);
        }
        expect(groups.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, k) => k));
        const done = new Set<number>();
        for (const group of groups) {
          for (const k of group) {
            const from = [...sources.subarray(offsets[starts[k]], offsets[starts[k + 1]])];
            for (const source of from) expect(source >= starts[k] || done.has(source)).toBe(true);
          }
          for (const k of group) for (let i = starts[k]; i < starts[k + 1]; i++) done.add(i);
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it("divides components that do not wait for each other, by hand", () => {
    // Two pairs lead to page 4, which leads to a third pair; page 7 leads nowhere. Classes: the pages 0 to 6.
    const web = graphOf([
      [0, 1],
      [1, 0],
      [2, 3],
      [3, 2],
      [0, 4],
      [2, 4],
      [4, 5],
      [5, 6],
      [6, 5],
      [6, 7],
    ]);
    const plan = planOf(condensedOf(web), 2, { sharedArcsMin: 100, dividedArcsMin: 4 });
    expect(plan.stages.map(({ kind }) => kind)).toEqual(["divided", "repeated", "repeated"]);
    expect(groupsOf(plan).map((group) => group.length)).toEqual([2, 1, 1]);
  });
});
