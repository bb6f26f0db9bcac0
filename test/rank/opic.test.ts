import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random, UsageError } from "../../src/base/index.ts";
import { type Graph, generateGraph, GraphBuilder, successors, withoutSelfLinks } from "../../src/graph/index.ts";
import { l1Distance, Opic, type OpicMemory, OPIC_CHOICES, pagerank } from "../../src/rank/index.ts";
import { graphOf } from "../graph/arbitrary.ts";

const MEMORIES: readonly OpicMemory[] = [
  { kind: "all" },
  { kind: "literal" },
  { kind: "fixed", window: 5 },
  { kind: "variable", reads: 4 },
  { kind: "bao", window: 5 },
];

function readFor(opic: Opic, graph: Graph, reads: number): void {
  for (let k = 0; k < reads; k++) {
    const page = opic.next();
    opic.read(page, successors(graph, page));
  }
}

/** Every link of every page goes anywhere with equal chance. */
function uniformWeb(pages: number, degree: number, seed: number): Graph {
  const builder = new GraphBuilder();
  const random = new Random(seed);
  for (let page = 0; page < pages; page++) for (let k = 0; k < degree; k++) builder.add(page, random.below(pages));
  return withoutSelfLinks(builder.finish({ pages }));
}

describe("OPIC by hand", () => {
  it("moves cash, history and clock of two pages as on paper", () => {
    const opic = new Opic({ pages: 2, damping: 0.8, memory: { kind: "literal" }, choice: "cycle" });
    expect(opic.next()).toBe(0);
    // Page 0 hands 0.4 to page 1 and 0.1 to the virtual page, which gives 0.05 to each.
    opic.read(0, Uint32Array.of(1));
    expect(opic.cashOf(0)).toBeCloseTo(0.05, 14);
    expect(opic.cashOf(1)).toBeCloseTo(0.95, 14);
    expect(opic.clock).toBeCloseTo(0.6, 14);
    // H + C is 0.55 and 0.95.
    expect(opic.importance()[0]).toBeCloseTo(0.55 / 1.5, 14);
    // Without links page 1 hands all it has to the virtual page, half of which comes back.
    expect(opic.next()).toBe(1);
    opic.read(1, new Uint32Array(0));
    expect(opic.cashOf(0)).toBeCloseTo(0.525, 14);
    expect(opic.cashOf(1)).toBeCloseTo(0.475, 14);
    expect(opic.clock).toBeCloseTo(2.5, 14);
  });

  it("leaves the first cash out unless the paper's estimate is chosen", () => {
    const opic = new Opic({ pages: 2, damping: 0.8, choice: "cycle" });
    opic.read(0, Uint32Array.of(1));
    // 0.05 came in at page 0, 0.45 at page 1.
    expect(opic.importance()[0]).toBeCloseTo(0.1, 14);
  });

  it("interpolates by BAO", () => {
    const opic = new Opic({ pages: 2, damping: 0.5, memory: { kind: "bao", window: 1 } });
    // 0.5 handed on by page 0: 0.25 to page 1, 0.25 to the virtual page, 0.125 of it to each. The clock is 0.75.
    opic.read(0, Uint32Array.of(1));
    expect(opic.importance()).toEqual(new Float64Array(2));
    // 0.875 handed on, of which 0.375 came in during a clock of 1.625 or more than the window: H = 0.375 / 1.625.
    opic.read(1, new Uint32Array(0));
    expect(opic.importance()).toEqual(Float64Array.of(0, 1));
    // Page 0 has 0.125 + 0.4375 and hands it on: its clock was 0.5 and is 2.5 + 0.5625, g above 1: H = 0.5625 / 2.5625.
    opic.read(0, new Uint32Array(0));
    const [h0, h1] = [0.5625 / 2.5625, 0.375 / 1.625];
    expect(opic.importance()[0]).toBeCloseTo(h0 / (h0 + h1), 12);
  });

  it("keeps no more than the window of a fixed one, and the last reads of a variable one", () => {
    // One page and the virtual one: each read moves the clock by 2, and all cash comes back.
    for (const memory of MEMORIES) {
      const opic = new Opic({ pages: 1, memory });
      for (let k = 0; k < 5000; k++) opic.read(0, new Uint32Array(0));
      expect(opic.importance()[0]).toBe(1);
      expect(opic.clock).toBeCloseTo(10_000, 6);
    }
  });
});

describe("what OPIC converges to", () => {
  it.each(OPIC_CHOICES)("is PageRank, by the choice %s, with error times clock bounded", (choice) => {
    const graph = withoutSelfLinks(generateGraph({ pages: 1000, seed: 3 }).graph);
    const { ranks } = pagerank(graph);
    const opic = new Opic({ pages: graph.pages, choice });
    for (const reads of [5, 20, 80, 320]) {
      readFor(opic, graph, reads * graph.pages - opic.reads);
      // Measured: below 0.3 by GREEDY, 1.6 by the others.
      expect(l1Distance(opic.importance(), ranks) * opic.clock).toBeLessThan(3);
    }
    expect(l1Distance(opic.importance(), ranks)).toBeLessThan(0.01);
  });

  it("is personalised PageRank where trust is given, its virtual page read now and then", () => {
    const graph = withoutSelfLinks(generateGraph({ pages: 500, seed: 4 }).graph);
    const trust = new Float64Array(500);
    trust[3] = 0.5;
    trust[70] = 0.25;
    const normalised = trust.map((weight) => weight / 0.75);
    const { ranks } = pagerank(graph, { trust: normalised });
    const opic = new Opic({ pages: 500, trust });
    readFor(opic, graph, 200_000);
    expect(l1Distance(opic.importance(), ranks)).toBeLessThan(0.01);
    expect(opic.totalCash()).toBeCloseTo(1, 12);
  });

  it("is found by GREEDY to 2% of a uniform web and 10% of one like the real one at 5 reads per page", () => {
    for (const [graph, most] of [
      [uniformWeb(5000, 10, 1), 0.02],
      [withoutSelfLinks(generateGraph({ pages: 5000, seed: 1 }).graph), 0.1],
    ] as const) {
      const opic = new Opic({ pages: graph.pages });
      readFor(opic, graph, 5 * graph.pages);
      expect(l1Distance(opic.importance(), pagerank(graph).ranks)).toBeLessThan(most);
    }
  });
});

describe("a graph that changes", () => {
  it("is followed by BAO with less error than by the static form after one window", () => {
    const before = withoutSelfLinks(generateGraph({ pages: 3000, seed: 1 }).graph);
    const after = withoutSelfLinks(generateGraph({ pages: 3000, seed: 2 }).graph);
    const truth = pagerank(after).ranks;
    const errorOf = (memory: OpicMemory): number => {
      const opic = new Opic({ pages: 3000, memory });
      readFor(opic, before, 30_000);
      const start = opic.clock;
      while (opic.clock < start + 6) readFor(opic, after, 1);
      return l1Distance(opic.importance(), truth);
    };
    const still = errorOf({ kind: "all" });
    expect(errorOf({ kind: "bao", window: 6 })).toBeLessThan(still / 2);
    expect(errorOf({ kind: "variable", reads: 4 })).toBeLessThan(still);
    expect(errorOf({ kind: "fixed", window: 6 })).toBeLessThan(still);
  });

  it("conserves cash through any sequence of reads, new pages and removals, whatever is remembered", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("read"), page: fc.nat(), links: fc.array(fc.nat(), { maxLength: 5 }) }),
      fc.record({ kind: fc.constant("next"), page: fc.nat(), links: fc.array(fc.nat(), { maxLength: 5 }) }),
      fc.record({ kind: fc.constant("add"), page: fc.nat(3), links: fc.constant([]) }),
      fc.record({ kind: fc.constant("remove"), page: fc.nat(), links: fc.constant([]) }),
    );
    const cases = fc.record({
      pages: fc.integer({ min: 1, max: 6 }),
      memory: fc.constantFrom(...MEMORIES),
      choice: fc.constantFrom(...OPIC_CHOICES),
      trusted: fc.option(fc.nat(5)),
      steps: fc.array(step, { maxLength: 80 }),
    });
    fc.assert(
      fc.property(cases, ({ pages, memory, choice, trusted, steps }) => {
        const trust = trusted === null ? undefined : new Float64Array(pages);
        if (trust !== undefined) trust[trusted! % pages] = 1;
        const opic = new Opic({ pages, memory, choice, trust });
        const present = Array.from({ length: pages }, (_, page) => page);
        for (const { kind, page, links } of steps) {
          const chosen = kind === "next" ? opic.next() : present[page % present.length];
          expect(present).toContain(chosen);
          if (kind === "add") for (let k = 0; k < page; k++) present.push(opic.addPages(1));
          else if (kind !== "remove")
            opic.read(chosen, Uint32Array.from(new Set(links.map((link) => link % opic.pages))));
          else if (present.length > 1) {
            opic.removePage(chosen);
            present.splice(present.indexOf(chosen), 1);
          }
          expect(Math.abs(opic.totalCash() - 1)).toBeLessThan(1e-9);
          for (const each of present) expect(opic.cashOf(each)).toBeGreaterThan(-1e-12);
        }
        const total = opic.importance().reduce((sum, each) => sum + each, 0);
        if (total > 0) expect(total).toBeCloseTo(1, 9);
      }),
    );
  });

  it("conserves cash over a million reads, whatever the sum of all that the virtual page has given", () => {
    const ring = graphOf(Array.from({ length: 1000 }, (_, page) => [page, (page + 1) % 1000] as const));
    const opic = new Opic({ pages: 1000, choice: "cycle" });
    readFor(opic, ring, 1_000_000);
    expect(Math.abs(opic.totalCash() - 1)).toBeLessThan(2e-12);
  });

  it("gives a page that comes later its share, and nothing to one that was removed", () => {
    // 0 -> 1 -> 0, then page 2 comes, linked by 1, and page 0 goes.
    const opic = new Opic({ pages: 2, memory: { kind: "bao", window: 20 } });
    for (let k = 0; k < 200; k++)
      readFor(
        opic,
        graphOf([
          [0, 1],
          [1, 0],
        ]),
        1,
      );
    expect(opic.addPages(1)).toBe(2);
    opic.removePage(0);
    const grown = graphOf([
      [1, 0],
      [1, 2],
      [2, 1],
    ]);
    readFor(opic, grown, 2000);
    const [gone, one, two] = opic.importance();
    expect(gone).toBe(0);
    // Each links to the other alone.
    expect(one).toBeCloseTo(0.5, 2);
    expect(two).toBeCloseTo(0.5, 2);
  });
});

describe("bad input", () => {
  it.each<[string, () => unknown]>([
    ["a fixed window of 0", () => new Opic({ pages: 2, memory: { kind: "fixed", window: 0 } })],
    ["a window that is no number", () => new Opic({ pages: 2, memory: { kind: "bao", window: Number.NaN } })],
    ["an endless window", () => new Opic({ pages: 2, memory: { kind: "bao", window: Infinity } })],
    ["a variable window of 0 reads", () => new Opic({ pages: 2, memory: { kind: "variable", reads: 0 } })],
    ["one past the largest", () => new Opic({ pages: 2, memory: { kind: "variable", reads: 1001 } })],
    ["no pages", () => new Opic({ pages: 0 })],
    ["damping of 1", () => new Opic({ pages: 2, damping: 1 })],
    ["trust for other pages", () => new Opic({ pages: 2, trust: Float64Array.of(1) })],
  ])("%s is refused", (_what, make) => {
    expect(make).toThrow(UsageError);
  });
});
