import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { frontierOf, KnownWebReader, scScores } from "../../src/community/index.ts";
import { FlowNorms, RoundedFlowNorms } from "../../src/community/flow-norms.ts";
import { pagerank } from "../../src/rank/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { adjacencyOf, denseFrontier, denseScore, pagerankMatrix, stationary } from "./dense.ts";

const a = 0.85;
const PAGES = 9;

/** A web of at most nine pages, some of it had, the first of that local. */
const situation = fc
  .record({
    arcs: fc.array(fc.tuple(fc.nat(PAGES - 1), fc.nat(PAGES - 1)), { maxLength: 40 }),
    members: fc.shuffledSubarray(
      Array.from({ length: PAGES }, (_, page) => page),
      { minLength: 1, maxLength: PAGES - 1 },
    ),
    localShare: fc.double({ min: 0, max: 1, noNaN: true }),
    damping: fc.constantFrom(0.1, 0.5, 0.85, 0.99),
  })
  .map(({ arcs, members, localShare, damping }) => ({
    web: graphOf(arcs, PAGES),
    members,
    localPages: Math.max(1, Math.round(localShare * members.length)),
    damping,
  }));

function expectRelative(actual: number, expected: number, within = 1e-9): void {
  // A change of 1e-14 of the rank is none: both methods round there.
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(within * Math.abs(expected) + 1e-14);
}

describe("SC scores", () => {
  it("equal one multiplication by the stochastic complement, whatever dangles", () => {
    fc.assert(
      fc.property(situation, ({ web, members, localPages, damping }) => {
        const known = new KnownWebReader(web).read(Uint32Array.from(members), localPages);
        const f = Float64Array.from(stationary(pagerankMatrix(adjacencyOf(web, members), damping)));
        const scores = scScores(known, f, { damping });
        expect([...known.candidates].sort()).toEqual(denseFrontier(web, members).sort());
        for (const [c, j] of known.candidates.entries()) {
          expectRelative(scores[c], denseScore(web, members, localPages, j, damping));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("equal it on larger webs too, from our own PageRank", () => {
    const random = new Random(7);
    const pages = 60;
    const arcs = Array.from({ length: 240 }, () => {
      const source = random.below(pages);
      return [source, Math.floor(random.float() ** 2 * pages)] as const;
    }).filter(([source]) => source % 5 !== 0 || source === 0);
    const web = graphOf(arcs, pages);
    const local = Uint32Array.from({ length: 30 }, (_, i) => 2 * i);
    const { pages: frontier, sc } = frontierOf({ web, local });
    expect(frontier.length).toBeGreaterThan(10);
    for (const [c, j] of frontier.entries()) expectRelative(sc[c], denseScore(web, [...local], local.length, j, a));
  });

  it("are by hand on two local pages that link to each other, one of them to the candidate", () => {
    // f = (1/2, 1/2), l = 2, o = (1, 1), s = (1/2, 1/2), w = 0.05, z = (0.425 + 0.05) / 0.95 = 1/2 each.
    // g = 0.05 + 0.85 * 0.5/2 = 0.2625; y = -0.15/6 = -0.025; x[1] = -0.85 * 0.5/(1*2) = -0.2125.
    // |−0.025 + 0.13125| + |−0.2125 − 0.025 + 0.13125| = 0.10625 + 0.10625.
    const { sc, pf, outlinks, pages } = frontierOf({
      web: graphOf([
        [0, 1],
        [1, 0],
        [0, 2],
      ]),
      local: Uint32Array.of(0, 1),
    });
    expect([...pages]).toEqual([2]);
    expect(sc[0]).toBeCloseTo(0.2125, 14);
    expect(pf[0]).toBeCloseTo(0.25, 14);
    expect([...outlinks]).toEqual([1]);
  });

  it("are by hand on a local page whose only link leaves: it dangles in F, and leads to the candidate alone with it", () => {
    // 0 links to 1 inside; 1 links to the candidate only. l = 2, s = (0, 1) by in-links, w = 0.05. f0 = 0.075 + 0.425
    // f1, f0 + f1 = 1: f1 = 0.925/1.425, f0 = 0.5/1.425; q = q_j = f1. g = 0.05 + 0.85 f1; y = -(0.15 + 0.85 f1)/6 -
    // 0.85 f1/3; z = (0.05, 0.9)/0.95; x = 0: page 1 has no link inside.
    const f1 = 0.925 / 1.425;
    const g = 0.05 + 0.85 * f1;
    const y = -(0.15 + 0.85 * f1) / 6 - (0.85 * f1) / 3;
    const expected = Math.abs(y + (g * 0.05) / 0.95) + Math.abs(y + (g * 0.9) / 0.95);
    const { sc, pf } = frontierOf({
      web: graphOf([
        [0, 1],
        [1, 2],
      ]),
      local: Uint32Array.of(0, 1),
    });
    expect(sc[0]).toBeCloseTo(expected, 14);
    expect(pf[0]).toBeCloseTo(f1, 14);
  });

  it("take a uniform estimate where F has no links: nothing changes for a page alone", () => {
    // S is 1 x 1 and stochastic, so S f = f = 1.
    const { sc } = frontierOf({ web: graphOf([[0, 1]]), local: Uint32Array.of(0) });
    expect(sc[0]).toBeCloseTo(0, 14);
  });

  it("count local pages only: what changes elsewhere in F is no influence", () => {
    const web = graphOf([
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 1],
      [2, 3],
      [3, 2],
      [3, 4],
      [1, 4],
    ]);
    const score = (localPages: number) => {
      const known = new KnownWebReader(web).read(Uint32Array.of(0, 1, 2, 3), localPages);
      const { ranks } = pagerank(known.graph, { dangling: "uniform", stopping: { tolerance: 1e-15 } });
      return scScores(known, ranks, { damping: a })[0];
    };
    expect(score(2)).toBeLessThan(score(4));
    expectRelative(score(2), denseScore(web, [0, 1, 2, 3], 2, 4, a));
  });

  it("ignore self links, and count parallel ones once", () => {
    const plain = frontierOf({
      web: graphOf([
        [0, 1],
        [1, 0],
        [0, 2],
      ]),
      local: Uint32Array.of(0, 1),
    });
    const noisy = frontierOf({
      web: graphOf([
        [0, 0],
        [0, 1],
        [1, 0],
        [0, 2],
        [0, 2],
      ]),
      local: Uint32Array.of(0, 1),
    });
    expect(noisy).toEqual(plain);
  });

  it("of the discretised form are the exact ones where there are values enough, and near them where there are some", () => {
    fc.assert(
      fc.property(situation, ({ web, members, localPages, damping }) => {
        const known = new KnownWebReader(web).read(Uint32Array.from(members), localPages);
        const f = Float64Array.from(stationary(pagerankMatrix(adjacencyOf(web, members), damping)));
        const exact = scScores(known, f, { damping });
        const fine = scScores(known, f, { damping, levels: 100_001 });
        const one = scScores(known, f, { damping, levels: 1 });
        for (let c = 0; c < exact.length; c++) {
          expect(Math.abs(fine[c] - exact[c])).toBeLessThan(1e-5);
          expect(one[c]).not.toBeNaN();
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("sums of magnitudes", () => {
  const drawn = fc.record({
    inDegrees: fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
    y: fc.double({ min: -2, max: -1e-3, noNaN: true }),
    g: fc.double({ min: 1e-3, max: 2, noNaN: true }),
    slope: fc.constantFrom(0, 0.1, 0.7),
    level: fc.double({ min: 0.01, max: 1, noNaN: true }),
  });

  it("are those of the terms, whichever of them are negative", () => {
    fc.assert(
      fc.property(drawn, ({ inDegrees, y, g, slope, level }) => {
        const norms = new FlowNorms(Uint32Array.from(inDegrees), inDegrees.length, { slope, level });
        const plain = inDegrees.reduce((sum, d) => sum + Math.abs(y + g * (slope * d + level)), 0);
        expect(norms.at(y, g)).toBeCloseTo(plain, 12);
      }),
      { numRuns: 1000 },
    );
  });

  it("are those of the nearest value in the paper's table, also for another y", () => {
    const exact = new FlowNorms(Uint32Array.of(0, 1, 3), 3, { slope: 0.5, level: 0.1 });
    const rounded = new RoundedFlowNorms(exact, -0.2, { least: 0.1, greatest: 0.5, levels: 5 });
    expect(rounded.at(-0.2, 0.34)).toBeCloseTo(exact.at(-0.2, 0.3), 14);
    // h(2y, 2g) = 2 h(y, g)
    expect(rounded.at(-0.4, 0.68)).toBeCloseTo(2 * exact.at(-0.2, 0.3), 14);
    // Beyond the ends of the table its last value stands.
    expect(rounded.at(-0.2, 9)).toBeCloseTo(exact.at(-0.2, 0.5), 14);
  });
});
