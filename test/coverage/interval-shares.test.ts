/** Intervals as shares of all importance, in webs that agree with the facts and favour a page, in both universes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, isForbidden, MassLedger, type RefusalReason, RankIntervals } from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { completed, completionOf } from "../support/completions.ts";
import { truthAllowed, truthOf, type World } from "../support/truth.ts";
import { factsInAnyOrder, FactEmitter, world, worldWithoutRedirects } from "../support/worlds.ts";

const ROUNDING = 1e-10;
/** Reasons that say nothing final. */
const PASSING: readonly RefusalReason[] = ["trap", "limit", "failed", "blocked"];

const crawlOf = (worlds: fc.Arbitrary<World>, redirectsPossible: boolean, pagesMayBeForbidden = false) =>
  worlds.chain((world) =>
    fc.record({
      world: fc.constant(world),
      facts: factsInAnyOrder(world),
      completions: fc.array(completionOf(world, { redirectsPossible, pagesMayBeForbidden }), {
        minLength: 1,
        maxLength: 8,
      }),
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
      { numRuns: cases(1000) },
    );
  });

  it.each([
    { where: "where URLs may redirect", worlds: world, redirectsPossible: true },
    { where: "where none does", worlds: worldWithoutRedirects, redirectsPossible: false },
  ])(
    "lies in its interval, and order is certain, in the universe of what may be fetched, $where",
    ({ worlds, redirectsPossible }) => {
      fc.assert(
        fc.property(crawlOf(worlds, redirectsPossible, true), ({ world, facts, completions }) => {
          const emitter = new FactEmitter(world, PASSING);
          const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe: "allowed" }));
          ledger.grow(world.known);
          for (const fact of facts) emitter.emit(fact);
          const intervals = new RankIntervals(ledger, certify(ledger), { redirectsPossible });
          for (const completion of completions) {
            const web = completed(world, emitter, completion, (page) => isForbidden(ledger.state[page]));
            const truth = truthAllowed(web);
            if (truth.sum === 0) continue;
            for (let page = 0; page < world.known; page++) {
              const { kind } = web.urls[page];
              const { low, high } = intervals.of(page);
              const share = truth.ranks[page] / truth.sum;
              expect(share).toBeLessThanOrEqual(high + ROUNDING);
              if (kind === "page" || kind === "partly") expect(share).toBeGreaterThanOrEqual(low - ROUNDING);
            }
            for (const first of emitter.had) {
              for (let second = 0; second < world.known; second++) {
                if (!intervals.isAbove(first, second)) continue;
                expect(truth.ranks[first]).toBeGreaterThan(truth.ranks[second] - ROUNDING);
              }
            }
            const places = intervals.ranking().subarray(0, intervals.certainPrefix());
            for (const [place, page] of places.entries()) {
              const above = truth.ranks.filter((rank) => rank > truth.ranks[page] + ROUNDING);
              expect(above.length).toBe(place);
            }
          }
        }),
        { numRuns: cases(1500) },
      );
    },
  );

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
    // Page 1 has the most if the link leads there: then r_1 = 1/4 + 1/8 of 5/8.
    expect(intervals.of(1).low).toBeCloseTo(1 / 3, 10);
    expect(intervals.of(1).high).toBeCloseTo(3 / 5, 10);
  });

  it("meets that of another downloaded page unless their order is certain", () => {
    fc.assert(
      fc.property(crawlOf(world, true), fc.constantFrom("everything", "allowed"), ({ world, facts }, universe) => {
        const emitter = new FactEmitter(world, PASSING);
        const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe }));
        for (const fact of facts) emitter.emit(fact);
        const intervals = new RankIntervals(ledger, certify(ledger));
        for (const first of emitter.had) {
          for (const second of emitter.had) {
            const above = intervals.of(first).low - intervals.of(second).high;
            if (above > ROUNDING) expect(intervals.isAbove(first, second)).toBe(true);
          }
        }
      }),
      { numRuns: cases(300) },
    );
  });
});
