/** Exchanging one seed for another, on webs worked by hand and against trying everything. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { improveBySwaps } from "../../src/seeds/swaps.ts";
import { type Arc, graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { type SmallProblem, smallProblems, valueOf } from "./reference.ts";

const none = new Uint32Array(0);

/** A web of so many pages that are worth 1 each, but for those given. */
function problemOf(pages: number, arcs: readonly Arc[], worth: Readonly<Record<number, number>> = {}) {
  const values = Float64Array.from({ length: pages }, (_, page) => worth[page] ?? 1);
  return { graph: graphOf(arcs, pages), values, count: 2, hops: 1 } satisfies SmallProblem;
}

function improved(problem: SmallProblem, seeds: readonly number[], candidates: Uint32Array = none): number[] {
  return [...improveBySwaps(problem, Uint32Array.from(seeds), { candidates, steps: Infinity })];
}

describe("a swap", () => {
  it("puts in the page that gains most together with the other seeds, which keep what they cover", () => {
    // 0 reaches 2 and 3, 1 reaches 2, 4 reaches 2, 5 and 6, 7 reaches 2. Page 2 is worth 100, all others 1. Beside seed
    // 1, which covers 2, page 0 gains 2, page 4 gains 3, page 7 gains 1. Beside 4, page 0 gains 2, more than 1 with 1.
    const arcs: Arc[] = [
      [0, 2],
      [0, 3],
      [1, 2],
      [4, 2],
      [4, 5],
      [4, 6],
      [7, 2],
    ];
    expect(improved(problemOf(8, arcs, { 2: 100 }), [0, 1])).toEqual([4, 0]);
  });

  it("is tried again after another one has helped", () => {
    // Seeds 2 and 1 are worth 4. Beside 1, page 3 gains 8. Beside 3, page 0 gains 2: 10. Now page 4 gains 7 in place of
    // 3, which gains 6: 11.
    const arcs: Arc[] = [
      [0, 3],
      [3, 2],
      [3, 4],
      [4, 1],
      [4, 2],
    ];
    const problem = problemOf(5, arcs, { 0: 2, 2: 3, 3: 2, 4: 3 });
    expect(improved(problem, [2, 1])).toEqual([4, 0]);
    expect(valueOf(problem, [4, 0])).toBe(11);
  });

  it("is tried with pages of neighbouring ids, and with every candidate that is handed in", () => {
    // 32 pages stand together: 5 is a neighbour of 3, and 95 is none. 95 is the last of 32 candidates.
    const arcs: Arc[] = [
      [5, 0],
      [95, 0],
      [95, 1],
    ];
    const candidates = Uint32Array.from({ length: 32 }, (_, k) => 64 + k);
    const problem = { ...problemOf(100, arcs), count: 1 };
    expect(improved(problem, [3])).toEqual([5]);
    expect(improved(problem, [3], candidates)).toEqual([95]);
  });

  it("is tried with the 33rd candidate as well", () => {
    const candidates = Uint32Array.from({ length: 33 }, (_, k) => 64 + k);
    expect(improved({ ...problemOf(100, [[96, 0]]), count: 1 }, [3], candidates)).toEqual([96]);
  });
});

describe("a seed that gains nothing", () => {
  it("is dropped where no other page gains anything in its place", () => {
    expect(improved(problemOf(2, [[0, 1]]), [0, 1])).toEqual([0]);
    expect(improved(problemOf(2, [[0, 1]]), [1, 0])).toEqual([0]);
  });

  it("is kept if it is the only one", () => {
    expect(improved({ ...problemOf(1, [], { 0: -1 }), count: 1 }, [0])).toEqual([0]);
  });
});

describe("swaps on webs small enough to try everything", () => {
  const drawn = smallProblems(-9, 7).chain((problem) =>
    fc.record({
      problem: fc.constant(problem),
      seeds: fc.uniqueArray(fc.nat(problem.graph.pages - 1), { minLength: 1, maxLength: problem.count }),
    }),
  );

  it("never make a choice worse, and end where no single exchange helps", () => {
    fc.assert(
      fc.property(drawn, ({ problem, seeds: first }) => {
        let seeds = first;
        for (let before: number[] = []; before.join() !== seeds.join(); ) {
          before = seeds;
          seeds = improved(problem, before);
          expect(valueOf(problem, seeds)).toBeGreaterThanOrEqual(valueOf(problem, before));
        }
        const worth = valueOf(problem, seeds);
        for (const i of seeds.keys()) {
          for (let page = 0; page < problem.graph.pages; page++) {
            expect(valueOf(problem, seeds.with(i, page))).toBeLessThanOrEqual(worth);
          }
          if (seeds.length > 1) expect(valueOf(problem, seeds.toSpliced(i, 1))).toBeLessThan(worth);
        }
      }),
      { numRuns: cases(500) },
    );
  });
});
