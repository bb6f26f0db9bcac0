import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random, UsageError } from "../../src/base/index.ts";
import { ArcsDecoder, type Graph, withoutSelfLinks } from "../../src/graph/index.ts";
import { DANGLING_RULES, l1Distance, pagerank } from "../../src/rank/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { sharedPath } from "../support/shared.ts";
import { densePagerank, residuals, uniformTrust } from "./reference.ts";

const d = 0.85;
const tight = { tolerance: 1e-14, maxIterations: 100_000 };

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, within = 1e-12): void {
  expect(actual.length).toBe(expected.length);
  expect(l1Distance(Float64Array.from(actual), Float64Array.from(expected))).toBeLessThan(within);
}

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);

describe("closed forms", () => {
  it("ranks a star: leaves have the trust alone, the hub d of each besides", () => {
    const star = graphOf([1, 2, 3, 4].map((leaf) => [leaf, 0] as const));
    const leaf = (1 - d) / 5;
    const expected = [leaf * (1 + 4 * d), leaf, leaf, leaf, leaf];
    expectClose(pagerank(star, { dangling: "none", stopping: tight }).ranks, expected);
    const total = sum(expected);
    expectClose(
      pagerank(star, { stopping: tight }).ranks,
      expected.map((value) => value / total),
    );
  });

  it("ranks page k of a chain of n by (1 - d^(k+1)) / n", () => {
    const chain = graphOf(Array.from({ length: 99 }, (_, page) => [page, page + 1] as const));
    const expected = Array.from({ length: 100 }, (_, k) => (1 - d ** (k + 1)) / 100);
    expectClose(pagerank(chain, { dangling: "none", stopping: tight }).ranks, expected);
  });

  it("ranks a clique of k with a bridge to a cycle of p", () => {
    const k = 5;
    const p = 7;
    const { graph, expected } = cliqueBridgeCycle(k, p);
    for (const dangling of DANGLING_RULES) {
      expectClose(pagerank(graph, { dangling, stopping: tight }).ranks, expected);
    }
  });

  it("gives everything to a page alone, whatever it links to", () => {
    expectClose(pagerank(graphOf([], 1)).ranks, [1]);
    expectClose(pagerank(graphOf([[0, 0]]), { stopping: tight }).ranks, [1]);
  });
});

describe("ranks to start from", () => {
  it("change nothing but the way, whatever they are", () => {
    const graph = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 });
    const numbers = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(
        graph,
        numbers,
        fc.constantFrom(...DANGLING_RULES),
        fc.boolean(),
        (arcs, start, dangling, trusted) => {
          const web = graphOf(arcs, 10);
          const trust = trusted ? Float64Array.from({ length: 10 }, (_, page) => (page < 4 ? 0.2 : 0)) : undefined;
          const cold = pagerank(web, { dangling, trust, stopping: tight });
          const warm = pagerank(web, { dangling, trust, stopping: tight, start: Float64Array.from(start) });
          expectClose(warm.ranks, cold.ranks);
          expect(warm.residual).toBeLessThan(1e-13);
        },
      ),
    );
  });

  it("that are right take no sweep", () => {
    const graph = graphOf([
      [0, 1],
      [1, 2],
      [2, 0],
      [0, 2],
      [3, 0],
    ]);
    const { ranks } = pagerank(graph, { stopping: tight });
    expect(pagerank(graph, { start: ranks }).iterations).toBe(0);
  });

  it("are one per page, and ranks", () => {
    const graph = graphOf([[0, 1]]);
    expect(() => pagerank(graph, { start: new Float64Array(3) })).toThrow(/got 3 ranks to start from for 2 pages/);
    expect(() => pagerank(graph, { start: Float64Array.of(1, Number.NaN) })).toThrow(/negative or not a number/);
  });
});

/**
 * Page k - 1 of the clique also links to page k, the first of the cycle. a, z: pages of the clique without, with it.
 */
function cliqueBridgeCycle(k: number, p: number): { graph: Graph; expected: number[] } {
  const arcs: [number, number][] = [[k - 1, k]];
  for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) if (i !== j) arcs.push([i, j]);
  for (let j = 0; j < p; j++) arcs.push([k + j, k + ((j + 1) % p)]);
  const b = (1 - d) / (k + p);
  const a = (b * (1 + d / k)) / (1 - (d * (k - 2)) / (k - 1) - d ** 2 / k);
  const z = b + d * a;
  const first = (b + (d * z) / k + (d * b * (1 - d ** (p - 1))) / (1 - d)) / (1 - d ** p);
  const cycle = Array.from({ length: p }, (_, j) => (b * (1 - d ** j)) / (1 - d) + d ** j * first);
  return { graph: graphOf(arcs), expected: [...Array.from({ length: k - 1 }, () => a), z, ...cycle] };
}

const arbitraryQuestion = fc.integer({ min: 1, max: 9 }).chain((pages) => {
  const page = fc.nat({ max: pages - 1 });
  const weights = fc.array(fc.nat({ max: 9 }), { minLength: pages, maxLength: pages });
  return fc.record({
    graph: fc.array(fc.tuple(page, page), { maxLength: 30 }).map((arcs) => graphOf(arcs, pages)),
    damping: fc.double({ min: 0.01, max: 0.98, noNaN: true }),
    dangling: fc.constantFrom(...DANGLING_RULES),
    trust: fc.option(
      fc
        .tuple(
          weights.filter((all) => sum(all) > 0),
          fc.double({ min: 0.05, max: 1, noNaN: true }),
        )
        .map(([all, total]) => Float64Array.from(all, (weight) => (weight * total) / sum(all))),
      { nil: undefined },
    ),
  });
});

describe("any graph, damping, trust (partial too) and rule", () => {
  it("agrees with Gaussian elimination", () => {
    fc.assert(
      fc.property(arbitraryQuestion, ({ graph, damping, dangling, trust }) => {
        const { ranks } = pagerank(graph, { damping, dangling, trust, stopping: tight });
        const question = { damping, dangling, trust: trust ?? uniformTrust(graph.pages) };
        expectClose(ranks, densePagerank(graph, question), 1e-11);
      }),
      { numRuns: cases(500) },
    );
  });

  it("reports the residual of the ranks it returns, within the tolerance, in either norm", () => {
    const stopping = fc.record({
      norm: fc.constantFrom("l1" as const, "linf" as const),
      tolerance: fc.constantFrom(1e-3, 1e-6, 1e-9),
      maxIterations: fc.constant(100_000),
    });
    fc.assert(
      fc.property(arbitraryQuestion, stopping, ({ graph, damping, dangling, trust }, stopping) => {
        const ranking = pagerank(graph, { damping, dangling, trust, stopping });
        const question = { damping, dangling, trust: trust ?? uniformTrust(graph.pages) };
        const off = residuals(graph, question, ranking.ranks).map(Math.abs);
        expect(ranking.residual).toBeCloseTo(stopping.norm === "l1" ? sum(off) : Math.max(...off), 14);
        expect(ranking.residual).toBeLessThanOrEqual(stopping.tolerance);
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("mass", () => {
  it("is 1 in sum under restart and uniform for every damping, if the trust is", () => {
    const graph = graphOf(
      [
        [0, 1],
        [1, 2],
        [2, 0],
        [2, 3],
        [4, 3],
      ],
      6,
    );
    const trust = Float64Array.of(0.5, 0, 0.25, 0, 0.25, 0);
    for (const damping of [1e-6, 0.1, 0.5, 0.85, 0.99, 0.9999]) {
      for (const dangling of ["restart", "uniform"] as const) {
        const stopping = { tolerance: 1e-15, maxIterations: 1e6 };
        expect(sum(pagerank(graph, { damping, dangling, stopping }).ranks)).toBeCloseTo(1, 10);
        expect(sum(pagerank(graph, { damping, dangling, trust, stopping }).ranks)).toBeCloseTo(1, 10);
      }
    }
  });

  it("under restart leaves a page outside the graph its untrusted share", () => {
    // Half of the trust is outside. x = (1-d)/2 on page 0, d of it on page 1, and nothing beyond: dangling.
    const x = (1 - d) / 2;
    const whole = x + d * x + 0.5;
    const { ranks } = pagerank(graphOf([[0, 1]]), { trust: Float64Array.of(0.5, 0), stopping: tight });
    expectClose(ranks, [x / whole, (d * x) / whole]);
  });
});

describe("wrong usage", () => {
  const graph = graphOf([[0, 1]]);
  it.each([0, 1, -0.5, 1.2, Number.NaN])("refuses a damping of %s", (damping) => {
    expect(() => pagerank(graph, { damping })).toThrow(UsageError);
  });
  it.each([[[1]], [[0.2, 0.2, 0.2]], [[-0.1, 1]], [[Number.NaN, 1]], [[Infinity, 0]], [[0.6, 0.5]], [[0, 0]]])(
    "refuses the trust %j on two pages",
    (weights) => {
      expect(() => pagerank(graph, { trust: Float64Array.from(weights) })).toThrow(UsageError);
    },
  );
  it("accepts a trust whose decimals sum to 1 but for rounding", () => {
    const thirds = graphOf([[0, 9]]);
    const trust = new Float64Array(10).fill(0.1);
    expect(sum(pagerank(thirds, { trust }).ranks)).toBeCloseTo(1, 9);
  });
  it("refuses a graph without pages, and stopping rules that never stop", () => {
    expect(() => pagerank(graphOf([], 0))).toThrow(UsageError);
    expect(() => pagerank(graph, { stopping: { tolerance: 0 } })).toThrow(UsageError);
    expect(() => pagerank(graph, { stopping: { maxIterations: 0 } })).toThrow(UsageError);
  });
});

describe("stopping", () => {
  it("ends after the greatest number of sweeps and says how far it is", () => {
    const random = new Random(3);
    const graph = graphOf(Array.from({ length: 900 }, () => [random.below(200), random.below(200)] as const));
    const ranking = pagerank(graph, { stopping: { tolerance: 1e-12, maxIterations: 5 } });
    expect(ranking.iterations).toBe(5);
    expect(ranking.residual).toBeGreaterThan(1e-12);
  });
  it("ends at the limit of rounding when the tolerance is below it", () => {
    const { graph, expected } = cliqueBridgeCycle(30, 300);
    const ranking = pagerank(graph, { stopping: { tolerance: 1e-30, maxIterations: 1e6 } });
    expectClose(ranking.ranks, expected, 1e-14);
  });
  it("reports every sweep", () => {
    const seen: number[] = [];
    const { iterations } = pagerank(
      graphOf([
        [0, 1],
        [1, 0],
      ]),
      { progress: ({ done }) => seen.push(done) },
    );
    expect(seen).toEqual(Array.from({ length: iterations }, (_, sweep) => sweep + 1));
  });
});

function readGraph(path: string): Graph {
  const decoder = new ArcsDecoder();
  decoder.push(gunzipSync(readFileSync(path)));
  return withoutSelfLinks(decoder.finish());
}

const harvard = sharedPath("data/harvard500.arcs.gz");
describe.skipIf(harvard === undefined)("harvard500", () => {
  it.each(DANGLING_RULES)("agrees with Gaussian elimination under %s, uniform and half trusted", (dangling) => {
    const graph = readGraph(harvard!);
    const partial = new Float64Array(graph.pages);
    for (let page = 0; page < 10; page++) partial[50 * page] = 0.05;
    for (const trust of [uniformTrust(graph.pages), partial]) {
      const { ranks } = pagerank(graph, { trust, dangling, stopping: tight });
      expectClose(ranks, densePagerank(graph, { damping: d, trust, dangling }), 1e-12);
    }
  });
});
