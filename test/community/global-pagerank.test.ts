import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import {
  checkSelection,
  distancesBetween,
  findGlobalPagerank,
  type GlobalPagerankInput,
  GlobalRankEstimator,
  restrictedTo,
  runStarts,
  SELECTIONS,
} from "../../src/community/index.ts";
import { generateGraph, successors } from "../../src/graph/index.ts";
import { pagerank } from "../../src/rank/index.ts";
import { arcsOf, graphOf } from "../graph/arbitrary.ts";
import { adjacencyOf, denseFrontierRank, denseScore, denseShares, pagerankMatrix, stationary } from "./dense.ts";

const a = 0.85;

/** Local pages 0 and 1; page 0 leads out to 2, page 1 to 3 and 4; 2 and 4 lead back. */
const SMALL = graphOf([
  [0, 1],
  [1, 0],
  [0, 2],
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 0],
  [4, 5],
  [5, 1],
]);
const LOCAL = Uint32Array.of(0, 1);

function run(change: Partial<GlobalPagerankInput> = {}) {
  const input = { web: SMALL, local: LOCAL, select: "sc" as const, rounds: 3, pagesPerRound: 1, ...change };
  return [...findGlobalPagerank(input)];
}

describe("FINDGLOBALPR", () => {
  it("begins with the local PageRank and answers an estimate after every round", () => {
    const estimates = run();
    expect(estimates.map(({ round }) => round)).toEqual([0, 1, 2, 3]);
    expect(estimates.map(({ crawled }) => crawled.length)).toEqual([0, 1, 2, 3]);
    expect([...estimates[0].ranks]).toEqual([0.5, 0.5].map((rank) => expect.closeTo(rank, 10)));
  });

  it("estimates by the PageRank of what it has, restricted to the local pages, whichever pages were chosen", () => {
    for (const select of SELECTIONS) {
      for (const { crawled, ranks } of run({ select, tolerance: 1e-14 })) {
        const all = stationary(pagerankMatrix(adjacencyOf(SMALL, [...LOCAL, ...crawled]), a));
        const expected = denseShares(all.slice(0, 2));
        expect([...ranks]).toEqual(expected.map((rank) => expect.closeTo(rank, 12)));
      }
    }
  });

  it("crawls by SC what changes the local ranks most, each round anew", () => {
    const { crawled } = run().at(-1)!;
    const members = [...LOCAL];
    for (const page of crawled) {
      const heard = [2, 3, 4, ...(members.includes(4) ? [5] : [])].filter((each) => !members.includes(each));
      const scores = heard.map((each) => denseScore(SMALL, members, 2, each, a));
      expect(heard.indexOf(page)).toBe(scores.indexOf(Math.max(...scores)));
      members.push(page);
    }
  });

  it("crawls by PF and by links what they say: two pages link to 2, then 3 was discovered before 4", () => {
    // f = (1/2, 1/2): PF of 2 is 2 * 0.25, of 3 and 4 each 0.25; links are 2, 1, 1.
    for (const select of ["pf", "outlinks"] as const) {
      expect([...run({ select, rounds: 1, pagesPerRound: 2 }).at(-1)!.crawled]).toEqual([2, 3]);
    }
  });

  it("crawls at random by the seed", () => {
    const orders = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const crawled = run({ select: "random", seed, rounds: 1, pagesPerRound: 2 }).at(-1)!.crawled;
      expect(run({ select: "random", seed, rounds: 1, pagesPerRound: 2 }).at(-1)!.crawled).toEqual(crawled);
      orders.add(crawled.join());
    }
    // Six ordered pairs of 2, 3 and 4.
    expect(orders.size).toBe(6);
  });

  it("ends where nothing is left to crawl, and takes the whole frontier where it is smaller than the count", () => {
    const estimates = run({ rounds: 10, pagesPerRound: 99 });
    expect(estimates.map(({ crawled }) => crawled.length)).toEqual([0, 3, 4]);
  });

  it("finds the truth once all that there is has been crawled", () => {
    const truth = restrictedTo(LOCAL, pagerank(SMALL, { dangling: "uniform" }).ranks);
    const { l1, kendall } = distancesBetween(run({ rounds: 10, pagesPerRound: 9 }).at(-1)!.ranks, truth);
    expect(l1).toBeLessThan(1e-9);
    expect(kendall).toBe(1);
  });

  it("reads no row of a page that it has not crawled", () => {
    const { graph, hosts } = generateGraph({ pages: 400, seed: 3 });
    const local = Uint32Array.from(hosts.hostOf.keys()).filter((page) => hosts.hostOf[page] === 1);
    const input = { web: graph, local, select: "sc" as const, rounds: 4, pagesPerRound: 5 };
    const whole = [...findGlobalPagerank(input)].at(-1)!;
    const had = new Set([...local, ...whole.crawled]);
    const arcs = [...Array(graph.pages).keys()].flatMap((page) =>
      had.has(page)
        ? Array.from(graph.targets.subarray(graph.offsets[page], graph.offsets[page + 1]), (to) => [page, to] as const)
        : [],
    );
    // The last pages crawled are read in the end only; all choices are the same.
    const cut = [...findGlobalPagerank({ ...input, web: graphOf(arcs, graph.pages) })].at(-1)!;
    expect(whole.crawled.length).toBe(20);
    expect(cut).toEqual(whole);
  });

  it("gives the ranks of a cold start, whatever it crawls", () => {
    const web = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 50 }).map((arcs) => graphOf(arcs, 12));
    fc.assert(
      fc.property(
        web,
        fc.constantFrom(...SELECTIONS),
        fc.integer({ min: 1, max: 4 }),
        (graph, select, pagesPerRound) => {
          const local = Uint32Array.of(0, 3, 5);
          for (const { crawled, ranks } of run({
            web: graph,
            local,
            select,
            pagesPerRound,
            tolerance: 1e-14,
          })) {
            const all = stationary(pagerankMatrix(adjacencyOf(graph, [...local, ...crawled]), a));
            expect([...ranks]).toEqual(denseShares(all.slice(0, 3)).map((rank) => expect.closeTo(rank, 11)));
            expect(new Set([...local, ...crawled]).size).toBe(3 + crawled.length);
          }
        },
      ),
    );
  });

  it("refuses what is no question", () => {
    expect(() => run({ local: Uint32Array.of() })).toThrow(/the local domain is empty/);
    expect(() => run({ local: Uint32Array.of(0, 1, 2, 3, 4, 5) })).toThrow(/is the whole web \(6 pages\)/);
    expect(() => run({ local: Uint32Array.of(0, 6) })).toThrow(/page 6 is out of range/);
    expect(() => run({ rounds: 0 })).toThrow(/got 0 rounds/);
    expect(() => run({ pagesPerRound: 0 })).toThrow(/got 0 pages per round/);
    expect(() => run({ levels: 0 })).toThrow(/got 0 values/);
    expect(() => run({ damping: 1 })).toThrow(UsageError);
    expect(() => checkSelection("cs")).toThrow(
      /unknown selection method "cs".*Methods are: sc, pf, outlinks, leak, random, auto/,
    );
  });
});

describe("FINDGLOBALPR step by step", () => {
  const linksOf = (page: number) => successors(SMALL, page);

  it("gives the estimates of the whole loop, whoever fetches the pages", () => {
    for (const select of [...SELECTIONS, "auto"] as const) {
      const expected = run({ select, rounds: 2, pagesPerRound: 2 });
      const estimator = new GlobalRankEstimator(LOCAL, linksOf, { select });
      for (const { crawled, ranks } of expected) {
        expect(estimator.estimate()).toMatchObject({ crawled, ranks });
        for (const page of estimator.choose(2)) estimator.learn(page, linksOf(page));
      }
    }
  });

  it("takes links in any order, repeated ones once, and pages of any number", () => {
    // The same web, with page p numbered 1000 - 7p.
    const other = (page: number) => 1000 - 7 * page;
    const estimator = new GlobalRankEstimator(
      LOCAL.map(other),
      (page) => Uint32Array.from([...linksOf((1000 - page) / 7), ...linksOf((1000 - page) / 7)], other),
      { select: "sc" },
    );
    estimator.learn(other(2), Uint32Array.of(other(0), other(2)));
    const plain = new GlobalRankEstimator(LOCAL, linksOf, { select: "sc" });
    plain.learn(2, linksOf(2));
    expect(estimator.estimate().ranks).toEqual(plain.estimate().ranks);
    expect([...estimator.choose(9)]).toEqual([...plain.choose(9)].map(other));
  });

  it("never chooses a page that was dismissed, and goes on as if nothing linked to it", () => {
    const without = graphOf(arcsOf(SMALL).filter(([, to]) => to !== 2));
    for (const fullDegrees of [false, true]) {
      const estimator = new GlobalRankEstimator(LOCAL, linksOf, { select: "outlinks", fullDegrees });
      estimator.dismiss(2);
      expect([...estimator.choose(9)]).toEqual([3, 4]);
      const other = new GlobalRankEstimator(LOCAL, (page) => successors(without, page), { select: "sc", fullDegrees });
      expect(estimator.estimate().ranks).toEqual(other.estimate().ranks);
    }
  });

  it("counts all links of a page if full out-degrees are asked for", () => {
    const expected = denseFrontierRank(SMALL, [0, 1, 4], { localPages: 2, alpha: a });
    const estimator = new GlobalRankEstimator(LOCAL, linksOf, { select: "sc", fullDegrees: true, tolerance: 1e-14 });
    estimator.learn(4, linksOf(4));
    expect([...estimator.estimate().ranks]).toEqual(expected.map((rank) => expect.closeTo(rank, 12)));
  });

  it("refuses what auto decides by itself", () => {
    expect(() => run({ select: "auto", fullDegrees: true })).toThrow(/leave out full out-degrees/);
  });
});

describe("runs of ids", () => {
  it("are cut where few short links cross", () => {
    // Two rings of four pages, with three links between them: the cut stands where three may cross, not where two may.
    const ring = (first: number) => [0, 1, 2, 3].map((i) => [first + i, first + ((i + 1) % 4)] as const);
    const between = [
      [0, 4],
      [5, 1],
      [3, 7],
    ] as const;
    const web = graphOf([...ring(0), ...ring(4), ...between]);
    expect([...runStarts(web, { few: 3 })]).toContain(4);
    expect([...runStarts(web, { few: 2 })]).not.toContain(4);
    // Links over four ids or more do not count: these three are.
    expect([...runStarts(web, { span: 4, few: 0 })]).toContain(4);
  });

  it("begin at every page that no link passes", () => {
    expect([...runStarts(graphOf([[1, 3]], 6), { few: 0 })]).toEqual([0, 1, 4, 5]);
  });
});

describe("distances", () => {
  it("are L1, the greatest difference, and tau-a", () => {
    const distances = distancesBetween(Float64Array.of(0.5, 0.3, 0.2), Float64Array.of(0.4, 0.2, 0.4));
    // Pairs: (0,1) agree, (0,2) tied in the truth, (1,2) disagree.
    expect(distances).toEqual({ l1: expect.closeTo(0.4, 12), linf: expect.closeTo(0.2, 12), kendall: 0 });
  });

  it("treat ranks that differ only by rounding as equal: no pair agrees or disagrees", () => {
    const noisy = Float64Array.of(0.25, 0.25 + 1e-13, 0.5 - 1e-13);
    expect(distancesBetween(noisy, noisy).kendall).toBeCloseTo(2 / 3, 12);
  });
});
