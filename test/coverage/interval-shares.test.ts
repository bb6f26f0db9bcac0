/** Intervals as shares of all importance: the upper end is divided by the largest that the whole can be. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, MassLedger, RankIntervals } from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { completed, completionOf } from "../support/completions.ts";
import { truthOf, type World } from "../support/truth.ts";
import { factsInAnyOrder, FactEmitter, world, worldWithoutRedirects } from "../support/worlds.ts";

const ROUNDING = 1e-10;

const crawlOf = (worlds: fc.Arbitrary<World>, redirectsPossible: boolean) =>
  worlds.chain((world) =>
    fc.record({
      world: fc.constant(world),
      facts: factsInAnyOrder(world),
      completions: fc.array(completionOf(world, { redirectsPossible }), { minLength: 1, maxLength: 8 }),
    }),
  );

describe("the share of a page", () => {
  it.each([
    { where: "where URLs may redirect", worlds: world, redirectsPossible: true },
    { where: "where none does", worlds: worldWithoutRedirects, redirectsPossible: false },
  ])("lies in its interval in every web that agrees with the facts and favours the page, $where", (each) => {
    const { worlds, redirectsPossible } = each;
    fc.assert(
      fc.property(crawlOf(worlds, redirectsPossible), ({ world, facts, completions }) => {
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        ledger.grow(world.known);
        for (const fact of facts) emitter.emit(fact);
        const intervals = new RankIntervals(ledger, certify(ledger), { redirectsPossible });
        for (const completion of completions) {
          const web = completed(world, emitter, completion);
          const truth = truthOf(web);
          for (let page = 0; page < world.known; page++) {
            if (web.urls[page].kind === "redirect") continue;
            const { low, high } = intervals.of(page);
            const share = truth.ranks[page] / truth.sum;
            expect(share).toBeGreaterThanOrEqual(low - ROUNDING);
            expect(share).toBeLessThanOrEqual(high + ROUNDING);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("of a page that was cut off is at most what it has if its link leads back to it, and no more", () => {
    // d = 1/2. Page 0 was cut off, page 1 has no links; each has half of the trust. x_0 = x_1 = 1/4, and 1/8 leaves
    // page 0 by an unknown link. If that link leads to a URL that redirects to page 0, then r_0 = 1/4 + r_0/2 = 1/2, so
    // page 0 has 1/2 of 3/4. If page 0 has no link at all, it has 1/4 of 1/2.
    const links = new GrowingLinks();
    links.set(0, []);
    links.set(1, []);
    const ledger = new MassLedger({ links, pages: 2, damping: 0.5 });
    ledger.trusted(0, 0.5);
    ledger.trusted(1, 0.5);
    ledger.linksUnknown(0);
    ledger.downloaded(1);
    const intervals = new RankIntervals(ledger, certify(ledger));
    expect(intervals.of(0).low).toBeCloseTo(1 / 3, 10);
    expect(intervals.of(0).high).toBeCloseTo(2 / 3, 10);
    expect(intervals.of(1).low).toBeCloseTo(1 / 3, 10);
    expect(intervals.of(1).high).toBeCloseTo(2 / 3, 10);
  });

  it("does not meet that of another downloaded page exactly where their order is certain", () => {
    fc.assert(
      fc.property(crawlOf(world, true), ({ world, facts }) => {
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        for (const fact of facts) emitter.emit(fact);
        const intervals = new RankIntervals(ledger, certify(ledger));
        for (const first of emitter.had) {
          for (const second of emitter.had) {
            const above = intervals.of(first).low - intervals.of(second).high;
            if (Math.abs(above) > ROUNDING) expect(intervals.isAbove(first, second)).toBe(above > 0);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
