/** The sums of the parts of a ledger: each is that of its own pages, and all together are those of the whole. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addedUp,
  FinalLedger,
  isForbidden,
  lossesByPart,
  MassLedger,
  PageState,
  tighten,
} from "../../src/coverage/index.ts";
import { cases } from "../support/cases.ts";
import { factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";
import { linkTable } from "../support/link-table.ts";

const PARTS = { count: 3, of: (page: number) => (7 * page + 1) % 3 };

/** What dampings near 1 leave waiting on both sides makes a difference of this order. */
const DIGITS = 8;

const crawl = world.chain((world) =>
  fc.record({ world: fc.constant(world), facts: factsInAnyOrder(world), gap: fc.constantFrom(0.5, 0.01, 1e-9) }),
);

describe("the sums of parts", () => {
  it("are those of their pages alone, found by adding up page by page", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, gap }) => {
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new FinalLedger({ ...emitter.options, parts: PARTS }));
        const pageByPage = emitter.addListener(new MassLedger(emitter.options));
        for (const fact of facts) {
          emitter.emit(fact);
          if (ledger.finalCount > 0) tighten(ledger, { absoluteGap: gap });
        }
        for (const each of [ledger, pageByPage]) tighten(each, { waiting: 0 });
        const { settled, state, links, pages } = pageByPage;
        const all = Array.from({ length: pages }, (_, page) => page);
        for (let part = 0; part < PARTS.count; part++) {
          const own = all.filter((page) => PARTS.of(page) === part);
          const held = (isCounted: (page: number) => boolean): number =>
            own.filter(isCounted).reduce((sum, page) => sum + settled[page], 0);
          const isIn =
            (...states: number[]) =>
            (page: number) =>
              states.includes(state[page]);
          const sums = ledger.sumsOf(part);
          expect(sums.rankInside).toBeCloseTo(held(isIn(PageState.Downloaded, PageState.LinksUnknown)), DIGITS);
          expect(sums.rankDead).toBeCloseTo(held(isIn(PageState.Dead)), DIGITS);
          const isDangling = (page: number): boolean => state[page] === PageState.Downloaded && links.count(page) === 0;
          expect(sums.rankDangling).toBeCloseTo(held(isDangling), DIGITS);
          const trust = own.reduce((sum, url) => sum + (emitter.trusted.has(url) ? world.urls[url].trust : 0), 0);
          expect(sums.trust).toBeCloseTo(trust, 12);
          const atForbidden = own.filter((page) => isForbidden(state[page]));
          const arrived = atForbidden.reduce((sum, page) => sum + pageByPage.waiting[page], 0);
          expect(sums.flowForbidden).toBeCloseTo(arrived, DIGITS);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it.each(["everything", "allowed"] as const)("give the bound of the whole when they are added up: %s", (universe) => {
    fc.assert(
      fc.property(crawl, ({ world, facts }) => {
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new FinalLedger({ ...emitter.options, universe, parts: PARTS }));
        for (const fact of facts) emitter.emit(fact);
        tighten(ledger, { absoluteGap: 1e-6 });
        const { damping } = ledger;
        const parts = Array.from({ length: PARTS.count }, (_, part) => ({ ...ledger.sumsOf(part), damping }));
        const sums = addedUp(parts, damping);
        for (const name of ["rankInside", "rankDangling", "rankDead", "flowForbidden", "trust"] as const) {
          expect(sums[name], name).toBeCloseTo(ledger[name], 12);
        }
        expect(sums.additions).toBeGreaterThanOrEqual(ledger.additions);
        const unknown = parts.reduce((sum, _, part) => sum + ledger.flowUnknownOf(part), 0);
        expect(unknown).toBeCloseTo(ledger.flowUnknown, 12);
      }),
      { numRuns: cases(300) },
    );
  });

  it("name what is lost in each part", () => {
    // Page 0 links to 1 (part 2) and 2 (part 0), which both have failed, and to 3 (part 1), which waits.
    const links = linkTable({
      targets: Uint32Array.of(1, 2, 3),
      starts: Uint32Array.of(0, 3, 3, 3),
      ends: Uint32Array.of(3, 3, 3, 3),
    });
    const losses = (isBeyondLimit?: (page: number) => boolean) => {
      const ledger = new FinalLedger({ links, pages: 4, damping: 0.6, parts: PARTS, isBeyondLimit });
      ledger.trusted(0, 1);
      ledger.downloaded(0);
      ledger.refused(1, "failed");
      ledger.refused(2, "failed");
      tighten(ledger, { waiting: 0 });
      return lossesByPart(ledger);
    };
    // (1 - d) d / 3 flows to each, which is (d / 3) visits and what follows from them: 0.2.
    expect(losses()).toEqual([
      [{ reason: "failed", mass: expect.closeTo(0.2, 12), page: 2 }],
      [],
      [{ reason: "failed", mass: expect.closeTo(0.2, 12), page: 1 }],
    ]);
    expect(losses((page) => page === 3)[1]).toEqual([{ reason: "limit", mass: expect.closeTo(0.2, 12), page: 3 }]);
  });
});
