import { describe, expect, it } from "vitest";
import { hostsOf, successors } from "../../src/graph/index.ts";
import { paperMethods, paperValues, selectSeedsBySite, shareOut, sitesOf, subgraph } from "../../src/seeds/index.ts";
import { graphOf } from "../graph/arbitrary.ts";

/** Two sites: pages 0, 2, 4 on a, 1, 3 on b; 0 leads to all others, 1 to 3. */
const hosts = hostsOf(["http://a/", "http://b/", "http://a/2", "http://b/3", "http://a/4"]);
const graph = graphOf([
  [0, 1],
  [0, 2],
  [0, 3],
  [0, 4],
  [1, 3],
]);

describe("sites", () => {
  it("have their own pages and the links among them", () => {
    const [a, b] = [...sitesOf(graph, hosts)];
    expect([...a.pages]).toEqual([0, 2, 4]);
    expect([...successors(a.graph, 0)]).toEqual([1, 2]);
    expect([...b.pages]).toEqual([1, 3]);
    expect([...successors(b.graph, 0)]).toEqual([1]);
    expect(a.graph.arcs + b.graph.arcs).toBe(3);
  });

  it("can be left out", () => {
    expect([...sitesOf(graph, hosts, (host) => host === 1)].map(({ host }) => host)).toEqual([1]);
  });

  it("a part of a graph keeps the links inside of it", () => {
    const part = subgraph(graph, Uint32Array.of(0, 1, 3));
    expect([0, 1, 2].map((page) => [...successors(part, page)])).toEqual([[1, 2], [2], []]);
  });
});

describe("sharing out", () => {
  const share = (total: number, weights: number[], capacities: number[]) => [
    ...shareOut(total, Float64Array.from(weights), Uint32Array.from(capacities)),
  ];

  it("gives whole parts of the quotas, then to whom most is missing", () => {
    // Quotas 5, 3.5, 1.5: one is left, both lack a half, the greater weight has it.
    expect(share(10, [50, 35, 15], [99, 99, 99])).toEqual([5, 4, 1]);
    expect(share(10, [15, 35, 50], [99, 99, 99])).toEqual([1, 4, 5]);
    // Quotas 0.6, 0.3, 0.1.
    expect(share(1, [6, 3, 1], [9, 9, 9])).toEqual([1, 0, 0]);
  });

  it("gives no site more than fits, and what is left to the others", () => {
    expect(share(10, [98, 1, 1], [3, 9, 9])).toEqual([3, 4, 3]);
    expect(share(6, [1, 0, 0], [2, 2, 2])).toEqual([2, 2, 2]);
  });

  it("shares alike where nothing has weight", () => {
    expect(share(4, [0, 0], [9, 9])).toEqual([2, 2]);
  });
});

describe("seeds by site", () => {
  it("are shared out by value or by PageRank, and chosen inside each site", () => {
    const problem = { graph, count: 2, hops: 1, values: Float64Array.of(1, 1, 1, 1, 1) };
    // Quotas by value: 2 * 3/5 = 1.2 and 0.8.
    const selection = selectSeedsBySite(problem, { method: "maxweight", hosts, importance: "value" });
    expect([...selection.seeds]).toEqual([0, 1]);
    expect(selection.sites).toEqual([
      { name: "a", pages: 3, importance: 0.6, seeds: 1 },
      { name: "b", pages: 2, importance: 0.4, seeds: 1 },
    ]);
    // In the whole graph, where 0 alone reaches everything.
    expect(selection.covered).toEqual({ pages: 5, value: 5 });
    const byRank = selectSeedsBySite(problem, { method: "maxweight", hosts });
    expect(byRank.sites.reduce((sum, { importance }) => sum + importance, 0)).toBeCloseTo(1, 12);
  });

  it("greedy covers no less than the others, site by site too", () => {
    const problem = { graph, count: 2, hops: 1, values: Float64Array.of(-3, 2, 5, 2, 1) };
    const { covered, greedy } = selectSeedsBySite(problem, { method: "greedy", hosts });
    expect(Object.keys(greedy!.compared)).toEqual(["greedy", ...paperMethods]);
    expect(covered.value).toBe(Math.max(...Object.values(greedy!.compared)));
  });

  it("refuses hosts of other pages", () => {
    const others = hostsOf(["http://a/"]);
    expect(() => selectSeedsBySite({ graph, count: 1, hops: 1 }, { method: "greedy", hosts: others })).toThrow(
      /hosts of 1 pages, but the graph has 5/,
    );
  });
});

describe("values by the paper's rule", () => {
  it("are 1; spam -10; clicked 10, set and not added; plus uncrawled links times the chance of a unique page", () => {
    const values = paperValues({
      pages: 5,
      spam: [1, 2],
      clicked: [2, 3],
      uncrawledLinks: Uint32Array.of(4, 4, 4, 0, 0),
      uniqueness: Float64Array.of(0.5, 0.5, 0.25, 1, 1),
    });
    expect([...values]).toEqual([3, -8, 11, 10, 1]);
  });

  it("count every uncrawled link where nothing is known of uniqueness", () => {
    expect([...paperValues({ pages: 2, uncrawledLinks: Uint32Array.of(2, 0) })]).toEqual([3, 1]);
  });

  it("refuse pages that are not there, and facts of other pages", () => {
    expect(() => paperValues({ pages: 2, spam: [2] })).toThrow(/spam page 2 is out of range/);
    expect(() => paperValues({ pages: 2, uncrawledLinks: Uint32Array.of(1) })).toThrow(/1 entries/);
  });
});
