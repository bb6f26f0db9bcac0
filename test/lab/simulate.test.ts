import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/base/index.ts";
import { certify, ledgerOf } from "../../src/coverage/index.ts";
import { type Graph, generateGraph, linksOf } from "../../src/graph/index.ts";
import { LEVELS, simulate, type SimulationInput, trueRanks } from "../../src/lab/index.ts";
import { createOrder } from "../../src/order/index.ts";
import { graphOf } from "../graph/arbitrary.ts";

/** A clock that moves on by one second each time somebody looks at it. */
function tickingClock(): Clock {
  let now = 0;
  return { nowMs: () => (now += 1000) };
}

function input(graph: Graph, more: Partial<SimulationInput>): SimulationInput {
  return {
    graph,
    selfLinks: 0,
    trust: [[0, 1]],
    damping: 0.5,
    orders: ["rankmass"],
    clock: tickingClock(),
    ...more,
  };
}

const small = generateGraph({ pages: 200, seed: 3 }).graph;
const seeds = [5, 17, 100, 150].map((page) => [page, 0.25] as const);
const reference = { trust: seeds, damping: 0.85 };

/** The pages that an order downloads, one after the other. */
function crawlOf(order: string): number[] {
  const context = { links: linksOf(small), pages: small.pages, damping: 0.85 };
  const each = createOrder(order, { ...context, trueRanks: trueRanks(small, seeds, 0.85) });
  for (const [page, weight] of seeds) each.trusted(page, weight);
  const pages: number[] = [];
  for (let page = each.next(); page >= 0; page = each.next()) {
    each.downloaded(page);
    pages.push(page);
  }
  return pages;
}

function certifiedOf(pages: readonly number[]): number {
  return certify(ledgerOf({ graph: small, trust: seeds, downloaded: pages, damping: 0.85 })).coverage;
}

describe("simulate", () => {
  it("follows a chain of three pages as worked out by hand", () => {
    // d = 1/2, all trust on 0. Unnormalised ranks: 1/2, 1/4, 1/8; the last page has no links, so their sum 7/8 is the
    // whole. Certified after one download: R = 1/2, nothing ends, 1/2. After two: 3/4. After three everything is
    // covered.
    const chain = graphOf(
      [
        [0, 1],
        [1, 2],
      ],
      3,
    );
    const [run] = simulate(input(chain, {})).runs;
    expect(run.curve.map(([downloads]) => downloads)).toEqual([1, 2, 3]);
    for (const [index, actual] of [4 / 7, 6 / 7, 1].entries()) expect(run.curve[index][1]).toBeCloseTo(actual, 11);
    for (const [index, certified] of [1 / 2, 3 / 4, 1].entries()) {
      expect(run.curve[index][3]).toBeCloseTo(certified, 9);
    }
    expect(run.certified).toEqual({
      "0.5": 2,
      "0.8": 3,
      "0.9": 3,
      "0.95": 3,
      "0.98": 3,
      "0.99": 3,
      "0.999": 3,
    });
    expect(run.actual).toEqual({
      "0.5": 1,
      "0.8": 2,
      "0.9": 3,
      "0.95": 3,
      "0.98": 3,
      "0.99": 3,
      "0.999": 3,
    });
    expect(run.final.certified).toBe(1);
    expect(run.pushes).toBe(2);
  });

  it.each(["rankmass", "fpr", "lneighbor", "windowed:10", "rankmass:literal", "random:2", "optimal"])(
    "finds the first download at which %s is certified, as trying every prefix does",
    (order) => {
      const [run] = simulate(input(small, { ...reference, orders: [order] })).runs;
      const pages = crawlOf(order);
      expect(run.downloads).toBe(pages.length);
      const certified = pages.map((_, k) => certifiedOf(pages.slice(0, k + 1)));
      for (const level of LEVELS) {
        const first = certified.findIndex((value) => value >= level) + 1;
        expect(run.certified[`${level}`]).toBe(first === 0 ? undefined : first);
      }
      for (const [downloads, actual, guaranteed, value] of run.curve) {
        expect(value).toBeLessThanOrEqual(certified[downloads - 1] + 1e-12);
        expect(value).toBeGreaterThan(certified[downloads - 1] - 2e-3 * (1 - certified[downloads - 1]) - 1e-9);
        expect(value).toBeLessThanOrEqual(actual + 1e-9);
        expect(guaranteed ?? 0).toBeLessThanOrEqual(actual + 1e-9);
      }
    },
  );

  it("finds the first download at which levels of value are certified, as trying every prefix does", () => {
    const values = Float64Array.from({ length: small.pages }, (_, page) => (page % 3) / 2);
    const pages = crawlOf("rankmass");
    const valued = pages.map((_, k) => {
      const ledger = ledgerOf({ graph: small, trust: seeds, downloaded: [], damping: 0.85 });
      for (const [page, value] of values.entries()) ledger.valued(page, value);
      for (const page of pages.slice(0, k + 1)) ledger.downloaded(page);
      return certify(ledger).valued ?? Number.NaN;
    });
    const [run] = simulate(input(small, { ...reference, values })).runs;
    for (const level of LEVELS) {
      const first = valued.findIndex((value) => value >= level) + 1;
      expect(run.valued?.[`${level}`]).toBe(first === 0 ? undefined : first);
    }
    expect(run.final.valued).toBeCloseTo(valued.at(-1) ?? Number.NaN, 9);
    const [short] = simulate(input(small, { ...reference, values, coverage: 0.7 })).runs;
    expect(short.final.valued).toBeCloseTo(valued[short.downloads - 1], 9);
  });

  it("counts value that is truly covered: by hand on the chain, where the second page alone has a value", () => {
    const chain = graphOf([
      [0, 1],
      [1, 2],
    ]);
    const values = Float64Array.of(0, 0.5, 0);
    const [run, short] = [{}, { maxPages: 1 }].map((limits) => simulate(input(chain, { values, ...limits })).runs[0]);
    expect(new Set(Object.values(run.actualValued ?? {}))).toEqual(new Set([2]));
    expect([run.final.actualValued, short.final.actualValued]).toEqual([1, 0]);
    const none = simulate(input(chain, { values: new Float64Array(3) })).runs[0];
    expect([none.actualValued, none.final.actualValued]).toEqual([{}, 0]);
    expect(simulate(input(chain, {})).runs[0]).not.toHaveProperty("actualValued");
  });

  it("tells an order the values of the pages that it downloads, and no others", () => {
    // Both sections of a front page are alike; the first has no value, so the articles of the second come first.
    const graph = graphOf([
      [0, 1],
      [0, 2],
      ...[3, 4, 5].map((article) => [1, article] as [number, number]),
      ...[6, 7, 8].map((article) => [2, article] as [number, number]),
    ]);
    const web = { trust: [[0, 1]] as const, orders: ["rankmass", "rankmass:valued"] };
    const values = Float64Array.of(0.5, 0, 1, 0, 0, 0, 1, 1, 1);
    const [plain, valued] = simulate(input(graph, { ...web, values })).runs;
    expect([plain.actualValued?.["0.99"], valued.actualValued?.["0.99"]]).toEqual([9, 6]);
  });

  it("takes one value from 0 to 1 per page", () => {
    const simulateWith = (values: Float64Array) => () => simulate(input(small, { ...reference, values }));
    expect(simulateWith(new Float64Array(3))).toThrow("3 values for 200 pages");
    expect(simulateWith(new Float64Array(200).fill(2, 7, 8))).toThrow("the value of page 7 is 2, expected");
  });

  it("certifies exactly the pages downloaded when a goal is reached, also where higher levels follow at once", () => {
    for (const order of ["rankmass", "lneighbor", "random:1", "random:2", "random:3"]) {
      for (const coverage of [0.3, 0.5, 0.7, 0.8, 0.9, 0.93, 0.95]) {
        const [run] = simulate(input(small, { ...reference, orders: [order], coverage })).runs;
        const pages = crawlOf(order).slice(0, run.downloads);
        expect(run.final.certified).toBeCloseTo(certifiedOf(pages), 11);
        expect(certifiedOf(pages.slice(0, -1))).toBeLessThan(coverage);
      }
    }
  });

  it("stops at the very download where the wanted coverage is certified", () => {
    const [whole] = simulate(input(small, { ...reference })).runs;
    const [run] = simulate(input(small, { ...reference, coverage: 0.9 })).runs;
    expect(run.downloads).toBe(whole.certified["0.9"]);
    expect(run.final.certified).toBeGreaterThanOrEqual(0.9);
    expect(run.curve.at(-1)![0]).toBe(run.downloads);
    expect(run.pushes).toBeLessThan(whole.pushes);
    for (const reached of [run.actual, run.guaranteed, run.certified]) {
      for (const downloads of Object.values(reached)) expect(downloads).toBeLessThanOrEqual(run.downloads);
    }
  });

  it("stops at the page limit, or where the order's own guarantee is reached", () => {
    expect(simulate(input(small, { ...reference, maxPages: 37 })).runs[0].downloads).toBe(37);
    const [whole] = simulate(input(small, { ...reference })).runs;
    const [run] = simulate(input(small, { ...reference, guarantee: 0.8 })).runs;
    expect(run.downloads).toBe(whole.guaranteed["0.8"]);
  });

  it("counts trust that is not seeded as lying outside the graph", () => {
    const half = simulate(input(small, { damping: 0.85, trust: [[5, 0.5]] })).runs[0];
    expect(half.final.certified).toBeLessThan(0.5 + 1e-9);
    expect(half.final.actual).toBeLessThan(0.5 + 1e-9);
    expect(half.final.certified).toBeCloseTo(half.final.actual, 8);
  });

  it("does not depend on the order in which trusted pages are named", () => {
    const there = simulate(input(small, { ...reference, orders: ["fpr"] })).runs[0];
    const back = simulate(input(small, { ...reference, trust: seeds.toReversed(), orders: ["fpr"] })).runs[0];
    expect(back.curve).toEqual(there.curve);
  });

  it("samples all orders at the same downloads, and counts only the time between looks at the clock", () => {
    const [a, b] = simulate(input(small, { ...reference, orders: ["fpr", "opic"] })).runs;
    expect(a.curve.map(([n]) => n)).toEqual(b.curve.map(([n]) => n));
    // One second for seeding, one for each stretch of the curve.
    expect(a.seconds).toBeCloseTo(1 + a.curve.length, 9);
    expect(a.cost.map(([n]) => n)).toEqual(a.curve.map(([n]) => n));
  });

  it("names what is wrong before it does any work", () => {
    expect(() => simulate(input(small, { ...reference, orders: ["fpr", "rankmas"] }))).toThrow(/Did you mean rankmass/);
    expect(() => simulate(input(small, { ...reference, orders: ["fpr@2"] }))).toThrow(/needs the host/);
  });
});

describe("sampled levels", () => {
  const web = generateGraph({ pages: 3000, seed: 4 }).graph;
  const trust = Array.from({ length: 20 }, (_, k) => [k, 0.05] as const);
  const sampling = { confidence: 0.99, seed: 7 };
  const simulated = (more: Partial<SimulationInput> = {}) =>
    simulate(input(web, { trust, damping: 0.85, sampling, ...more }));

  it("are claimed after the truth and, at the latest, with the proof", () => {
    const [{ actual, sampled = {}, certified }] = simulated().runs;
    let earlier = 0;
    for (const level of LEVELS.map((each) => `${each}` as const)) {
      const fetched = sampled[level] ?? 0;
      expect(fetched, level).toBeGreaterThanOrEqual(actual[level] ?? 0);
      // Walks that came too early may have cost a few dozen pages more than they saved.
      expect(fetched, level).toBeLessThan(1.1 * (certified[level] ?? 0) + 64);
      if (fetched < 0.9 * (certified[level] ?? 0)) earlier++;
    }
    expect(earlier).toBeGreaterThan(1);
  });

  it("depend on the seed, and on nothing else", () => {
    const of = (seed: number) => simulated({ sampling: { ...sampling, seed }, coverage: 0.9 }).runs[0].sampled;
    expect(of(7)).toEqual(of(7));
    expect(of(8)).not.toEqual(of(7));
  });

  it("go no further than the goal of the run, and are only there if a confidence is given", () => {
    const { runs, sampling: told } = simulated({ coverage: 0.8 });
    expect(Object.keys(runs[0].sampled ?? {})).toEqual(["0.5", "0.8"]);
    expect(told).toEqual(sampling);
    const plain = simulated({ coverage: 0.8, sampling: undefined });
    expect(plain).not.toHaveProperty("sampling");
    expect(plain.runs[0]).not.toHaveProperty("sampled");
    // Sampling changes nothing else.
    expect(plain.runs[0].certified).toEqual(runs[0].certified);
  });
});
