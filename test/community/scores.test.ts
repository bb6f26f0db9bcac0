import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { frontierOf, knownPart, scoresOf } from "../../src/community/index.ts";
import { FlowNorms, RoundedFlowNorms } from "../../src/community/flow-norms.ts";
import { scScores } from "../../src/community/stochastic-complement.ts";
import { type Graph, successors } from "../../src/graph/index.ts";
import { pagerank } from "../../src/rank/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
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
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

/**
 * Algorithm 3 with a table of c values, page by page; pages without links inside F count as leading everywhere.
 * Undefined where two values of the table are equally near.
 */
function literalScores(
  web: Graph,
  {
    members,
    localPages,
    candidates,
    f,
    damping,
    levels,
  }: Pick<Situation, "members" | "localPages" | "damping"> & { candidates: number[]; f: number[]; levels: number },
): (number | undefined)[] {
  const l = members.length;
  const inside = adjacencyOf(web, members);
  const o = members.map((_, k) => inside.reduce((sum, row) => sum + row[k], 0));
  const links = members.map((from) => [...successors(web, from)]);
  const inLinks = inside.map((row) => row.reduce((sum, each) => sum + each, 0));
  const all = inLinks.reduce((sum, each) => sum + each, 0);
  const w = (1 - damping) / (l + 1);
  const z = inLinks.map((count) => (damping * (all === 0 ? 1 / l : count / all) + w) / (1 - w));
  const q = f.reduce((sum, rank, k) => sum + (o[k] === 0 ? rank : 0), 0);
  const y = -(1 - damping + damping * q) / (l * (l + 1));
  const g = candidates.map((j) => {
    const linking = members.map((_, k) => k).filter((k) => links[k].includes(j));
    const qj = linking.reduce((sum, k) => sum + (o[k] === 0 ? f[k] : 0), 0);
    const flow = linking.reduce((sum, k) => sum + f[k] / (o[k] + 1), 0);
    return w + (damping * (q - qj)) / (l + 1) + damping * flow;
  });
  const [least, greatest] = [Math.min(...g), Math.max(...g)];
  const table = Array.from({ length: levels }, (_, i) => least + (i * (greatest - least)) / Math.max(1, levels - 1));
  return candidates.map((j, c) => {
    const byDistance = table.toSorted((a, b) => Math.abs(a - g[c]) - Math.abs(b - g[c]));
    const [nearest, next = Infinity] = byDistance;
    if (nearest !== next && Math.abs(Math.abs(nearest - g[c]) - Math.abs(next - g[c])) < 1e-9) return undefined;
    const h = z.slice(0, localPages).reduce((sum, each) => sum + Math.abs(y + nearest * each), 0);
    return z.slice(0, localPages).reduce((score, each, to) => {
      const x = members.reduce((sum, _, k) => {
        return links[k].includes(j) && o[k] > 0 ? sum - (damping * inside[to][k] * f[k]) / (o[k] * (o[k] + 1)) : sum;
      }, 0);
      return score - Math.abs(y + g[c] * each) + Math.abs(x + y + g[c] * each);
    }, h);
  });
}

function expectRelative(actual: number, expected: number, within = 1e-9): void {
  // A change of 1e-14 of the rank is none: both methods round there.
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(within * Math.abs(expected) + 1e-14);
}

describe("SC scores", () => {
  it("equal one multiplication by the stochastic complement, whatever dangles", () => {
    fc.assert(
      fc.property(situation, ({ web, members, localPages, damping }) => {
        const known = knownPart(web, Uint32Array.from(members), localPages);
        const f = Float64Array.from(stationary(pagerankMatrix(adjacencyOf(web, members), damping)));
        const scores = scScores(known, f, { damping });
        expect([...known.candidates].sort()).toEqual(denseFrontier(web, members).sort());
        for (const [c, j] of known.candidates.entries()) {
          expectRelative(scores[c], denseScore(web, members, localPages, j, damping));
        }
      }),
      { numRuns: cases(500) },
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
      const known = knownPart(web, Uint32Array.of(0, 1, 2, 3), localPages);
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

  it("of the paper's table are those of Algorithm 3 as printed, whatever dangles", () => {
    fc.assert(
      fc.property(situation, fc.constantFrom(1, 2, 5), ({ web, members, localPages, damping }, levels) => {
        const known = knownPart(web, Uint32Array.from(members), localPages);
        const f = stationary(pagerankMatrix(adjacencyOf(web, members), damping));
        const scores = scScores(known, Float64Array.from(f), { damping, levels });
        const expected = literalScores(web, {
          members,
          localPages,
          candidates: [...known.candidates],
          f,
          damping,
          levels,
        });
        for (const [c, score] of expected.entries()) if (score !== undefined) expectRelative(scores[c], score);
      }),
      { numRuns: cases(300) },
    );
  });

  it("of a table with many values are the exact ones if no page dangles", () => {
    const random = new Random(3);
    const pages = 40;
    // A ring, so that every page has a link inside.
    const arcs = Array.from({ length: 160 }, () => [random.below(20), random.below(pages)] as const);
    const ring = Array.from({ length: 20 }, (_, page) => [page, (page + 1) % 20] as const);
    const web = graphOf([...arcs, ...ring], pages);
    const local = Uint32Array.from({ length: 20 }, (_, page) => page);
    const exact = frontierOf({ web, local }).sc;
    const fine = frontierOf({ web, local, levels: 100_001 }).sc;
    expect(exact.length).toBeGreaterThan(10);
    for (let c = 0; c < exact.length; c++) expect(Math.abs(fine[c] - exact[c])).toBeLessThan(1e-6);
  });
});

describe("leak scores", () => {
  it("are what siblings of the candidate in L lose by it: the vector x of SC-SELECT, in sum", () => {
    fc.assert(
      fc.property(situation, ({ web, members, localPages, damping }) => {
        const known = knownPart(web, Uint32Array.from(members), localPages);
        const f = stationary(pagerankMatrix(adjacencyOf(web, members), damping));
        const scores = scoresOf(known, Float64Array.from(f), { score: "leak", damping });
        for (const [c, j] of known.candidates.entries()) {
          // Equation (16): x = alpha times what F f with one link more lacks of F f.
          const inside = adjacencyOf(web, members);
          let lost = 0;
          for (const [k, from] of members.entries()) {
            const links = inside.reduce((sum, row) => sum + row[k], 0);
            if (links === 0 || !successors(web, from).includes(j)) continue;
            for (let to = 0; to < localPages; to++) lost += inside[to][k] * f[k] * (1 / links - 1 / (links + 1));
          }
          expectRelative(scores[c], lost);
        }
      }),
      { numRuns: cases(40) },
    );
  });

  it("are by hand: one of the two known links of a page is in L, which gets a half of its rank, and a third with one more", () => {
    // 0 links to 1 and 3 inside F and to 4 outside; of them only 1 is in L. f[0] * 1 / (2 * 3).
    const web = graphOf([
      [0, 1],
      [1, 0],
      [0, 3],
      [3, 0],
      [0, 4],
    ]);
    const known = knownPart(web, Uint32Array.of(0, 1, 3), 2);
    const scores = scoresOf(known, Float64Array.of(0.5, 0.25, 0.25), { score: "leak", damping: a });
    expect([...scores]).toEqual([expect.closeTo(0.5 / 6, 14)]);
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
      { numRuns: cases(1000) },
    );
  });

  it("are those of the nearest value in the paper's table", () => {
    const exact = new FlowNorms(Uint32Array.of(0, 1, 3), 3, { slope: 0.5, level: 0.1 });
    const rounded = new RoundedFlowNorms(exact, -0.2, { least: 0.1, greatest: 0.5, levels: 5 });
    expect(rounded.at(0.34)).toBeCloseTo(exact.at(-0.2, 0.3), 14);
    // Beyond the ends of the table its last value stands.
    expect(rounded.at(9)).toBeCloseTo(exact.at(-0.2, 0.5), 14);
  });
});
