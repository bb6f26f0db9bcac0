/**
 * Coverage of what a polite crawler may fetch: no bound is above the truth of that universe, in which forbidden and dead
 * pages do not exist.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, MassLedger, type RefusalReason, tighten } from "../../src/coverage/index.ts";
import { cases } from "../support/cases.ts";
import { type Truth, truthAllowed, truthOf, type World } from "../support/truth.ts";
import { type Fact, factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";
import { linkTable } from "../support/link-table.ts";

/** What the truth itself, found by elimination, may lack. */
const ELIMINATION = 1e-13;
/** Reasons that say nothing final. */
const PASSING: readonly RefusalReason[] = ["trap", "limit", "failed", "blocked"];

const crawl = world.chain((world) => fc.record({ world: fc.constant(world), facts: factsInAnyOrder(world) }));

function ledgerIn(world: World): { emitter: FactEmitter; ledger: MassLedger } {
  const emitter = new FactEmitter(world, PASSING);
  return { emitter, ledger: emitter.addListener(new MassLedger({ ...emitter.options, universe: "allowed" })) };
}

const coverageOf = ({ ranks, sum }: Truth, had: Iterable<number>): number =>
  sum === 0 ? 0 : [...had].reduce((total, page) => total + ranks[page], 0) / sum;

function emitAll(emitter: FactEmitter, facts: readonly Fact[]): void {
  for (const fact of facts) emitter.emit(fact);
}

describe("coverage of what may be fetched", () => {
  it("is never above the truth, at any moment, and never below the strict coverage, which is not above its own", () => {
    fc.assert(
      fc.property(crawl, fc.boolean(), ({ world, facts }, isTightened) => {
        const allowed = truthAllowed(world);
        const everything = truthOf(world);
        const { emitter, ledger } = ledgerIn(world);
        for (const fact of facts) {
          emitter.emit(fact);
          if (isTightened) tighten(ledger, { relativeGap: 0.3 });
          else for (const page of emitter.had) ledger.push(page);
          expect(ledger.bound()).toBeLessThanOrEqual(coverageOf(allowed, emitter.had) + ELIMINATION);
          expect(ledger.bound("everything")).toBeLessThanOrEqual(coverageOf(everything, emitter.had) + ELIMINATION);
          expect(ledger.bound()).toBeGreaterThanOrEqual(ledger.bound("everything"));
        }
      }),
      { numRuns: cases(2500) },
    );
  });

  it("is the whole share that (C1) leaves: R of R and what follows flows to open pages", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts }) => {
        const { emitter, ledger } = ledgerIn(world);
        emitAll(emitter, facts);
        const { coverage, rankInside, flowOpen, flowDead } = certify(ledger);
        expect(flowDead).toBe(0);
        const whole = rankInside + flowOpen / (1 - world.damping);
        if (rankInside > 1e-6) expect(coverage).toBeCloseTo(rankInside / whole, 7);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("is 1 where all that may be fetched was, and 0 where nothing may be", () => {
    const links = linkTable({
      targets: Uint32Array.of(1, 2, 3),
      starts: Uint32Array.of(0, 3, 3, 3),
      ends: Uint32Array.of(3, 3, 3, 3),
    });
    const ledger = new MassLedger({ links, pages: 4, damping: 0.85, universe: "allowed" });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    ledger.downloaded(1);
    ledger.dead(2);
    ledger.refused(3, "robots");
    expect(certify(ledger)).toMatchObject({ coverage: 1, universe: "allowed" });
    expect(certify(ledger).strict).toBeLessThan(0.5);

    const empty = new MassLedger({ links, pages: 4, damping: 0.85, universe: "allowed" });
    empty.trusted(3, 1);
    empty.refused(3, "robots");
    expect(certify(empty)).toMatchObject({ coverage: 0, strict: 0 });
  });

  it("counts what failed, blocks or was cut off as missing", () => {
    for (const reason of PASSING) {
      const links = linkTable({ targets: Uint32Array.of(1), starts: Uint32Array.of(0, 1), ends: Uint32Array.of(1, 1) });
      const ledger = new MassLedger({ links, pages: 2, damping: 0.5, universe: "allowed" });
      ledger.trusted(0, 1);
      ledger.downloaded(0);
      ledger.refused(1, reason);
      expect(certify(ledger).coverage, reason).toBeCloseTo(0.5, 9);
    }
  });

  it("falls back where a page turns out not to be forbidden", () => {
    const links = linkTable({ targets: Uint32Array.of(1), starts: Uint32Array.of(0, 1), ends: Uint32Array.of(1, 1) });
    const ledger = new MassLedger({ links, pages: 2, damping: 0.5, universe: "allowed" });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    ledger.refused(1, "forbidden");
    expect(certify(ledger).coverage).toBe(1);
    ledger.refused(1, "failed");
    expect(ledger.bound()).toBeCloseTo(0.5, 9);
    expect(certify(ledger).coverage).toBeCloseTo(0.5, 9);
  });
});
