import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Graph, numberByComponents, outDegree, successors } from "../../src/graph/index.ts";
import { NO_CLASS } from "../../src/rank/class-rows.ts";
import { classRowsOf, condense } from "../../src/rank/condense.ts";
import { fillProducts, takeBackWeights } from "../../src/rank/pull.ts";
import { createSystem, DANGLING_RULES, l1Distance, pagerank, solo, workTogether } from "../../src/rank/index.ts";
import { type Arc, graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { arbitraryWeb } from "./arbitrary-web.ts";
import { densePagerank, uniformTrust } from "./reference.ts";

const row = (graph: Graph, page: number) => [...successors(graph, page)].join();
const closedRow = (graph: Graph, page: number) => [...successors(graph, page), page].sort((a, b) => a - b).join();

describe("classes", () => {
  it("hold pages of equal rows, and pages of cliques, by hand", () => {
    // 0, 1, 2 are a clique that leads to 5; 3 and 4 are copies that lead to 0 and 5; 5 leads nowhere.
    const clique: Arc[] = [0, 1, 2].flatMap((from) =>
      [0, 1, 2, 5].filter((to) => to !== from).map((to) => [from, to] as const),
    );
    const copies: Arc[] = [3, 4].flatMap((from) => [0, 5].map((to) => [from, to] as const));
    const { count, classOf, representatives, isClosed } = classRowsOf(graphOf([...clique, ...copies]))!;
    expect(count).toBe(2);
    expect([...classOf]).toEqual([0, 0, 0, 1, 1, NO_CLASS]);
    expect([...representatives]).toEqual([0, 3]);
    expect([...isClosed]).toEqual([1, 0]);
  });

  it("give a page with an open partner no closed one, by hand", () => {
    // 0 and 1 lead to 2, which leads to 0: 0 and 2 are a clique, but 0 has a partner already.
    const { classOf, isClosed } = classRowsOf(
      graphOf([
        [0, 2],
        [1, 2],
        [2, 0],
      ]),
    )!;
    expect([...classOf]).toEqual([0, 0, 1]);
    expect([...isClosed]).toEqual([0, 0]);
  });

  it("join exactly the pages with the same row, and among the others those with the same closed row", () => {
    fc.assert(
      fc.property(arbitraryWeb, (graph) => {
        const pages = Array.from({ length: graph.pages }, (_, page) => page);
        const { classOf } = classRowsOf(graph)!;
        const linked = pages.filter((page) => outDegree(graph, page) > 0);
        for (const page of pages) expect(classOf[page] === NO_CLASS).toBe(!linked.includes(page));
        const hasTwin = (p: number) => linked.some((q) => q !== p && row(graph, p) === row(graph, q));
        const linksToItself = (p: number) => successors(graph, p).includes(p);
        for (const p of linked) {
          for (const q of linked) {
            if (p === q) continue;
            const open = row(graph, p) === row(graph, q);
            const closed =
              ![p, q].some((page) => hasTwin(page) || linksToItself(page)) &&
              closedRow(graph, p) === closedRow(graph, q);
            expect(classOf[p] === classOf[q]).toBe(open || closed);
          }
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("depth-first order", () => {
  it("puts every page of a graph without cycles before those it leads to", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }))), (pairs) => {
        const arcs = pairs.filter(([a, b]) => a !== b).map(([a, b]): Arc => [Math.max(a, b), Math.min(a, b)]);
        const order = [...numberByComponents(graphOf(arcs, 21)).pageAt];
        expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, page) => page));
        for (const [from, to] of arcs) expect(order.indexOf(from)).toBeLessThan(order.indexOf(to));
      }),
    );
  });
});

describe("extrapolation", () => {
  it("finds the limit of a sum of two geometric sequences from three changes", () => {
    // The iterates are limit + 0.9^j + 3 (-0.5)^j in two directions.
    const iterate = (j: number) => [7 + 0.9 ** j, 2 + 3 * (-0.5) ** j];
    const changes = [1, 2, 3].map((j) => Float64Array.from(iterate(j), (value, i) => value - iterate(j - 1)[i]));
    const matrix = new Float64Array(9);
    fillProducts(changes, 2, matrix);
    const weights = takeBackWeights(matrix, 3);
    const limit = iterate(3).map((value, i) => value - weights[1] * changes[1][i] - weights[2] * changes[2][i]);
    expect(limit[0]).toBeCloseTo(7, 6);
    expect(limit[1]).toBeCloseTo(2, 6);
  });
  it("takes nothing back where nothing changes", () => {
    expect([...takeBackWeights(new Float64Array(9), 3)]).toEqual([0, 0, 0]);
  });
});

describe("a condensed graph", () => {
  it("numbers classes such that links lead inside a component or to later ones, sources from earlier ones first", () => {
    fc.assert(
      fc.property(arbitraryWeb, (graph) => {
        const { classes, starts, offsets, sources } = condense(graph, { damping: 0.85, arcsMax: Infinity })!;
        expect(starts.at(-1)).toBe(classes);
        for (let k = 0; k + 1 < starts.length; k++) {
          for (let i = starts[k]; i < starts[k + 1]; i++) {
            const of = [...sources.subarray(offsets[i], offsets[i + 1])];
            const earlier = of.filter((source) => source < starts[k]);
            expect(of.slice(0, earlier.length)).toEqual(earlier);
            expect(of.every((source) => source < starts[k + 1] && source !== i)).toBe(true);
          }
        }
      }),
    );
  });

  it("is not built where more arcs would be left than allowed", () => {
    const cycle = graphOf([0, 1, 2].map((page) => [page, (page + 1) % 3] as const));
    expect(condense(cycle, { damping: 0.85, arcsMax: 2 })).toBeUndefined();
    expect(condense(cycle, { damping: 0.85, arcsMax: 3 })).toBeDefined();
  });

  it("has the solution that Gaussian elimination finds on the graph itself", () => {
    const weights = fc.array(fc.nat({ max: 9 }), { minLength: 14, maxLength: 14 });
    const damping = fc.double({ min: 0.01, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(arbitraryWeb, weights, damping, (graph, weights, damping) => {
        const trust = Float64Array.from({ length: graph.pages }, (_, page) => (weights[page] + 1) / 140);
        const condensed = condense(graph, { damping, arcsMax: Infinity });
        const system = createSystem(graph, { damping, trust, condensed, threads: 1 });
        workTogether(solo, system, { kind: "solve", norm: "l1", target: 1e-14, maxIterations: 10_000 });
        const expected = densePagerank(graph, { damping, trust, dangling: "none" });
        expect(l1Distance(system.x, Float64Array.from(expected))).toBeLessThan(1e-11);
      }),
      { numRuns: cases(500) },
    );
  });

  it("leads to the ranks of Gaussian elimination under every rule, with trust whole, partial or uniform", () => {
    const trusts = fc.option(fc.tuple(fc.nat({ max: 13 }), fc.constantFrom(0.3, 1)), { nil: undefined });
    fc.assert(
      fc.property(arbitraryWeb, trusts, fc.constantFrom(...DANGLING_RULES), (graph, trusted, dangling) => {
        const trust = trusted && new Float64Array(graph.pages);
        if (trust) trust[trusted[0] % graph.pages] = trusted[1];
        const { ranks } = pagerank(graph, { trust, dangling, stopping: { tolerance: 1e-14 } });
        const expected = densePagerank(graph, {
          damping: 0.85,
          trust: trust ?? uniformTrust(graph.pages),
          dangling,
        });
        expect(l1Distance(ranks, Float64Array.from(expected))).toBeLessThan(1e-12);
      }),
      { numRuns: cases(500) },
    );
  });
});
