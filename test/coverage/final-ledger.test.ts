/** A ledger that keeps mass for pages that are not open, compared with one that keeps it for all. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ceilingOf,
  CoverageWatch,
  FinalLedger,
  isClosed,
  MassLedger,
  PageState,
  tighten,
  type Universe,
} from "../../src/coverage/index.ts";
import { PageAccounts } from "../../src/coverage/page-accounts.ts";
import { SlotRows } from "../../src/coverage/slot-rows.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";

const crawl = world.chain((world) =>
  fc.record({
    world: fc.constant(world),
    facts: factsInAnyOrder(world),
    universe: fc.constantFrom<Universe>("everything", "allowed"),
    /** What another process sends: to which page, and after which fact. */
    received: fc.array(fc.record({ page: fc.nat(world.known - 1), after: fc.nat(30), sender: fc.nat(2) }), {
      maxLength: 6,
    }),
    /** How much is left waiting after each fact: a check that comes early has to do. */
    gaps: fc.array(fc.constantFrom(1, 0.3, 0.01, 1e-9), { minLength: 30, maxLength: 30 }),
  }),
);

/** Dampings near 1 take long to settle all; what is left waits on both sides, and makes a difference of this order. */
const DIGITS = 8;
/** Where most is forbidden or dead, the whole of which a bound is a share is small. */
const BOUND_DIGITS = 6;

const isBeyondLimit = (page: number): boolean => page % 3 === 0;

describe("a ledger of final pages", () => {
  const both = (emitter: FactEmitter, universe: Universe) => ({
    final: emitter.addListener(new FinalLedger({ ...emitter.options, universe, isBeyondLimit })),
    whole: emitter.addListener(new MassLedger({ ...emitter.options, universe })),
  });

  it("settles in the end what a ledger of all pages settles, however facts come and whatever was pushed before", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, universe, received, gaps }) => {
        const emitter = new FactEmitter(world);
        const { final, whole } = both(emitter, universe);
        for (const [k, fact] of facts.entries()) {
          emitter.emit(fact);
          for (const { page, after, sender } of received) {
            if (after !== k || page >= final.pages) continue;
            for (const each of [final, whole]) each.received(page, sender, 0.01 * (k + 1));
          }
          tighten(final, { waiting: gaps[k % gaps.length] });
        }
        for (const each of [final, whole]) tighten(each, { waiting: 0 });
        const sums = ["rankInside", "rankDangling", "rankDead", "flowUnknown", "flowForbidden", "trust"] as const;
        for (const name of sums) expect(final[name], name).toBeCloseTo(whole[name], DIGITS);
        expect(final.bound()).toBeCloseTo(whole.bound(), BOUND_DIGITS);
        expect(final.additions).toBe(whole.additions);
        for (let page = 0; page < whole.pages; page++) {
          if (whole.state[page] === PageState.Redirected) expect(final.waitingOn(page)).toBe(0);
          if (whole.state[page] === PageState.Open)
            expect(final.arrived(page)).toBeCloseTo(whole.waiting[page], DIGITS);
          else expect(final.waitingOn(page)).toBeCloseTo(whole.waiting[page], DIGITS);
        }
        expect(isClosed(final)).toBe(isClosed(new Rankless(whole)));
        const [ceiling, expected] = [final, whole].map((each) => ceilingOf(each, isBeyondLimit));
        expect(ceiling.coverage).toBeCloseTo(expected.coverage, BOUND_DIGITS);
        expect(ceiling.lost.map(({ reason }) => reason).toSorted()).toEqual(
          expected.lost.map(({ reason }) => reason).toSorted(),
        );
      }),
      { numRuns: cases(400) },
    );
  });

  it("conserves mass at any moment", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, gaps }) => {
        const emitter = new FactEmitter(world);
        const final = emitter.addListener(new FinalLedger(emitter.options));
        for (const [k, fact] of facts.entries()) {
          emitter.emit(fact);
          tighten(final, { waiting: gaps[k % gaps.length] });
          let waiting = 0;
          for (let page = 0; page < final.pages; page++) {
            waiting += final.state[page] === PageState.Open ? final.arrived(page) : final.waitingOn(page);
          }
          const { rankInside, rankDangling, rankDead, flowUnknown, damping: d } = final;
          const handedOn = d * (rankInside - rankDangling) - flowUnknown;
          const trust = [...emitter.trusted].reduce((sum, url) => sum + world.urls[url].trust, 0);
          expect(waiting + rankInside + rankDead - handedOn).toBeCloseTo((1 - d) * trust, 12);
        }
      }),
      { numRuns: cases(200) },
    );
  });

  it("knows nothing of what has arrived until it is measured, and then of pages that became final late", () => {
    // 0 links to 1 and 2; 2 leads to 1. With d = 1/2, page 1 gets 1/4 from 0 in the end.
    const links = new GrowingLinks();
    links.set(0, [1, 2]);
    const ledger = new FinalLedger({ links, pages: 3, damping: 0.5 });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    tighten(ledger, { waiting: 0 });
    expect(ledger.rankInside).toBe(0.5);
    links.set(1, []);
    ledger.downloaded(1);
    ledger.redirected(2, 1);
    expect(ledger.waitingInside()).toBe(0);
    ledger.measure();
    expect(ledger.waitingInside()).toBeCloseTo(0.25, 15);
    tighten(ledger, { waiting: 0 });
    expect([ledger.rankInside, ledger.rankDangling]).toEqual([0.75, 0.25]);
  });

  it("takes back at once what was forbidden and is so no longer", () => {
    const links = new GrowingLinks();
    links.set(0, [1, 2]);
    const ledger = new FinalLedger({ links, pages: 3, damping: 0.5, universe: "allowed" });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    ledger.refused(1, "robots");
    ledger.refused(2, "robots");
    tighten(ledger, { waiting: 0 });
    expect(ledger.flowForbidden).toBe(0.25);
    ledger.refused(1, "blocked");
    expect(ledger.flowForbidden).toBe(0.125);
    ledger.redirected(2, 1);
    expect(ledger.flowForbidden).toBe(0);
  });
});

describe("a watch of what may be fetched", () => {
  it("claims no more than is certain when a forbidden page is fetched after all", () => {
    // 0 links to 1, which is forbidden: 0 is all that may be fetched. Then 1 is fetched, and leads on to 2.
    const links = new GrowingLinks();
    links.set(0, [1]);
    const watch = new CoverageWatch({ links, pages: 3, damping: 0.5, goal: 0.9, universe: "allowed" });
    watch.trusted(0, 1);
    watch.downloaded(0);
    watch.refused(1, "robots");
    expect(watch.check()).toBe(1);
    links.set(1, [2]);
    watch.downloaded(1);
    // x_0 = 1/2 and x_1 = 1/4; before it is checked again, what is certain counts everything.
    expect(watch.certified).toBeLessThanOrEqual(0.75);
    expect(watch.reached()).toBe(false);
    expect(watch.certified).toBeCloseTo(0.75, 9);
  });
});

describe("accounts of some pages", () => {
  const PAGES = 200;
  const rowOf = (targets: readonly number[]) => ({ targets: Uint32Array.from(targets), start: 0, end: targets.length });
  const pages = fc.uniqueArray(fc.nat(PAGES - 1), { maxLength: 120 });

  it("are those of all pages that were chosen, each with its own", () => {
    fc.assert(
      fc.property(fc.array(pages, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(PAGES - 1)), (choices, targets) => {
        const accounts = new PageAccounts();
        const chosen = new Set<number>();
        for (const choice of choices) {
          for (const page of choice) {
            accounts.choose(page);
            chosen.add(page);
          }
          accounts.open(PAGES);
          accounts.spread(rowOf(targets), 0.5);
          for (const page of targets) accounts.add(page, 0.25);
          const expected = (page: number) => 0.75 * targets.filter((target) => target === page).length;
          const found: [number, number][] = [];
          accounts.forEach((page, value) => found.push([page, value]));
          expect(found).toEqual([...chosen].toSorted((a, b) => a - b).map((page) => [page, expected(page)]));
          const all = Array.from({ length: PAGES + 50 }, (_, page) => page);
          expect(all.map((page) => accounts.get(page))).toEqual(
            all.map((page) => (chosen.has(page) ? expected(page) : 0)),
          );
        }
      }),
      { numRuns: cases(200) },
    );
  });

  it("are found through rows of their slots as through the pages, as far as rows are kept", () => {
    fc.assert(
      fc.property(pages, fc.array(fc.array(fc.nat(PAGES - 1)), { maxLength: 8 }), (chosen, rows) => {
        const [direct, byRows] = [new PageAccounts(), new PageAccounts()];
        for (const accounts of [direct, byRows]) {
          for (const page of chosen) accounts.choose(page);
          accounts.open(PAGES);
        }
        const slotRows = new SlotRows();
        for (const row of rows) expect(slotRows.keep(byRows, rowOf(row))).toBe(true);
        for (const [k, row] of rows.entries()) {
          direct.spread(rowOf(row), k + 1);
          slotRows.spread(k, byRows.values, k + 1);
        }
        expect(byRows.values).toEqual(direct.values);
      }),
      { numRuns: cases(200) },
    );
  });

  it("have rows only up to a bound, beyond which nothing is kept and nothing is lost", () => {
    // All pages link to all others, which is more than rows have room for. For the one link of the last there is room.
    const pages = 2100;
    const links = new GrowingLinks();
    for (let page = 0; page < pages; page++) {
      const others = Array.from({ length: pages - 1 }, (_, k) => (page + k + 1) % pages);
      links.set(page, page < pages - 1 ? others : [0]);
    }
    const options = { links, pages, damping: 0.5 };
    const [final, whole] = [new FinalLedger(options), new MassLedger(options)];
    for (const ledger of [final, whole]) {
      ledger.trusted(0, 1);
      for (let page = 0; page < pages; page++) ledger.downloaded(page);
      tighten(ledger, { waiting: 1e-6 });
    }
    expect((pages - 1) * (pages - 1)).toBeGreaterThan(1 << 22);
    expect(final.rankInside).toBeCloseTo(whole.rankInside, 12);
  });
});

/** A ledger as if it did not know the ranks of pages: then all final pages are taken to be reached. */
class Rankless extends MassLedger {
  constructor(ledger: MassLedger) {
    super({ links: ledger.links, pages: ledger.pages, damping: ledger.damping, universe: ledger.universe });
    this.copyFrom(ledger);
  }

  override forEachReached(visit: (page: number) => void): void {
    super.forEachReached(visit);
    for (const page of this.finalPages.subarray(0, this.finalCount)) visit(page);
  }
}
