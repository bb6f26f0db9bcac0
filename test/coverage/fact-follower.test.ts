/** Ledgers that keep the states of pages once, compared with ledgers that each have their own. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CoverageWatch,
  isClosed,
  lossesByPart,
  MassLedger,
  PageState,
  tighten,
  type Universe,
} from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";

const PARTS = { count: 2, of: (page: number) => page % 2 };

const crawl = world.chain((world) =>
  fc.record({
    facts: factsInAnyOrder(world),
    world: fc.constant(world),
    universe: fc.constantFrom<Universe>("everything", "allowed"),
    /** What pages of some sites are worth; those without a value are told none. */
    values: fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: world.known,
      maxLength: world.known,
    }),
    received: fc.array(fc.record({ page: fc.nat(world.known - 1), after: fc.nat(30), sender: fc.nat(2) }), {
      maxLength: 6,
    }),
    /** How both ledgers are pushed after each fact; not at all by some numbers. */
    pushes: fc.array(fc.nat(30), { minLength: 30, maxLength: 30 }),
  }),
);

const isBeyondLimit = (page: number): boolean => page % 3 === 0;

/** A ledger that keeps mass for all pages, as orders do, and a watch. */
function pairIn(emitter: FactEmitter, { universe, follows }: { universe: Universe; follows: boolean }) {
  const { options } = emitter;
  const first = emitter.addListener(new MassLedger({ ...options, keepsRanks: false }));
  const shared = follows ? { follows: first.knownPages } : {};
  const watch = emitter.addListener(
    new CoverageWatch({ ...options, ...shared, universe, goal: 0.7, parts: PARTS, isBeyondLimit }),
  );
  return { first, watch };
}

/** All that the two know, in plain values. */
function answersOf({ first, watch }: ReturnType<typeof pairIn>) {
  const pages = Array.from({ length: watch.pages }, (_, page) => page);
  const reached: number[] = [];
  watch.forEachReached((page) => reached.push(page));
  return {
    sums: [first, watch].map(({ rankInside, rankDangling, rankDead, flowForbidden, flowUnknown, trust, whole }) => {
      return [rankInside, rankDangling, rankDead, flowForbidden, flowUnknown, trust, whole];
    }),
    bounds: [first, watch].map((each) => [each.bound(), each.bound("everything"), each.valuedBound(), each.rounding]),
    parts: [0, 1].map((part) => [watch.sumsOf(part), watch.flowUnknownOf(part)]),
    counts: [first, watch].map(({ finalCount, downloadedCount, factCount, pushes }) => {
      return [finalCount, downloadedCount, factCount, pushes];
    }),
    final: [...watch.finalPages.subarray(0, watch.finalCount)],
    states: [...watch.state.subarray(0, watch.pages)],
    ends: pages.map((page) => [watch.resolve(page), watch.redirectOf(page)]),
    waiting: [[...first.waiting], pages.map((page) => watch.waitingOn(page))],
    watched: [watch.certified, watch.strict, watch.valuedCoverage, watch.checks, watch.ceiling],
    losses: lossesByPart(watch),
    reached,
    isClosed: isClosed(watch),
  };
}

function pushed({ first, watch }: ReturnType<typeof pairIn>, push: number): void {
  for (let k = 0; k < first.finalCount; k++) if ((push + k) % 4 === 0) first.push(first.finalPages[k]);
  if (push % 5 === 0) tighten(watch, { waiting: 0.1 / (1 + push) });
  else if (push % 5 === 1) watch.check();
  else watch.reached();
}

describe("a watch that follows another ledger", () => {
  it("knows and proves what one with states of its own does, to the last digit, and changes nothing there", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, universe, values, received, pushes }) => {
        const emitter = new FactEmitter(world);
        const shared = pairIn(emitter, { universe, follows: true });
        const separate = pairIn(emitter, { universe, follows: false });
        const all = [shared.first, shared.watch, separate.first, separate.watch];
        for (const [k, fact] of facts.entries()) {
          const value = values[fact.url];
          const isDownload = ["page", "partly"].includes(world.urls[fact.url].kind) && fact.about === "fate";
          if (isDownload && value !== null) {
            for (const each of all) each.grow(fact.url + 1);
            for (const each of all) each.valued(fact.url, value);
          }
          emitter.emit(fact);
          for (const { page, after, sender } of received) {
            if (after !== k || page >= shared.watch.pages) continue;
            for (const each of all) each.received(page, sender, 0.01 * (k + 1));
          }
          for (const pair of [shared, separate]) pushed(pair, pushes[k % pushes.length]);
          expect(answersOf(shared)).toEqual(answersOf(separate));
        }
        expect(shared.watch.state).toBe(shared.first.state);
        expect(separate.watch.state).not.toBe(separate.first.state);
      }),
      { numRuns: cases(400) },
    );
  });

  const links = new GrowingLinks();
  for (const page of [0, 1, 2, 3]) links.set(page, [(page + 1) % 4]);
  const options = { links, pages: 4, damping: 0.5 };
  const pair = () => {
    const first = new MassLedger(options);
    return { first, watch: new CoverageWatch({ ...options, goal: 1, follows: first.knownPages }) };
  };

  it("does not take a fact before the one that it follows", () => {
    const { watch } = pair();
    expect(() => watch.downloaded(0)).toThrow("takes every fact");
  });

  it("does not take a fact twice, nor one after it has missed another", () => {
    const { first, watch } = pair();
    first.downloaded(0);
    watch.downloaded(0);
    expect(() => watch.downloaded(0)).toThrow("takes every fact");
    const again = pair();
    for (const ledger of [again.first, again.watch]) ledger.downloaded(0);
    again.first.downloaded(1);
    expect(() => again.watch.downloaded(0)).toThrow("takes the fact");
    const other = pair();
    other.first.downloaded(0);
    other.first.downloaded(1);
    expect(() => other.watch.downloaded(1)).toThrow("takes every fact");
  });

  it.each<[string, (watch: CoverageWatch) => void]>([
    ["of another page", (watch) => watch.downloaded(1)],
    ["of another kind", (watch) => watch.dead(0)],
    ["for another reason", (watch) => watch.refused(0, "trap")],
    ["to another target", (watch) => watch.redirected(0, 3)],
  ])("does not take another fact than the one that is known: %s", (_, tell) => {
    const facts: readonly ((ledger: MassLedger) => void)[] = [
      (ledger) => ledger.downloaded(0),
      (ledger) => ledger.linksUnknown(0),
      (ledger) => ledger.refused(0, "robots"),
      (ledger) => ledger.redirected(0, 2),
    ];
    for (const fact of facts) {
      const { first, watch } = pair();
      fact(first);
      expect(() => tell(watch)).toThrow(/takes the fact|redirects as was known/);
    }
  });

  it("proves nothing while a fact is known that it was not told", () => {
    const { first, watch } = pair();
    for (const each of [first, watch]) each.trusted(0, 1);
    first.downloaded(0);
    expect(() => watch.check()).toThrow("takes every fact");
    watch.downloaded(0);
    // Half of the surfers restart on page 0 at each step; all others go to page 1.
    expect(watch.check()).toBeCloseTo(0.5, 12);
  });

  it("does not begin in the middle of a crawl, nor with another number of pages, nor on another web", () => {
    const { first } = pair();
    const follows = first.knownPages;
    expect(() => new MassLedger({ ...options, pages: 5, follows })).toThrow("same web");
    expect(() => new MassLedger({ ...options, links: new GrowingLinks(), follows })).toThrow("same web");
    first.dead(0);
    expect(() => new MassLedger({ ...options, follows })).toThrow("takes every fact");
  });

  it("has to make room of its own before it takes what is known of a page", () => {
    const { first, watch } = pair();
    first.grow(9);
    first.dead(8);
    expect(watch.pages).toBe(4);
    expect(() => watch.dead(8)).toThrow("room");
    expect(() => watch.trusted(8, 1)).toThrow("room");
    const other = pair();
    for (const each of [other.first, other.watch]) {
      each.grow(9);
      each.dead(8);
    }
    expect(other.watch.pages).toBe(other.first.pages);
    expect(other.watch.state[8]).toBe(PageState.Dead);
  });

  it("cannot follow when all is replaced by a copy, and takes no copy itself", () => {
    const { first, watch } = pair();
    const follower = new MassLedger({ ...options, follows: first.knownPages });
    const other = new MassLedger(options);
    expect(() => follower.copyFrom(other)).toThrow("its own");
    first.copyFrom(other);
    expect(() => watch.check()).toThrow("takes every fact");
    first.dead(0);
    expect(() => watch.dead(0)).toThrow("takes every fact");
  });

  it("takes a redirect that would close a loop as a dead page, as the one that it follows", () => {
    const { first, watch } = pair();
    for (const [page, target] of [
      [0, 1],
      [1, 2],
      [2, 0],
      [3, 3],
    ]) {
      for (const each of [first, watch]) each.redirected(page, target);
    }
    const { Redirected, Dead } = PageState;
    expect([...watch.state]).toEqual([Redirected, Redirected, Dead, Dead]);
    expect([watch.factCount, watch.resolve(0)]).toEqual([4, 2]);
  });
});
