/**
 * The web of five pages of docs/mathematics.md: every number that the document derives by hand, as the library computes
 * it.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { percentAtLeast } from "../src/base/index.ts";
import { certify, ledgerOf, MassLedger, missingShares, RankIntervals } from "../src/coverage/index.ts";
import { GraphBuilder, GrowingLinks } from "../src/graph/index.ts";
import { pagerank } from "../src/rank/index.ts";

const d = 0.8;
const [H, A, B, U, G] = [0, 1, 2, 3, 4] as const;
const links: readonly (readonly [number, readonly number[]])[] = [
  [H, [A, B]],
  [A, [H, B, U, G]],
];
const document = readFileSync(new URL("../docs/mathematics.md", import.meta.url), "utf8");

function graphOf(rows: readonly (readonly [number, readonly number[]])[]) {
  const builder = new GraphBuilder();
  for (const [page, targets] of rows) for (const target of targets) builder.add(page, target);
  return builder.finish();
}

/** The ledger of the document: H, A and B are had, G is dead, U is not fetched. */
function ledger(more: Partial<Parameters<typeof ledgerOf>[0]> = {}): MassLedger {
  return ledgerOf({
    graph: graphOf(links),
    trust: [[H, 1]],
    downloaded: [H, A, B],
    dead: [G],
    damping: d,
    ...more,
  });
}

/** The certificate is this number, and the document says so. */
function expectCertified(each: MassLedger, expected: number): void {
  const { coverage } = certify(each);
  expect(coverage).toBeCloseTo(expected, 9);
  expect(document).toContain(`| ${percentAtLeast(coverage)} |`);
}

describe("the web of five pages", () => {
  it("has the ranks, flows and certificate of the document", () => {
    const certified = ledger();
    const { coverage, rankInside, flowOpen, flowDead } = certify(certified);
    const ranks = [H, A, B].map((page) => 23 * certified.settled[page]);
    for (const [k, expected] of [5, 2, 2.4].entries()) expect(ranks[k]).toBeCloseTo(expected, 9);
    expect(23 * rankInside).toBeCloseTo(9.4, 9);
    expect(23 * flowOpen).toBeCloseTo(0.4, 9);
    expect(23 * flowDead).toBeCloseTo(0.4, 9);
    expect(23 * certified.rankEnded).toBeCloseTo(2.8, 9);
    expect(coverage).toBeCloseTo(47 / 59, 9);
    expect(document).toContain(`47/59 = ${percentAtLeast(coverage)}`);
  });

  it("lacks what the document says, for the reasons it says", () => {
    const certified = ledger();
    const missing = missingShares(certified, certify(certified));
    expect(missing.map(({ reason }) => reason)).toEqual(["not-fetched", "dead"]);
    expect(missing[0].mass).toBeCloseTo(2 / 11.8, 9);
    expect(missing[1].mass).toBeCloseTo(0.4 / 11.8, 9);
  });

  it("has the intervals of the document, one certain place and two certain pairs", () => {
    const certified = ledger();
    const intervals = new RankIntervals(certified, certify(certified));
    const expected = [
      [H, 5, 5 + (0.4 * 25) / 21, 9.8 + (0.4 * 7) / 3, "5 to 5.48 | 42.37% to 51.03%"],
      [A, 2, 2 + (0.4 * 25) / 18, 9.8 + (0.4 * 7) / 3, "2 to 2.56 | 16.94% to 23.81%"],
      [B, 2.4, 2.8, 10.2, "2.4 to 2.8 | 20.33% to 27.46%"],
    ] as const;
    for (const [page, low, high, whole, written] of expected) {
      expect(intervals.of(page).low).toBeCloseTo(low / 11.8, 9);
      // Q is rounded up by what the sweeps have not finished.
      expect(intervals.of(page).high).toBeGreaterThanOrEqual(high / whole);
      expect(intervals.of(page).high).toBeCloseTo(high / whole, 4);
      expect(document).toContain(`| ${written} |`);
    }
    expect(Array.from(intervals.ranking())).toEqual([H, B, A]);
    expect(intervals.certainPrefix()).toBe(1);
    expect(intervals.certainPairs()).toBe(2);
    expect(intervals.isAbove(H, B)).toBe(true);
    expect(intervals.isAbove(B, A)).toBe(false);
  });

  it("has the bounds of the document push by push, and loses nothing on the way", () => {
    const pushed = ledger();
    const bounds = [H, A, B, G].map((page) => {
      pushed.push(page);
      return pushed.bound();
    });
    const expected = [0.2, 0.28, 0.376 / 0.616, 0.376 / 0.552];
    for (const [k, bound] of expected.entries()) expect(bounds[k]).toBeCloseTo(bound, 9);
    const sum = (values: Iterable<number>) => Array.from(values).reduce((total, value) => total + value, 0);
    expect(pushed.waiting[H]).toBeCloseTo(0.016, 12);
    expect(pushed.waiting[U]).toBeCloseTo(0.016, 12);
    const handedOn = d * (pushed.settled[H] + pushed.settled[A]);
    expect(sum(pushed.waiting) + sum(pushed.settled) - handedOn).toBeCloseTo(0.2, 12);
  });
});

describe("the truth of the web of five pages", () => {
  const trueCoverage = (rows: typeof links): number => {
    const graph = graphOf(rows);
    const trust = new Float64Array(graph.pages);
    trust[H] = 1;
    const { ranks } = pagerank(graph, { damping: d, trust });
    return ranks[H] + ranks[A] + ranks[B];
  };

  it("is the bound itself where the page that was not fetched leads on for ever", () => {
    // Two hundred pages are as good as endless: 0.8^200 is below 1e-19.
    const chain = Array.from({ length: 200 }, (_, k) => [k === 0 ? U : G + k, [G + k + 1]] as const);
    expect(trueCoverage([...links, ...chain])).toBeCloseTo(47 / 59, 9);
  });

  it("is above the bound where that page leads back", () => {
    expect(trueCoverage([...links, [U, [H]]])).toBeCloseTo(47 / 51, 9);
  });
});

describe("other facts about the web of five pages", () => {
  it("a page fetched that leads back", () => {
    const graph = graphOf([...links, [U, [H]]]);
    expectCertified(ledger({ graph, downloaded: [H, A, B, U] }), 49 / 51);
  });

  it("a redirect learnt late", () => {
    const redirected = ledger();
    certify(redirected);
    redirected.redirected(U, H);
    expectCertified(redirected, 9.4 / 9.8);
  });

  it("a page whose links are not all known", () => {
    const table = new GrowingLinks();
    table.set(H, [A, B]);
    table.set(B, []);
    const partly = new MassLedger({ links: table, pages: 5, damping: d });
    partly.trusted(H, 1);
    for (const page of [H, B]) partly.downloaded(page);
    partly.linksUnknown(A);
    expectCertified(partly, 0.36 / 0.68);
  });

  it("trust that is not all seeded", () => {
    expectCertified(ledger({ trust: [[H, 0.75]] }), 7.05 / 14.6);
  });

  it("a page without links that was not fetched", () => {
    expectCertified(ledger({ downloaded: [H, A] }), 7 / 21.4);
  });
});
