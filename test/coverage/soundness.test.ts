/**
 * The one thing that may never break: no bound is above the truth, at any moment of any crawl. The truth is the dense
 * solution of the full web (support/truth.ts), of which the crawler sees a part.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoverageWatch, certify, MassLedger, PageState, tighten } from "../../src/coverage/index.ts";
import { cases } from "../support/cases.ts";
import { insideOf, type Truth, truthOf, type World } from "../support/truth.ts";
import { type Fact, factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";
import { linkTable } from "../support/link-table.ts";

/** What both sides may lose by rounding. */
const ROUNDING = 1e-11;
/** What the truth itself, found by elimination, may lack. Far less than a bound gives away. */
const ELIMINATION = 1e-13;
/** Trust added late may make the whole larger by the last bit, which d/(1-d) multiplies. */
const ULP = 2e-16;

const goals = [{ relativeGap: 0.5 }, { absoluteGap: 0.01 }, { level: 0.3 }, { level: 0.9 }, {}];

/** What is done to a ledger between two facts: pushes of final pages in any order, then perhaps some tightening. */
const pause = fc.record({
  pushes: fc.array(fc.nat(20), { maxLength: 4 }),
  goal: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, fc.constantFrom(...goals)),
});
type Pause = typeof pause extends fc.Arbitrary<infer T> ? T : never;

const crawl = world.chain((world) =>
  factsInAnyOrder(world).chain((facts) =>
    fc.record({
      world: fc.constant(world),
      facts: fc.constant(facts),
      pauses: fc.array(pause, { minLength: facts.length, maxLength: facts.length }),
    }),
  ),
);

const coverageOf = (truth: Truth, had: Iterable<number>): number =>
  [...had].reduce((sum, page) => sum + truth.ranks[page], 0) / truth.sum;

function unsettle(ledger: MassLedger, { pushes, goal }: Pause): void {
  for (const k of pushes) if (k < ledger.finalCount) ledger.push(ledger.finalPages[k]);
  if (goal !== undefined) tighten(ledger, goal);
}

function ledgerAfter(world: World, facts: readonly Fact[]): MassLedger {
  const emitter = new FactEmitter(world);
  const ledger = emitter.addListener(new MassLedger(emitter.options));
  for (const fact of facts) emitter.emit(fact);
  return ledger;
}

describe("a bound of coverage", () => {
  it.each([0.5, 0.85, 0.99])(
    "is not above the truth where a million equal shares all round the same way, d = %d",
    (d) => {
      // N trusted pages link to one hub, the hub to a page that nobody fetched. Of N leaves and a hub, d^2 flows on:
      // with all but the last page had, coverage is 1 - d^2 exactly, since that page may lead on for ever.
      const leaves = 1_000_000;
      const starts = Uint32Array.from({ length: leaves + 2 }, (_, page) => Math.min(page, leaves + 1));
      const targets = new Uint32Array(leaves + 1).fill(leaves).fill(leaves + 1, leaves);
      const links = linkTable({
        targets,
        starts,
        ends: starts.map((start, page) => (page <= leaves ? start + 1 : start)),
      });
      const ledger = new MassLedger({ links, pages: leaves + 2, damping: d });
      for (let page = 0; page < leaves; page++) ledger.trusted(page, 1 / leaves);
      for (let page = 0; page <= leaves; page++) ledger.downloaded(page);
      const { coverage } = certify(ledger);
      expect(coverage).toBeLessThanOrEqual(1 - d * d);
      expect(coverage).toBeGreaterThan(1 - d * d - 1e-7);
    },
  );

  it("is never above the truth and never falls, whatever was learnt, in whatever order, however far it was pushed", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, pauses }) => {
        const truth = truthOf(world);
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        let before = 0;
        for (const [k, fact] of facts.entries()) {
          emitter.emit(fact);
          unsettle(ledger, pauses[k]);
          expect(ledger.bound()).toBeLessThanOrEqual(coverageOf(truth, emitter.had) + ELIMINATION);
          // Without what is given away for rounding, which grows with every page.
          const bound = ledger.boundAtMost(0);
          expect(bound).toBeGreaterThanOrEqual(before - ULP / (1 - world.damping));
          before = bound;
        }
      }),
      { numRuns: cases(2500) },
    );
  });

  it("is never above the truth where what waits is rounded down, from whatever page on", () => {
    fc.assert(
      fc.property(crawl, fc.nat(8), ({ world, facts, pauses }, from) => {
        const truth = truthOf(world);
        const emitter = new FactEmitter(world);
        const exact = emitter.addListener(new MassLedger({ ...emitter.options, keepsRanks: false }));
        const ledger = emitter.addListener(new MassLedger({ ...emitter.options, keepsRanks: false }));
        for (const [k, fact] of facts.entries()) {
          if (k === from) ledger.round();
          emitter.emit(fact);
          for (const one of [exact, ledger]) {
            for (const place of pauses[k].pushes) if (place < one.finalCount) one.push(one.finalPages[place]);
          }
          expect(ledger.bound()).toBeLessThanOrEqual(coverageOf(truth, emitter.had) + ELIMINATION);
          expect(ledger.rankInside).toBeLessThanOrEqual(exact.rankInside + ULP);
          expect(ledger.rankInside).toBeGreaterThan((1 - 1e-5) * exact.rankInside - ULP);
          for (let page = 0; page < ledger.pages; page++) {
            expect(ledger.waiting[page]).toBeLessThanOrEqual(exact.waiting[page] + ULP);
            expect(ledger.waiting[page]).toBeGreaterThan((1 - 1e-5) * exact.waiting[page] - ULP);
          }
        }
      }),
      { numRuns: cases(800) },
    );
  });

  it("rises with every push, up to the exact one, which always lies between what is certain and what is possible", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, pauses }) => {
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        for (const fact of facts) emitter.emit(fact);
        const exact = insideOf(world, emitter).coverage;
        for (const { pushes } of pauses) {
          const before = ledger.bound();
          unsettle(ledger, { pushes, goal: undefined });
          expect(ledger.bound()).toBeGreaterThanOrEqual(before);
          expect(ledger.bound()).toBeLessThanOrEqual(exact + ROUNDING);
          expect(ledger.boundAtMost(ledger.waitingInside())).toBeGreaterThanOrEqual(exact - ROUNDING);
        }
      }),
      { numRuns: cases(1000) },
    );
  });

  it("comes from accounts that are never negative, settle only where a fate is final, and lose nothing", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, pauses }) => {
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        for (const [k, fact] of facts.entries()) {
          emitter.emit(fact);
          unsettle(ledger, pauses[k]);
          checkAccounts(ledger, emitter, world);
        }
      }),
      { numRuns: cases(800) },
    );
  });
});

describe("a certificate", () => {
  it("is (C1) of the dense solution on the downloaded pages, account by account", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, pauses }) => {
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        for (const [k, fact] of facts.entries()) {
          emitter.emit(fact);
          unsettle(ledger, pauses[k]);
        }
        const certificate = certify(ledger);
        const inside = insideOf(world, emitter);
        expect(certificate.coverage).toBeCloseTo(inside.coverage, 10);
        expect(certificate.rankInside).toBeCloseTo(inside.rankInside, 10);
        expect(certificate.flowOpen).toBeCloseTo(inside.flowOpen, 10);
        expect(certificate.flowDead).toBeCloseTo(inside.flowDead, 10);
        expect(certificate.downloaded).toBe(emitter.had.size);
        for (const page of emitter.had) expect(ledger.settled[page]).toBeCloseTo(inside.x[page], 10);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("does not depend on the order in which facts were learnt", () => {
    const twoOrders = world.chain((world) =>
      factsInAnyOrder(world).chain((facts) =>
        fc.record({
          world: fc.constant(world),
          facts: fc.constant(facts),
          again: fc.shuffledSubarray(facts, { minLength: facts.length }),
        }),
      ),
    );
    fc.assert(
      fc.property(twoOrders, ({ world, facts, again }) => {
        const first = certify(ledgerAfter(world, facts));
        const second = certify(ledgerAfter(world, again));
        expect(second.coverage).toBeCloseTo(first.coverage, 10);
        expect(second.flowOpen).toBeCloseTo(first.flowOpen, 10);
        expect(second.flowDead).toBeCloseTo(first.flowDead, 10);
      }),
      { numRuns: cases(500) },
    );
  });

  it("never falls as more is learnt, and is never above the truth", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts }) => {
        const truth = truthOf(world);
        const emitter = new FactEmitter(world);
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        let before = 0;
        for (const fact of facts) {
          emitter.emit(fact);
          const { coverage } = certify(ledger);
          expect(coverage).toBeGreaterThanOrEqual(before - ROUNDING);
          expect(coverage).toBeLessThanOrEqual(coverageOf(truth, emitter.had) + ROUNDING);
          before = coverage;
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("a coverage watch", () => {
  const watched = fc.record({
    crawl,
    goal: fc.double({ min: 0.01, max: 1, noNaN: true }),
    checks: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
  });

  it("says that the goal is reached only when it is, and at the end whenever the certificate says so", () => {
    fc.assert(
      fc.property(watched, ({ crawl: { world, facts }, goal, checks }) => {
        const truth = truthOf(world);
        const emitter = new FactEmitter(world);
        const watch = emitter.addListener(new CoverageWatch({ ...emitter.options, goal }));
        const ledger = emitter.addListener(new MassLedger(emitter.options));
        for (const [k, fact] of facts.entries()) {
          emitter.emit(fact);
          if (checks[k]) watch.check();
          const actual = coverageOf(truth, emitter.had);
          expect(watch.certified).toBeLessThanOrEqual(actual + ROUNDING);
          if (watch.reached()) expect(actual).toBeGreaterThanOrEqual(goal - ROUNDING);
        }
        watch.check();
        const { coverage } = certify(ledger);
        if (Math.abs(coverage - goal) > ROUNDING) expect(watch.reached()).toBe(coverage >= goal);
      }),
      { numRuns: cases(500) },
    );
  });
});

function checkAccounts(ledger: MassLedger, emitter: FactEmitter, world: World): void {
  const { waiting, settled, state, links, damping } = ledger;
  let balance = 0;
  for (let page = 0; page < ledger.pages; page++) {
    expect(waiting[page]).toBeGreaterThanOrEqual(0);
    expect(settled[page]).toBeGreaterThanOrEqual(0);
    const isPage = state[page] === PageState.Downloaded || state[page] === PageState.LinksUnknown;
    if (!isPage && state[page] !== PageState.Dead) expect(settled[page]).toBe(0);
    if (state[page] === PageState.Redirected) expect(waiting[page]).toBe(0);
    const handsOn = state[page] === PageState.Downloaded && links.count(page) > 0;
    balance += waiting[page] + settled[page] * (handsOn ? 1 - damping : 1);
  }
  const trust = [...emitter.trusted].reduce((sum, url) => sum + world.urls[url].trust, 0);
  expect(balance).toBeCloseTo((1 - damping) * trust, 12);
}
