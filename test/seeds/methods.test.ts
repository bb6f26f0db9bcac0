import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { checkMethod, paperMethods, type SeedMethod, type SeedProblem, selectSeeds } from "../../src/seeds/index.ts";
import { maxWeightWithin, weightSeeds } from "../../src/seeds/depths.ts";
import { maxWeightSeeds } from "../../src/seeds/paper-methods.ts";
import { coverageOf } from "../../src/seeds/problem.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { smallProblems, valueOf, within } from "./reference.ts";

/** The paper's Figure 1: 1 links to 3, 4, 5, 6 and 11; 2 to 3, 4, 5 and 7; 9 to 7, 8 and 10. Out-degrees 5, 4, 3. */
const figure1 = graphOf([
  ...[3, 4, 5, 6, 11].map((target) => [1, target] as const),
  ...[3, 4, 5, 7].map((target) => [2, target] as const),
  ...[7, 8, 10].map((target) => [9, target] as const),
]);

function seedsOf(method: SeedMethod, problem: SeedProblem, depth = 2): number[] {
  return [...selectSeeds(problem, { method, depth }).seeds];
}

describe("the paper's methods by hand", () => {
  it("outdegree takes 1 and 2 of the paper's example, maxout 1 and 9", () => {
    expect(seedsOf("outdegree", { graph: figure1, count: 2, hops: 1 })).toEqual([1, 2]);
    expect(seedsOf("maxout", { graph: figure1, count: 2, hops: 1 })).toEqual([1, 9]);
  });

  it("maxout continues until every page is covered, then stops", () => {
    // After 1 and 9: 2 has no link left (7 is covered by 9), nor has 0; the one of lower id comes first.
    expect(seedsOf("maxout", { graph: figure1, count: 12, hops: 1 })).toEqual([1, 9, 0, 2]);
  });

  it("maxweight sees as far as its depth, and never further than the hops", () => {
    // 0 -> 1 -> 2 -> 3 (worth 9); 4 -> 5 (worth 2).
    const graph = graphOf([
      [0, 1],
      [1, 2],
      [2, 3],
      [4, 5],
    ]);
    const values = Float64Array.of(0, 0, 0, 9, 0, 2);
    const first = (depth: number, hops: number) => seedsOf("maxweight", { graph, values, count: 1, hops }, depth);
    expect(first(1, 3)).toEqual([2]);
    expect(first(2, 3)).toEqual([1]);
    expect(first(3, 3)).toEqual([0]);
    expect(first(3, 1)).toEqual([2]);
  });

  it("maxweight looks again at a page behind a bad one once that is covered", () => {
    // 0 (20) and 1 (6) link to 2 (-10). First 0, with 10; page 1 had -4 then and has 6 now, before the others with 3.
    const graph = graphOf(
      [
        [0, 2],
        [1, 2],
      ],
      10,
    );
    const values = Float64Array.of(20, 6, -10, 3, 3, 3, 3, 3, 3, 3);
    expect(seedsOf("maxweight", { graph, values, count: 3, hops: 1 })).toEqual([0, 1, 3]);
  });

  it("maxweight avoids what is worth less than nothing", () => {
    const graph = graphOf([
      [0, 2],
      [0, 3],
      [1, 3],
    ]);
    const values = Float64Array.of(1, 1, -10, 4);
    expect(seedsOf("maxweight", { graph, values, count: 1, hops: 1 })).toEqual([1]);
  });

  it("stops when nothing of value is left", () => {
    const graph = graphOf([[0, 1]], 4);
    const values = Float64Array.of(1, 1, 0, -3);
    for (const method of ["maxweight", "maxscc", "rootscc", "greedy"] as const)
      expect(seedsOf(method, { graph, values, count: 4, hops: 1 })).toEqual([0]);
  });

  /** Two cycles: 0 -> 1 -> 2 -> 0 and 3 -> 4 -> 3; roots 5 -> 0 and 6 -> 0, 6 -> 3; 7 stands alone. */
  const cycles = graphOf(
    [
      [0, 1],
      [1, 2],
      [2, 0],
      [3, 4],
      [4, 3],
      [5, 0],
      [6, 0],
      [6, 3],
    ],
    8,
  );

  it("maxscc starts in the heaviest component, then in the heaviest of what is left", () => {
    const values = Float64Array.of(1, 1, 1, 1, 1, 1, 2, 1);
    // Components: {0,1,2} 3, {3,4} 2, {6} 2, {5} 1, {7} 1. 3 comes before 6 by id.
    expect(seedsOf("maxscc", { graph: cycles, values, count: 3, hops: 2 })).toEqual([0, 3, 6]);
  });

  it("rootscc starts at the heaviest parentless ancestor of the heaviest component", () => {
    const values = Float64Array.of(1, 1, 1, 1, 1, 1, 2, 1);
    // Roots of {0,1,2} are 5 and 6, of which 6 is heavier. With 2 hops 6 covers 6, 0, 3, 1, 4; left: 2, 5, 7, each 1.
    // The component of the first page is {0,1,2}, its first root 5, which covers 0 and 1 and not 2. Then both roots are
    // seeds: of {0,1,2} itself, 0 reaches 2 and is first.
    expect(seedsOf("rootscc", { graph: cycles, values, count: 3, hops: 2 })).toEqual([6, 5, 0]);
  });

  it("rootscc starts in a root of several pages that link to each other", () => {
    // 0 and 1 lead to the ring 2, 3, 4. With 2 hops page 1 reaches 0, 2 and 3, page 0 reaches 1 and 2.
    const graph = graphOf([
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 2],
    ]);
    expect(seedsOf("rootscc", { graph, count: 1, hops: 2 })).toEqual([1]);
  });

  it("random draws every page where the count is the number of pages", () => {
    for (let randomSeed = 0; randomSeed < 20; randomSeed++) {
      const { seeds } = selectSeeds({ graph: figure1, count: 12, hops: 1 }, { method: "random", randomSeed });
      expect([...seeds].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, page) => page));
    }
  });

  it("random draws different pages, others with another seed", () => {
    const problem = { graph: figure1, count: 6, hops: 1 };
    const draw = (randomSeed: number) => [...selectSeeds(problem, { method: "random", randomSeed }).seeds];
    expect(new Set(draw(1)).size).toBe(6);
    expect(draw(1)).not.toEqual(draw(2));
  });

  it("pagerank takes the page that most lead to", () => {
    const star = graphOf([1, 2, 3, 4].map((page) => [page, 0] as const));
    expect(seedsOf("pagerank", { graph: star, count: 1, hops: 1 })).toEqual([0]);
  });

  it("cover all islands of a web in pieces, given as many seeds", () => {
    const islands = graphOf(
      [0, 3, 6, 9].flatMap((first) => [[first, first + 1] as const, [first, first + 2] as const]),
    );
    for (const method of ["maxout", "maxweight", "rootscc", "greedy"] as const) {
      const { seeds, covered } = selectSeeds({ graph: islands, count: 4, hops: 1 }, { method });
      expect([...seeds].sort((a, b) => a - b)).toEqual([0, 3, 6, 9]);
      expect(covered).toEqual({ pages: 12, value: 12 });
    }
  });
});

describe("maxweight", () => {
  it("by single walks and by walks in groups chooses the same", () => {
    fc.assert(
      fc.property(smallProblems(0, 20), fc.integer({ min: 3, max: 4 }), (problem, depth) => {
        expect([...weightSeeds(problem, depth)]).toEqual([...maxWeightSeeds(problem, depth).seeds]);
      }),
      { numRuns: cases(300) },
    );
  });

  it("is done within as many links as it says that it has visited, also where it begins anew", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), fc.integer({ min: 3, max: 4 }), (problem, depth) => {
        const { steps, seeds } = maxWeightWithin(problem, depth, Infinity);
        expect(maxWeightWithin(problem, depth, steps)).toMatchObject({ steps, seeds, isDone: true });
      }),
      { numRuns: cases(300) },
    );
  });

  it("is the same method at every depth, also where only pages are left that weigh less than nothing", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), fc.integer({ min: 3, max: 4 }), (problem, depth) => {
        expect(seedsOf("maxweight", problem, depth)).toEqual([...maxWeightSeeds(problem, depth).seeds]);
      }),
      { numRuns: cases(300) },
    );
  });

  it("takes in every round a page of greatest weight within its depth, also with negative values", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), (problem) => {
        const { seeds } = maxWeightSeeds(problem, 2);
        const left = problem.values.slice();
        const near = { ...problem, values: left, hops: Math.min(2, problem.hops) };
        const chosen = new Set<number>();
        for (const seed of seeds) {
          const weights = Array.from(left, (_, page) => valueOf(near, [page]));
          const most = Math.max(...weights.filter((_, page) => !chosen.has(page)));
          expect(weights[seed]).toBe(most);
          chosen.add(seed);
          for (const page of within(problem.graph, [seed], problem.hops)) left[page] = 0;
        }
      }),
    );
  });
});

describe("what seeds cover", () => {
  it("counts a page once, also if it is a seed twice", () => {
    const values = Float64Array.from({ length: 12 }, () => 1);
    const problem = { graph: graphOf([[3, 4]], 12), values, count: 3, hops: 1 };
    expect(coverageOf(problem, Uint32Array.of(3, 4, 3))).toEqual({ pages: 2, value: 2 });
  });
});

describe("wrong numbers", () => {
  const graph = figure1;
  it.each<[what: string, problem: SeedProblem, message: RegExp]>([
    ["no seeds", { graph, count: 0, hops: 1 }, /^0 seeds of 12 pages: expected a whole number from 1 to 12/],
    ["more seeds than pages", { graph, count: 13, hops: 1 }, /^13 seeds of 12 pages/],
    ["half a seed", { graph, count: 1.5, hops: 1 }, /^1.5 seeds/],
    ["no hops", { graph, count: 1, hops: 0 }, /^hops is 0, expected a whole number of at least 1/],
    ["values of other pages", { graph, count: 1, hops: 1, values: new Float64Array(3) }, /^3 values for 12 pages/],
    [
      "a value that is no number",
      { graph, count: 1, hops: 1, values: new Float64Array(12).fill(Number.NaN) },
      /value of page 0 is NaN/,
    ],
    ["values too large to add", { graph, count: 1, hops: 1, values: new Float64Array(12).fill(1e308) }, /too large/],
    ["no pages", { graph: graphOf([]), count: 1, hops: 1 }, /no pages/],
  ])("are refused: %s", (_what, problem, message) => {
    for (const method of [...paperMethods, "greedy" as const]) {
      expect(() => selectSeeds(problem, { method })).toThrow(UsageError);
      expect(() => selectSeeds(problem, { method })).toThrow(message);
    }
  });

  it("a depth of 0, and a method that does not exist", () => {
    expect(() => seedsOf("maxweight", { graph, count: 1, hops: 1 }, 0)).toThrow(/^depth is 0/);
    expect(() => checkMethod("maxweigth")).toThrow(/Did you mean maxweight\?/);
  });

  it("hops beyond the end of the web are as good as enough", () => {
    const path = graphOf(Array.from({ length: 99 }, (_, page) => [page, page + 1] as const));
    for (const method of ["maxweight", "greedy"] as const) {
      const { covered } = selectSeeds({ graph: path, count: 1, hops: 1_000_000 }, { method, depth: 1_000_000 });
      expect(covered).toEqual({ pages: 100, value: 100 });
    }
  });
});
