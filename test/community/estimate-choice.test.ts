/**
 * The chooser, computed a second time on full matrices: rows of pages, the stationary vector by elimination, distances
 * by plain sums. Nothing in common with the kernel but the arithmetic.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { chooseEstimate } from "../../src/community/estimate-choice.ts";
import { frontierRank } from "../../src/community/frontier-rank.ts";
import { findGlobalPagerank, GlobalRankEstimator, knownPart, scoresOf } from "../../src/community/index.ts";
import { type Graph, generateGraph, successors } from "../../src/graph/index.ts";
import { pagerank } from "../../src/rank/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { adjacencyOf, denseFrontierRank, denseL1, denseShares, pagerankMatrix, stationary } from "./dense.ts";
import { cases } from "../support/cases.ts";

const PAGES = 11;
const SOLVED = { damping: 0.85, tolerance: 1e-14 };

/** Some pages of a web, the first of them local; some of the others drawn at random. */
const situation = fc
  .record({
    arcs: fc.array(fc.tuple(fc.nat(PAGES - 1), fc.nat(PAGES - 1)), { minLength: 5, maxLength: 60 }),
    members: fc.shuffledSubarray(
      Array.from({ length: PAGES }, (_, page) => page),
      { minLength: 2, maxLength: PAGES - 1 },
    ),
    localPages: fc.integer({ min: 1, max: 3 }),
    drawn: fc.array(fc.boolean(), { minLength: PAGES, maxLength: PAGES }),
  })
  .map(({ arcs, members, localPages, drawn }) => {
    const local = Math.min(localPages, members.length - 1);
    return {
      web: graphOf(arcs, PAGES),
      members,
      localPages: local,
      sample: members.map((_, i) => i).filter((i) => i >= local && drawn[i]),
    };
  });

function denseAlone(web: Graph, members: readonly number[], localPages: number): number[] {
  return denseShares(stationary(pagerankMatrix(adjacencyOf(web, members), 0.85)).slice(0, localPages));
}

/** The web that consists of some pages alone, under the same ids. */
function closed(web: Graph, members: readonly number[]): Graph {
  return graphOf(
    members.flatMap((page) =>
      [...successors(web, page)].filter((to) => members.includes(to)).map((to) => [page, to] as const),
    ),
    web.pages,
  );
}

describe("the rank with the frontier", () => {
  it("is that of the web in which unknown pages lead everywhere, or where the sample leads on average", () => {
    fc.assert(
      fc.property(situation, ({ web, members, localPages, sample }) => {
        const known = knownPart(web, Uint32Array.from(members), localPages);
        const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 11));
        const options = { localPages, alpha: 0.85 };
        expect([...frontierRank(known, SOLVED)]).toEqual(close(denseFrontierRank(web, members, options)));
        const drawn = { ...options, sample: sample.map((i) => members[i]) };
        expect([...frontierRank(known, { ...SOLVED, sample: Uint32Array.from(sample) })]).toEqual(
          close(denseFrontierRank(web, members, drawn)),
        );
      }),
      { numRuns: cases(100) },
    );
  });

  it("is by hand: a page of two that leads out keeps less than in a web where its link does not count", () => {
    // 0 and 1 link to each other, 0 also to 2, which leads everywhere. x2 = 0.05 + 0.425 x0 + 0.85 x2 / 3, and so on:
    // with e = 0.05 + 0.85 x2 / 3, x0 = e + 0.85 x1, x1 = x2 = e + 0.425 x0; so x1 = 1.425 e / 0.63875.
    const known = knownPart(
      graphOf([
        [0, 1],
        [1, 0],
        [0, 2],
      ]),
      Uint32Array.of(0, 1),
      2,
    );
    const [x0, x1] = frontierRank(known, SOLVED);
    const perE = 1.425 / (1 - 0.85 * 0.425);
    expect(x0 / x1).toBeCloseTo((1 + 0.85 * perE) / perE, 12);
  });
});

describe("the choice of an estimate", () => {
  it("is the mixture that is nearest to the known rank, by distances computed a second time", () => {
    fc.assert(
      fc.property(situation, ({ web, members, localPages, sample }) => {
        const known = knownPart(web, Uint32Array.from(members), localPages);
        const { ranks: f } = pagerank(known.graph, { dangling: "uniform", stopping: { tolerance: 1e-14 } });
        const { ranks, choice } = chooseEstimate(known, f, { ...SOLVED, sample: Uint32Array.from(sample) });

        const alone = denseAlone(web, members, localPages);
        const hidden = Math.floor((members.length - localPages) / 2);
        const kept = members.slice(0, members.length - hidden);
        const whole = closed(web, members);
        const drawn = sample.map((i) => members[i]);
        const trial = {
          alone: denseAlone(whole, kept, localPages),
          sampled: denseFrontierRank(whole, kept, {
            localPages,
            alpha: 0.85,
            sample: drawn.filter((page) => kept.includes(page)),
          }),
        };
        const mixed = (a: readonly number[], b: readonly number[], w: number) =>
          a.map((x, i) => (1 - w) * x + w * b[i]);
        const weights = [0, 0.25, 0.5, 0.75, 1];
        const distances = weights.map((w) => denseL1(mixed(trial.alone, trial.sampled, w), alone));
        expect(choice.hidden).toBe(hidden);
        if (hidden > 0) {
          expect(choice.trials).toEqual(weights.map((weight, i) => ({ weight, l1: expect.closeTo(distances[i], 11) })));
          expect(distances[weights.indexOf(choice.weight)]).toBeLessThan(Math.min(...distances) + 1e-11);
        } else expect(choice).toEqual({ weight: 0, hidden: 0, trials: [] });

        const sampled = denseFrontierRank(web, members, { localPages, alpha: 0.85, sample: drawn });
        const expected = mixed(alone, sampled, choice.weight);
        expect([...ranks]).toEqual(expected.map((value) => expect.closeTo(value, 11)));
      }),
      { numRuns: cases(100) },
    );
  });

  it("believes the sample where what came later was like it, and not where it was unlike", () => {
    // 0 leads to twenty pages. The first ten were drawn and lead to 1. So do the others, or they lead back to 0.
    const outside = Array.from({ length: 20 }, (_, i) => 2 + i);
    const weightIf = (others: number): number => {
      const arcs = outside.flatMap((page) => [[0, page] as const, [page, page < 12 ? 1 : others] as const]);
      const known = knownPart(graphOf([...arcs, [1, 0]]), Uint32Array.of(0, 1, ...outside), 2);
      const { ranks } = pagerank(known.graph, { dangling: "uniform" });
      const sample = Uint32Array.from(outside).filter((page) => page < 12);
      const { choice } = chooseEstimate(known, ranks, { ...SOLVED, sample });
      expect(choice.hidden).toBe(10);
      return choice.weight;
    };
    expect(weightIf(1)).toBe(1);
    expect(weightIf(0)).toBe(0);
  });
});

describe("auto", () => {
  const { graph: web, hosts } = generateGraph({ pages: 600, seed: 2 });
  const local = Uint32Array.from(hosts.hostOf.keys()).filter((page) => hosts.hostOf[page] === 1);
  const linksOf = (page: number) => successors(web, page);

  it("draws every second page at random, the others by leaks", () => {
    const estimator = new GlobalRankEstimator(local, linksOf, { select: "auto", seed: 3 });
    const random = new Random(3);
    const members = [...local];
    for (let turn = 0; turn < 8; turn++) {
      const known = knownPart(web, Uint32Array.from(members), local.length);
      const { ranks } = pagerank(known.graph, { dangling: "uniform" });
      const leaks = scoresOf(known, ranks, { score: "leak", damping: 0.85 });
      const place = turn % 2 === 0 ? leaks.indexOf(Math.max(...leaks)) : random.below(known.candidates.length);
      const chosen = estimator.choose(1);
      expect([...chosen]).toEqual([known.candidates[place]]);
      estimator.learn(chosen[0], linksOf(chosen[0]));
      members.push(chosen[0]);
    }
    // Of the eight pages the last four are hidden.
    expect(estimator.estimate().choice?.hidden).toBe(4);
  });

  it("draws nothing more while more than every second page was drawn", () => {
    // Of the three pages that 0 leads to all are drawn; they lead to thirty others.
    const linksFrom = (page: number) =>
      page === 0 ? Uint32Array.of(1, 2, 3) : Uint32Array.from({ length: 10 }, (_, k) => 10 * page + k);
    const estimator = new GlobalRankEstimator(Uint32Array.of(0), linksFrom, { select: "auto" });
    for (const [wanted, count, draws] of [
      [6, 3, 3],
      [1, 1, 0],
      [3, 3, 0],
      [3, 3, 2],
    ]) {
      const chosen = estimator.choose(wanted);
      expect(chosen.length).toBe(count);
      expect(chosen.filter((page) => estimator.isDrawn(page)).length).toBe(draws);
      for (const page of chosen) estimator.learn(page, linksFrom(page));
    }
  });

  it("with a given weight of the sample is between the crawled pages alone and the sample", () => {
    const estimator = new GlobalRankEstimator(local, linksOf, { select: "auto" });
    for (const page of estimator.choose(20)) estimator.learn(page, linksOf(page));
    const { ranks, choice } = estimator.estimate();
    expect(estimator.ranksWith(choice!.weight)).toEqual(ranks);
    const [none, half, whole] = [0, 0.5, 1].map((weight) => estimator.ranksWith(weight));
    expect(none).not.toEqual(whole);
    for (const [i, rank] of half.entries()) expect(rank).toBeCloseTo((none[i] + whole[i]) / 2, 14);
  });

  it("takes the pages that it drew for the sample, and no others", () => {
    const estimator = new GlobalRankEstimator(local, linksOf, { select: "auto", seed: 5, tolerance: 1e-13 });
    const drawn: number[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const [page] = estimator.choose(1);
      estimator.learn(page, linksOf(page));
      if (turn % 2 === 1) drawn.push(page);
    }
    const { crawled } = estimator.estimate();
    const known = knownPart(web, Uint32Array.of(...local, ...crawled), local.length);
    const sample = Uint32Array.from(drawn, (page) => local.length + crawled.indexOf(page));
    expect(denseL1([...estimator.ranksWith(1)], [...frontierRank(known, { ...SOLVED, sample })])).toBeLessThan(1e-10);
  });

  it("depends on its seed, and on nothing else", () => {
    const run = (seed: number) =>
      [...findGlobalPagerank({ web, local, select: "auto", rounds: 5, pagesPerRound: 7, seed })].at(-1)!;
    expect(run(4)).toEqual(run(4));
    expect(run(4).crawled).not.toEqual(run(5).crawled);
  });

  it("finds the truth once all that there is has been crawled", () => {
    const all = [...findGlobalPagerank({ web, local, select: "auto", rounds: 9, pagesPerRound: 600 })].at(-1)!;
    const reached = knownPart(web, Uint32Array.from([...local, ...all.crawled]), local.length);
    expect(reached.candidates.length).toBe(0);
    const truth = pagerank(reached.graph, { dangling: "uniform" }).ranks.slice(0, local.length);
    expect(denseL1([...all.ranks], denseShares([...truth]))).toBeLessThan(1e-8);
  });
});
