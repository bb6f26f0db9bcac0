/** What a ledger remembers, what a copy of it takes over, and how exactly it adds up. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, MassLedger } from "../../src/coverage/index.ts";
import { RunningSum } from "../../src/coverage/accounts.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";

function ledgerWith(rows: readonly (readonly number[])[], damping = 0.5): MassLedger {
  const links = new GrowingLinks();
  for (const [page, row] of rows.entries()) links.set(page, row);
  return new MassLedger({ links, pages: rows.length, damping });
}

/** All that a ledger knows, in plain values. */
function answersOf(ledger: MassLedger) {
  const pages = Array.from({ length: ledger.pages }, (_, page) => page);
  return {
    sums: [ledger.rankInside, ledger.rankEnded, ledger.flowUnknown, ledger.delta, ledger.rounding],
    bounds: [ledger.bound(), ledger.boundAtMost(0), ledger.waitingInside()],
    counts: [ledger.downloadedCount, ledger.finalCount, ledger.pushes],
    final: [...ledger.finalPages.subarray(0, ledger.finalCount)],
    states: [...ledger.state],
    arrived: pages.map((page) => ledger.arrived(page)),
    settled: [...ledger.settled],
    ends: pages.map((page) => ledger.resolve(page)),
  };
}

describe("a copy of a ledger", () => {
  const crawl = world.chain((world) =>
    fc.record({
      world: fc.constant(world),
      facts: factsInAnyOrder(world),
      pushes: fc.array(fc.nat(20), { maxLength: 12 }),
      before: fc.array(fc.nat(world.known - 1), { maxLength: 4 }),
    }),
  );

  it("answers every question as its original does, now and after more pushes, whatever it held before", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts, pushes, before }) => {
        const emitter = new FactEmitter(world);
        const original = emitter.addListener(new MassLedger(emitter.options));
        for (const fact of facts) emitter.emit(fact);
        for (const k of pushes) if (k < original.finalCount) original.push(original.finalPages[k]);
        const copy = new MassLedger({ ...emitter.options, pages: world.known });
        for (const page of new Set(before)) copy.redirected(page, (page + 1) % world.known);
        copy.trusted(0, 0.5);
        copy.copyFrom(original);
        expect(answersOf(copy)).toEqual(answersOf(original));
        expect(certify(copy)).toEqual(certify(original));
        expect(answersOf(copy)).toEqual(answersOf(original));
      }),
      { numRuns: cases(300) },
    );
  });

  it("forgets redirects that only it knew", () => {
    const original = ledgerWith([[], []]);
    const copy = new MassLedger({ links: original.links, pages: 2, damping: 0.5 });
    copy.redirected(0, 1);
    copy.copyFrom(original);
    copy.trusted(0, 1);
    expect(copy.arrived(0)).toBe(0.5);
    expect(copy.arrived(1)).toBe(0);
  });

  it("has room for one final page more than it had", () => {
    const pages = 1025;
    const original = ledgerWith(Array.from({ length: pages }, () => []));
    for (let page = 0; page < pages; page++) original.dead(page);
    const copy = new MassLedger({ links: original.links, pages, damping: 0.5 });
    copy.copyFrom(original);
    expect(copy.finalCount).toBe(pages);
    expect(copy.finalPages[pages - 1]).toBe(pages - 1);
  });
});

describe("a fate", () => {
  it("is recorded once: a page that is final is not downloaded, dead, cut off, redirected or refused again", () => {
    const fates: readonly ((ledger: MassLedger) => void)[] = [
      (ledger) => ledger.downloaded(0),
      (ledger) => ledger.linksUnknown(0),
      (ledger) => ledger.dead(0),
      (ledger) => ledger.redirected(0, 1),
    ];
    for (const first of fates) {
      for (const second of [...fates, (ledger: MassLedger) => ledger.refused(0, "robots")]) {
        const ledger = ledgerWith([[1], []]);
        first(ledger);
        expect(() => second(ledger)).toThrow(/page 0 is final/);
      }
    }
  });
});

describe("a rounded ledger", () => {
  it("has no certificate and no copy: something that waited there may be forgotten", () => {
    const ledger = ledgerWith([[1], [0]]);
    ledger.trusted(0, 1);
    ledger.round();
    expect(() => certify(ledger)).toThrow("the ledger is rounded, expected an exact one");
    expect(() => ledgerWith([[1], [0]]).copyFrom(ledger)).toThrow("a rounded ledger is not copied");
  });
});

describe("trust that is missing", () => {
  it.each([1e-3, 1e-6, 1e-9, 1e-12])("is missing from the certificate, be it %d of all", (missing) => {
    // A ring of two pages: whoever starts there stays there, so they hold all of the trust that was seeded.
    const ledger = ledgerWith([[1], [0]]);
    ledger.trusted(0, 1 - missing);
    ledger.downloaded(0);
    ledger.downloaded(1);
    const { coverage, delta } = certify(ledger);
    expect(delta / missing).toBeCloseTo(1, 3);
    expect(coverage).toBeLessThanOrEqual(1 - missing);
    expect(coverage).toBeGreaterThan(1 - missing - 1e-11);
  });
});

describe("a running sum", () => {
  it("keeps small amounts when added to large ones", () => {
    // A plain sum of these four numbers is 0.
    const sum = new RunningSum();
    for (const value of [1, 1e100, 1, -1e100]) sum.add(value);
    expect(sum.value).toBe(2);
  });

  it("does not drift over a million additions", () => {
    // A plain sum is above 100,000 by more than 1e-6.
    const sum = new RunningSum();
    for (let k = 0; k < 1_000_000; k++) sum.add(0.1);
    expect(Math.abs(sum.value - 100_000)).toBeLessThan(1e-9);
  });
});
