import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import { generateGraph, successors, withoutSelfLinks } from "../../src/graph/index.ts";
import {
  ChangingWeb,
  type ErrorCurve,
  errorCurve,
  greedyFrequencies,
  readsFor,
} from "../../src/lab/experiments/opic-run.ts";
import { pagerank, spearman } from "../../src/rank/index.ts";
import { graphOf } from "../graph/arbitrary.ts";

function curve(points: readonly (readonly [reads: number, error: number])[]): ErrorCurve {
  return points.map(([reads, all]) => ({ reads, all, top1: 0, top10: 0 }));
}

describe("reads for the same error", () => {
  const falling = curve([
    [1, 0.8],
    [2, 0.4],
    [8, 0.1],
  ]);

  it("are those of the point, or between two points by their logarithms", () => {
    expect(readsFor(falling, 0.4)).toBe(2);
    // Error is inversely proportional to reads: 0.2 at 4.
    expect(readsFor(falling, 0.2)).toBeCloseTo(4, 12);
    expect(readsFor(falling, 0.1)).toBeCloseTo(8, 12);
  });

  it("are the first ones that were measured where even they sufficed, and unknown where none did", () => {
    expect(readsFor(falling, 0.9)).toBe(1);
    expect(readsFor(falling, 0.05)).toBeUndefined();
  });
});

describe("a web that changes", () => {
  const graph = withoutSelfLinks(generateGraph({ pages: 300, seed: 5 }).graph);
  const rowsOf = (web: ChangingWeb) =>
    Array.from({ length: graph.pages }, (_, page) => web.linksOf(page).join()).sort();

  it("has the same rows at any time, so every page keeps its in-links", () => {
    const web = new ChangingWeb(graph, 1);
    const expected = Array.from({ length: graph.pages }, (_, page) => successors(graph, page).join()).sort();
    for (const changes of [0, 30, 500]) {
      web.change(changes);
      expect(rowsOf(web)).toEqual(expected);
    }
  });

  it("begins anywhere: before any change hardly a page has its own links", () => {
    const web = new ChangingWeb(graph, 1);
    const pages = Array.from(successors(graph, 0).keys()).length;
    expect(pages).toBeGreaterThan(0);
    const own = Array.from({ length: graph.pages }, (_, page) => page).filter(
      (page) => web.linksOf(page).join() === successors(graph, page).join() && web.linksOf(page).length > 0,
    );
    expect(own.length).toBeLessThan(10);
  });

  it("changes as many pages as it is told, two by two", () => {
    const distinct = graphOf(Array.from({ length: 50 }, (_, page) => [page, (page + 7) % 50] as const));
    const web = new ChangingWeb(distinct, 3);
    const before = Array.from({ length: 50 }, (_, page) => web.linksOf(page)[0]);
    web.change(1);
    const changed = before.filter((target, page) => web.linksOf(page)[0] !== target);
    expect(changed.length).toBe(2);
  });

  it("as a graph has its links of now, but for links of pages to themselves", () => {
    const web = new ChangingWeb(graph, 2);
    web.change(100);
    const now = web.now();
    for (let page = 0; page < graph.pages; page++) {
      expect([...successors(now, page)]).toEqual([...web.linksOf(page)].filter((target) => target !== page));
    }
  });
});

describe("OPIC on a web", () => {
  const { graph } = generateGraph({ pages: 400, seed: 9 });
  const input = { graph, selfLinks: 0, trust: [], damping: 0.85, clock: systemClock };
  const truth = pagerank(withoutSelfLinks(graph)).ranks;

  it("knows all pages exactly in the limit, important ones as well as others", () => {
    const options = { choice: "greedy", memory: { kind: "all" } } as const;
    const [early, late] = errorCurve(input, truth, options, [1, 400]);
    expect(early.all).toBeGreaterThan(10 * late.all);
    expect(Math.max(late.all, late.top1, late.top10)).toBeLessThan(1e-3);
  });

  it("measures the error on important pages relative to their importance", () => {
    // Nothing has been read but one page, which is not among the best: all of their importance is missing or is theirs.
    const [{ top10, all }] = errorCurve(input, truth, { choice: "cycle", memory: { kind: "all" } }, [1 / 400]);
    expect(top10).toBeGreaterThan(0.5);
    expect(all).toBeGreaterThan(0.5);
  });

  it("reads important pages more often by GREEDY, all pages equally often on a ring", () => {
    const frequencies = greedyFrequencies(input, 50);
    expect(frequencies.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12);
    expect(spearman(frequencies, truth)).toBeGreaterThan(0.9);
    const ring = graphOf(Array.from({ length: 10 }, (_, page) => [page, (page + 1) % 10] as const));
    for (const frequency of greedyFrequencies({ ...input, graph: ring }, 30)) expect(frequency).toBeCloseTo(0.1, 2);
  });
});
