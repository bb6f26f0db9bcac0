import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateGraph } from "../../src/graph/index.ts";
import { paperMethods, seedMethods, selectSeeds } from "../../src/seeds/index.ts";
import { greedySeeds, plainGreedy } from "../../src/seeds/greedy.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { optimum, smallProblems, valueOf, within } from "./reference.ts";

describe("greedy on webs small enough to try everything", () => {
  it("chooses the optimum where there is one seed, also with negative values", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), (problem) => {
        const one = { ...problem, count: 1 };
        const { seeds, covered } = selectSeeds(one, { method: "greedy" });
        expect(covered.value).toBe(optimum(one));
        expect(seeds.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: cases(500) },
    );
  });

  it("puts the best single page first, as plain greedy does", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), (problem) => {
        const { seeds } = plainGreedy(problem);
        const best = optimum(problem, 1);
        expect(seeds.length === 0 ? 0 : valueOf(problem, [seeds[0]])).toBe(best);
      }),
    );
  });

  it("covers at least (1 - 1/e) of the optimum where no value is negative", () => {
    fc.assert(
      fc.property(smallProblems(0), (problem) => {
        const { covered } = selectSeeds(problem, { method: "greedy" });
        expect(covered.value).toBeGreaterThanOrEqual((1 - 1 / Math.E) * optimum(problem));
      }),
      { numRuns: cases(300) },
    );
  });

  it("takes in every round of plain greedy a page that gains most, whatever the values", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), (problem) => {
        const { seeds, isProved } = plainGreedy(problem);
        expect(isProved).toBe(true);
        for (let i = 0; i <= seeds.length && i < problem.count; i++) {
          const before = [...seeds.subarray(0, i)];
          const worth = valueOf(problem, before);
          const gains = Array.from(problem.values, (_, page) => valueOf(problem, [...before, page]) - worth);
          const most = Math.max(0, ...gains);
          expect(i < seeds.length ? gains[seeds[i]] : 0).toBe(most);
        }
      }),
      { numRuns: cases(300) },
    );
  });
});

describe("greedy compared with the methods of the paper", () => {
  it("never covers less than any of them, and says what is true of its seeds", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), (problem) => {
        const { seeds, covered } = selectSeeds(problem, { method: "greedy" });
        expect(covered.value).toBe(valueOf(problem, seeds));
        for (const method of paperMethods) {
          const other = selectSeeds(problem, { method }).covered.value;
          expect(covered.value).toBeGreaterThanOrEqual(other);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("is as good as any on a web of 3,000 pages with spam, for every number of hops", () => {
    const { graph } = generateGraph({ pages: 3000, seed: 5 });
    const values = Float64Array.from({ length: 3000 }, (_, page) => (page % 11 === 0 ? -10 : (page % 7) + 0.1));
    for (const hops of [1, 2, 3, 5]) {
      const problem = { graph, values, count: 8, hops };
      const { covered } = selectSeeds(problem, { method: "greedy" });
      for (const method of paperMethods) {
        expect(covered.value).toBeGreaterThanOrEqual(selectSeeds(problem, { method }).covered.value);
      }
    }
  });

  it("never covers less than any of them with any depth, which it names", () => {
    fc.assert(
      fc.property(smallProblems(-9, 12), fc.integer({ min: 1, max: 4 }), (problem, depth) => {
        const { covered, greedy } = selectSeeds(problem, { method: "greedy", depth });
        const all = Array.from({ length: Math.min(problem.hops, problem.graph.pages - 1) }, (_, i) => i + 1);
        expect(greedy!.depths).toEqual(expect.arrayContaining(all));
        for (const method of ["maxweight", "maxscc", "rootscc"] as const) {
          for (const other of all) {
            const value = selectSeeds(problem, { method, depth: other }).covered.value;
            expect(covered.value).toBeGreaterThanOrEqual(value);
            if (greedy!.compared[`${method}:${other}`] !== undefined) {
              expect(greedy!.compared[`${method}:${other}`]).toBe(value);
            }
          }
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("finds with depth 1 what depth 2 and all hops miss: the good pages around a bad one", () => {
    // 2 reaches all pages, the bad one too: 7 + 8 + 5 - 9. The pages that do not lead to it are worth 7 + 5.
    const graph = graphOf([
      [2, 0],
      [0, 1],
      [2, 3],
    ]);
    const problem = { graph, values: Float64Array.of(-9, 7, 8, 5), count: 2, hops: 3 };
    const options = { depth: 2, randomSeed: 1 };
    expect(valueOf(problem, greedySeeds(problem, { ...options, otherDepthsBudget: 0 }).seeds)).toBe(11);
    const { seeds, winner, depths } = greedySeeds(problem, options);
    expect([[...seeds], winner, depths]).toEqual([[1, 3], "maxweight:1", [1, 2, 3]]);
    expect(valueOf(problem, seeds)).toBe(12);
  });

  it("leaves out depths that its budget of links does not pay for, and says so", () => {
    const { graph } = generateGraph({ pages: 2000, seed: 4 });
    const values = Float64Array.from({ length: 2000 }, (_, page) => (page % 9 === 0 ? -10 : 1));
    const depthsWith = (otherDepthsBudget: number) =>
      greedySeeds({ graph, values, count: 3, hops: 5 }, { depth: 2, randomSeed: 1, otherDepthsBudget }).depths;
    expect(depthsWith(0)).toEqual([2]);
    expect(depthsWith(400_000)).toEqual([1, 2]);
    expect(depthsWith(Infinity)).toEqual([1, 2, 3, 4, 5]);
  });

  it("improves by swaps what plain greedy gets wrong", () => {
    // 0 reaches 4 pages; but 1 and 2 reach 3 each and all 6 together, of which 0 takes two of either.
    const graph = graphOf([
      [0, 3],
      [0, 4],
      [0, 6],
      [0, 7],
      [1, 3],
      [1, 4],
      [1, 5],
      [2, 6],
      [2, 7],
      [2, 8],
    ]);
    const values = Float64Array.of(0, 0, 0, 1, 1, 1, 1, 1, 1);
    const problem = { graph, values, count: 2, hops: 1 };
    expect(valueOf(problem, plainGreedy(problem).seeds)).toBe(5);
    const { seeds, covered, greedy } = selectSeeds(problem, { method: "greedy" });
    expect([...seeds].sort()).toEqual([1, 2]);
    expect(covered.value).toBe(6);
    expect(greedy!.swapGain + (greedy!.winner === "greedy" ? 5 : greedy!.compared[greedy!.winner])).toBe(6);
  });

  it("takes two pages that share a bad one, though neither is worth anything alone", () => {
    // 5 - 10 and 6 - 10 alone, 5 + 6 - 10 together.
    const graph = graphOf([
      [0, 2],
      [1, 2],
    ]);
    const problem = { graph, values: Float64Array.of(5, 6, -10), count: 2, hops: 1 };
    const { seeds, covered } = selectSeeds(problem, { method: "greedy" });
    expect([...seeds].sort()).toEqual([0, 1]);
    expect(covered.value).toBe(1);
  });

  it("finds the best page in the midst of bad ones, where pages are looked at in groups", () => {
    // Pages 0 to 255 are worth -10 each, but for 131 with 5; the others are worth 1.
    const values = Float64Array.from({ length: 300 }, (_, page) => (page === 131 ? 5 : page < 256 ? -10 : 1));
    expect([...plainGreedy({ graph: graphOf([], 300), values, count: 1, hops: 1 }).seeds]).toEqual([131]);
  });

  it("takes no seed that gains nothing", () => {
    const graph = graphOf([[0, 1]], 3);
    const values = Float64Array.of(1, 1, -1);
    expect([...selectSeeds({ graph, values, count: 3, hops: 1 }, { method: "greedy" }).seeds]).toEqual([0]);
  });
});

describe("greedy without the budget to prove its choice", () => {
  const { graph } = generateGraph({ pages: 5000, seed: 3 });
  const problem = { graph, values: new Float64Array(5000).fill(1), count: 5, hops: 4 };

  it("follows the sketches, and still covers no less than the paper's methods", () => {
    const { seeds, isProved } = greedySeeds(problem, { depth: 2, randomSeed: 1, budget: 1 });
    expect(isProved).toBe(false);
    const value = within(graph, seeds, 4).size;
    for (const method of paperMethods) {
      expect(value).toBeGreaterThanOrEqual(selectSeeds(problem, { method }).covered.value);
    }
  });

  it("covers at least 0.9 of what the exact search does", () => {
    const exact = plainGreedy(problem);
    const estimated = plainGreedy(problem, 1);
    expect(exact.isProved).toBe(true);
    expect(estimated.isProved).toBe(false);
    const share = within(graph, estimated.seeds, 4).size / within(graph, exact.seeds, 4).size;
    expect(share).toBeGreaterThan(0.9);
  });
});

describe("every method", () => {
  it.each(seedMethods)(
    "%s chooses different pages, no more than the count, and covers what a plain search finds",
    (method) => {
      fc.assert(
        fc.property(smallProblems(-9, 20), (problem) => {
          const { seeds, covered, total } = selectSeeds(problem, { method });
          expect(new Set(seeds).size).toBe(seeds.length);
          expect(seeds.length).toBeLessThanOrEqual(problem.count);
          expect(covered.pages).toBe(within(problem.graph, seeds, problem.hops).size);
          expect(covered.value).toBe(valueOf(problem, seeds));
          expect(total.value).toBe(problem.values.reduce((sum, value) => sum + Math.max(0, value), 0));
        }),
      );
    },
  );

  it.each(seedMethods)("%s answers the same twice", (method) => {
    const { graph } = generateGraph({ pages: 500, seed: 9 });
    const choose = () => [...selectSeeds({ graph, count: 7, hops: 3 }, { method }).seeds];
    expect(choose()).toEqual(choose());
  });
});
