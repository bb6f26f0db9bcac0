/** The ceiling: no later certificate of the same facts is above it, and it names what is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ceilingOf,
  certify,
  CoverageWatch,
  MassLedger,
  type RefusalReason,
  type Universe,
} from "../../src/coverage/index.ts";
import { cases } from "../support/cases.ts";
import { factsInAnyOrder, FactEmitter, world } from "../support/worlds.ts";
import { linkTable } from "../support/link-table.ts";

const ROUNDING = 1e-12;
/** What is refused so stays refused: nothing of it is ever fetched. */
const LASTING: readonly RefusalReason[] = ["trap", "failed", "blocked", "limit"];

/** One page that links to each of the others, of which nothing is known yet. */
function star(leaves: number, universe: Universe = "allowed"): MassLedger {
  const links = linkTable({
    targets: Uint32Array.from({ length: leaves }, (_, k) => k + 1),
    starts: Uint32Array.from({ length: leaves + 1 }, (_, k) => (k === 0 ? 0 : leaves)),
    ends: Uint32Array.from({ length: leaves + 1 }, () => leaves),
  });
  const ledger = new MassLedger({ links, pages: leaves + 1, damping: 0.5, universe });
  ledger.trusted(0, 1);
  ledger.downloaded(0);
  ledger.push(0);
  return ledger;
}

describe("the ceiling", () => {
  it.each(["allowed", "everything"] as const)("is not below any later certificate, nor ever rises: %s", (universe) => {
    const crawl = world.chain((world) => fc.record({ world: fc.constant(world), facts: factsInAnyOrder(world) }));
    fc.assert(
      fc.property(crawl, ({ world, facts }) => {
        const emitter = new FactEmitter(world, LASTING);
        const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe }));
        // Trust first: later trust would be another question.
        const trust = facts.filter(({ about }) => about === "trust");
        // A refusal that is followed by another fate did not last.
        const fates = facts.filter(({ about }) => about === "fate");
        for (const fact of trust) emitter.emit(fact);
        let before = 1;
        for (const fact of fates) {
          emitter.emit(fact);
          const { coverage } = certify(ledger);
          const ceiling = ceilingOf(ledger).coverage;
          expect(coverage).toBeLessThanOrEqual(before + ROUNDING);
          expect(coverage).toBeLessThanOrEqual(ceiling + ROUNDING);
          expect(ceiling).toBeLessThanOrEqual(before + ROUNDING);
          before = ceiling;
        }
      }),
      { numRuns: cases(1000) },
    );
  });

  it("is what remains of the whole without what is lost", () => {
    const ledger = star(4);
    expect(ceilingOf(ledger)).toEqual({ coverage: 1, lost: [] });
    // Half of all visits follow the first: each leaf holds an eighth of everything at most.
    ledger.refused(1, "failed");
    ledger.refused(2, "failed");
    ledger.refused(3, "trap");
    const { coverage, lost } = ceilingOf(ledger);
    expect(coverage).toBeCloseTo(5 / 8, 11);
    expect(lost.map(({ reason, page }) => [reason, page])).toEqual([
      ["failed", 1],
      ["trap", 3],
    ]);
    expect(lost[0].mass).toBeCloseTo(1 / 4, 11);
  });

  it("counts open pages beyond a limit of the user, links that are not known, and trust without a seed", () => {
    expect(ceilingOf(star(4), (page) => page === 2).lost).toMatchObject([{ reason: "limit", page: 2 }]);
    const unknown = star(2);
    unknown.linksUnknown(1);
    unknown.push(1);
    // Half of what arrives there, an eighth, leaves to where nobody knows, for two steps on average.
    expect(ceilingOf(unknown).lost).toMatchObject([
      { reason: "links-unknown", page: 1, mass: expect.closeTo(1 / 8, 11) },
    ]);
    const links = linkTable({ targets: new Uint32Array(0), starts: Uint32Array.of(0), ends: Uint32Array.of(0) });
    const unseeded = new MassLedger({ links, pages: 1, damping: 0.5, universe: "allowed" });
    unseeded.trusted(0, 0.25);
    expect(ceilingOf(unseeded)).toMatchObject({ coverage: expect.closeTo(0.25, 11), lost: [{ page: undefined }] });
  });

  it("leaves out what is no part of the universe, and counts it where everything counts", () => {
    for (const [universe, expected] of [
      ["allowed", 1],
      ["everything", 0.5],
    ] as const) {
      const ledger = star(2, universe);
      ledger.refused(1, "robots");
      ledger.refused(2, "forbidden");
      expect(ceilingOf(ledger).coverage).toBeCloseTo(expected, 11);
    }
    // A dead page is visited, and nothing follows: a tenth of what is left of the whole.
    const dead = star(2, "everything");
    dead.dead(1);
    expect(ceilingOf(dead).coverage).toBeCloseTo(7 / 8, 11);
    dead.push(1);
    expect(ceilingOf(dead).coverage).toBeCloseTo(1 - 0.125 / (1 - 0.125), 11);
  });

  it("is known to a watch, which forgets what it proved when a forbidden page counts again", () => {
    const links = linkTable({
      targets: Uint32Array.of(1, 2),
      starts: Uint32Array.of(0, 2, 2),
      ends: Uint32Array.of(2, 2, 2),
    });
    const watch = new CoverageWatch({ links, pages: 3, damping: 0.5, goal: 0.9, universe: "allowed" });
    watch.trusted(0, 1);
    watch.downloaded(0);
    watch.downloaded(1);
    watch.refused(2, "forbidden");
    expect(watch.check()).toBe(1);
    expect(watch.reached()).toBe(true);
    expect(watch.strict).toBeLessThan(0.8);
    watch.refused(2, "blocked");
    expect(watch.reached()).toBe(false);
    expect(watch.certified).toBeCloseTo(watch.strict, 11);
    expect(watch.ceiling.lost).toMatchObject([{ reason: "blocked", page: 2 }]);
    expect(watch.ceiling.coverage).toBeLessThan(0.8);
  });
});
