/**
 * What intervals are made of, against another method: a life is followed forwards from its page, step by step, and its
 * visits are counted by what they are. The kernels solve backwards, from below, or stop early.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, isDownloaded, ledgerOf, MassLedger, PageState, RankIntervals } from "../../src/coverage/index.ts";
import { knownRanking, plainFactors, returnFactors } from "../../src/coverage/interval-bounds.ts";
import { NO_ROW } from "../../src/coverage/known-links.ts";
import { knownLives } from "../../src/coverage/lives.ts";
import { returnsAtMost } from "../../src/coverage/returns.ts";
import { copiedRow, generateGraph, withoutSelfLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { completed } from "../support/completions.ts";
import { truthOf } from "../support/truth.ts";
import { factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";

/** Counts of a life at a page by known links, until it ends or is in the unknown. */
interface Life {
  readonly returns: number;
  readonly inside: number;
  readonly dead: number;
  readonly open: number;
  readonly unknown: number;
}

function follow(ledger: MassLedger, origin: number, least = 1e-13): Life {
  const { damping, state, links } = ledger;
  const life = { returns: 0, inside: 0, dead: 0, open: 0, unknown: 0 };
  let weights = new Map([[origin, 1]]);
  for (let left = 1; left > least; ) {
    const next = new Map<number, number>();
    for (const [page, weight] of weights) {
      if (page === origin) life.returns += weight;
      if (state[page] === PageState.Dead) life.dead += weight;
      else if (!isDownloaded(state[page])) life.open += weight;
      else {
        life.inside += weight;
        if (state[page] === PageState.LinksUnknown) life.unknown += weight;
        else {
          const row = copiedRow(links, page);
          for (const target of row) {
            const end = ledger.resolve(target);
            next.set(end, (next.get(end) ?? 0) + (damping * weight) / row.length);
          }
        }
      }
    }
    weights = next;
    left = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  }
  return life;
}

const crawl = world.chain((world) => fc.record({ world: fc.constant(world), facts: factsInAnyOrder(world) }));

function ledgerAfter({ world, facts }: typeof crawl extends fc.Arbitrary<infer T> ? T : never) {
  const emitter = new FactEmitter(world);
  const ledger = emitter.addListener(new MassLedger(emitter.options));
  ledger.grow(world.known);
  for (const fact of facts) emitter.emit(fact);
  certify(ledger);
  return { emitter, ledger };
}

describe("what is certain of a life by known links", () => {
  it("is at most what following it forwards gives, and too low by no more than is said", () => {
    fc.assert(
      fc.property(crawl, fc.boolean(), (crawl, redirectsPossible) => {
        const { emitter, ledger } = ledgerAfter(crawl);
        const d = ledger.damping;
        const lives = knownLives(ledger, redirectsPossible);
        for (const [row, page] of lives.links.pages.entries()) {
          expect(emitter.had).toContain(page);
          const [certainEnds, certainVisits] = [lives.rows[2 * row], lives.rows[2 * row + 1]];
          const { inside, dead, open, unknown } = follow(ledger, page);
          const ends = 1 - (redirectsPossible ? 1 : d) * open - d * unknown;
          const visits = inside + dead + (redirectsPossible ? 0 : open);
          expect(certainEnds).toBeLessThanOrEqual(ends + 1e-10);
          expect(certainEnds + lives.error).toBeGreaterThanOrEqual(ends - 1e-10);
          expect(certainVisits).toBeLessThanOrEqual(visits + 1e-10);
          expect(certainVisits + lives.error).toBeGreaterThanOrEqual(visits - 1e-10);
        }
      }),
      { numRuns: cases(400) },
    );
  });

  it("makes Q too large and T too small, by little", () => {
    fc.assert(
      fc.property(crawl, (crawl) => {
        fc.pre(crawl.world.damping <= 0.9);
        const { emitter, ledger } = ledgerAfter(crawl);
        const { atMost, wholeAtLeast } = returnFactors(ledger, knownRanking(ledger), true);
        for (const page of emitter.had) {
          const { returns, inside, dead, open, unknown } = follow(ledger, page);
          const ends = 1 - open - ledger.damping * unknown;
          expect(atMost[page]).toBeGreaterThanOrEqual(returns / ends - 1e-10);
          expect(atMost[page]).toBeLessThanOrEqual((returns / ends) * 1.01);
          expect(wholeAtLeast[page]).toBeLessThanOrEqual((inside + dead) / ends + 1e-10);
          expect(wholeAtLeast[page]).toBeGreaterThanOrEqual(((inside + dead) / ends) * 0.99);
        }
      }),
      { numRuns: cases(400) },
    );
  });

  // Intervals cannot show it: where these factors are taken, rounding is many times larger.
  it("makes Q too large and T too small without a look at links, whatever is open", () => {
    fc.assert(
      fc.property(crawl, fc.boolean(), (crawl, redirectsPossible) => {
        const { emitter, ledger } = ledgerAfter(crawl);
        const d = ledger.damping;
        const { atMost, wholeAtLeast } = plainFactors(ledger);
        for (const page of emitter.had) {
          const { returns, open, unknown } = follow(ledger, page);
          const ends = 1 - (redirectsPossible ? 1 : d) * open - d * unknown;
          expect(atMost[page] * (1 + 1e-9)).toBeGreaterThanOrEqual(returns / ends);
          expect(wholeAtLeast[page]).toBe(0);
        }
      }),
      { numRuns: cases(400) },
    );
  });
});

it("visits to a page are never underestimated, in a web where pushes stop early", () => {
  const graph = withoutSelfLinks(generateGraph({ pages: 6000, seed: 3 }).graph);
  const downloaded = Array.from({ length: 3000 }, (_, page) => page);
  const ledger = ledgerOf({ graph, trust: [[0, 1]], downloaded, damping: 0.85 });
  certify(ledger);
  const ranking = knownRanking(ledger);
  const lives = knownLives(ledger, true);
  const rows = ranking.map((page) => lives.links.rowOf[page]).filter((row) => row !== NO_ROW);
  const bounds = returnsAtMost(ledger, lives, rows);
  let early = 0;
  // Beyond the first thousand pages the effort is small.
  for (let place = 7; place < rows.length; place += 250) {
    const row = rows[place];
    const { returns } = follow(ledger, lives.links.pages[row], 1e-5);
    expect(bounds[row]).toBeGreaterThanOrEqual(returns);
    if (bounds[row] > returns + 1e-3) early++;
  }
  expect(early).toBeGreaterThan(1);
});

it("the upper end of a share is reached where all that is unknown leads to the page", () => {
  fc.assert(
    fc.property(crawl, ({ world, facts }) => {
      fc.pre(world.damping <= 0.9);
      const { emitter, ledger } = ledgerAfter({ world, facts });
      const intervals = new RankIntervals(ledger, certify(ledger));
      const ways = Array.from({ length: world.urls.length + 1 }, () => "by redirect to the favourite" as const);
      for (const favourite of emitter.had) {
        const truth = truthOf(completed(world, emitter, { favourite, ways }));
        const { high } = intervals.of(favourite);
        expect(truth.ranks[favourite] / truth.sum).toBeLessThanOrEqual(high + 1e-10);
        expect(truth.ranks[favourite] / truth.sum).toBeGreaterThanOrEqual(high - 0.005);
      }
    }),
    { numRuns: cases(300) },
  );
});
