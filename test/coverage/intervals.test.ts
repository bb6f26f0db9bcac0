/** Intervals of rank (C2) against the true ranks of the full web, and what is certain by brute force over all pairs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, ledgerOf, MassLedger, RankIntervals, sortByImportance } from "../../src/coverage/index.ts";
import { GraphBuilder } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { truthOf, type World } from "../support/truth.ts";
import { factsInAnyOrder, FactEmitter, world, worldWithoutRedirects } from "../support/worlds.ts";

const ROUNDING = 1e-10;

const crawlOf = (worlds: fc.Arbitrary<World>) =>
  worlds.chain((world) => fc.record({ world: fc.constant(world), facts: factsInAnyOrder(world) }));
type Crawl = ReturnType<typeof crawlOf> extends fc.Arbitrary<infer T> ? T : never;

function intervalsAfter({ world, facts }: Crawl, redirectsPossible: boolean) {
  const emitter = new FactEmitter(world);
  const ledger = emitter.addListener(new MassLedger(emitter.options));
  ledger.grow(world.known);
  for (const fact of facts) emitter.emit(fact);
  const truth = truthOf(world);
  return {
    intervals: new RankIntervals(ledger, certify(ledger), { redirectsPossible }),
    had: [...emitter.had],
    /** URLs with an id and a rank: all but redirects, downloaded or not. */
    ranked: Array.from(world.urls.keys()).filter((id) => id < world.known && world.urls[id].kind !== "redirect"),
    rank: (page: number) => truth.ranks[page] / truth.sum,
    truth,
  };
}

describe.each([
  { where: "anywhere", crawls: crawlOf(world), redirectsPossible: true },
  { where: "where no URL redirects", crawls: crawlOf(worldWithoutRedirects), redirectsPossible: false },
])("rank intervals $where", ({ crawls, redirectsPossible }) => {
  it("hold the true rank of every page, downloaded or not", () => {
    fc.assert(
      fc.property(crawls, (crawl) => {
        const { intervals, ranked, rank } = intervalsAfter(crawl, redirectsPossible);
        for (const page of ranked) {
          const { low, high } = intervals.of(page);
          expect(rank(page)).toBeGreaterThanOrEqual(low - ROUNDING);
          expect(rank(page)).toBeLessThanOrEqual(high + ROUNDING);
        }
      }),
      { numRuns: cases(1000) },
    );
  });

  it("put a page above another only if it is", () => {
    fc.assert(
      fc.property(crawls, (crawl) => {
        const { intervals, ranked, rank } = intervalsAfter(crawl, redirectsPossible);
        for (const a of ranked) {
          for (const b of ranked) {
            if (intervals.isAbove(a, b)) expect(rank(a)).toBeGreaterThan(rank(b) - ROUNDING);
          }
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it("count certain pairs as brute force does", () => {
    fc.assert(
      fc.property(crawls, (crawl) => {
        const { intervals, had } = intervalsAfter(crawl, redirectsPossible);
        const pairs = had.flatMap((a) => had.filter((b) => intervals.isAbove(a, b)));
        expect(intervals.certainPairs()).toBe(pairs.length);
      }),
      { numRuns: cases(500) },
    );
  });

  it("rank downloaded pages by their lower bounds, of which a prefix is the true head of all pages, dead ones too", () => {
    fc.assert(
      fc.property(crawls, (crawl) => {
        const { intervals, had, truth } = intervalsAfter(crawl, redirectsPossible);
        const ranking = Array.from(intervals.ranking());
        expect(ranking.toSorted((a, b) => a - b)).toEqual(had.toSorted((a, b) => a - b));
        const prefix = ranking.slice(0, intervals.certainPrefix());
        for (const [place, page] of prefix.entries()) {
          const above = truth.ranks.filter((rank) => rank > truth.ranks[page] + ROUNDING);
          expect(above.length).toBe(place);
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

/** With trust in page 0. */
function intervalsOf(arcs: readonly (readonly [number, number])[], downloaded: readonly number[]) {
  const builder = new GraphBuilder();
  for (const [from, to] of arcs) builder.add(from, to);
  const ledger = ledgerOf({ graph: builder.finish(), trust: [[0, 1]], downloaded, damping: 0.85 });
  return { ledger, intervals: new RankIntervals(ledger, certify(ledger)) };
}

it("are as narrow as rounding where all is fetched", () => {
  const pages = 20;
  const ring = Array.from({ length: pages }, (_, page) => [page, (page + 1) % pages] as const);
  const { ledger, intervals } = intervalsOf(
    ring,
    ring.map(([page]) => page),
  );
  for (const [page] of ring) {
    const { low, high } = intervals.of(page);
    // A life that starts at page 0 comes to page k with 0.85^k, and again after each round.
    const share = (0.15 * 0.85 ** page) / (1 - 0.85 ** pages);
    expect([low <= share, share <= high]).toEqual([true, true]);
    expect(high - low).toBeLessThan(8 * ledger.rounding);
  }
  expect(intervals.certainPrefix()).toBe(pages);
});

it("count what is open only where it can come by links", () => {
  const { intervals } = intervalsOf(
    [
      [0, 1],
      [0, 2],
    ],
    [0, 1],
  );
  // Page 0 has 0.15, of which a half, damped, comes to page 1 and to page 2 each: 0.06375. If all that is open comes to
  // page 1 it ends there, so that page has 2 of them, and the whole is 0.15 and these.
  expect(intervals.of(1).high).toBeCloseTo((2 * 0.06375) / (0.15 + 2 * 0.06375), 9);
});

it("ranks pages that differ by rounding alone by their ids", () => {
  const pages = Uint32Array.of(0, 1, 2, 3);
  sortByImportance(pages, Float64Array.of(0.3, 0.1 + 0.2, 0.3, 0.30001));
  expect([...pages]).toEqual([3, 0, 1, 2]);
});
