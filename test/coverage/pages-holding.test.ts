import fc from "fast-check";
import { expect, it } from "vitest";
import { MassLedger, pagesHolding } from "../../src/coverage/index.ts";
import { linkTable } from "../support/link-table.ts";

const none = new Uint32Array(0);

function ledgerWith(weights: readonly number[]): MassLedger {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const ledger = new MassLedger({
    links: linkTable({ targets: none, starts: none, ends: none }),
    pages: weights.length,
    damping: 0.85,
  });
  for (const [page, weight] of weights.entries()) ledger.trusted(page, weight / total);
  return ledger;
}

it("counts the heaviest pages, of a class in part", () => {
  const ledger = ledgerWith([4, 1, 1, 1, 1]);
  expect(pagesHolding(ledger, 0.5)).toBeCloseTo(1, 9);
  expect(pagesHolding(ledger, 0.75)).toBeCloseTo(3, 9);
  expect(pagesHolding(ledger, 1)).toBeCloseTo(5, 9);
  expect(pagesHolding(ledger, 0)).toBe(0);
});

it("counts open pages only", () => {
  const ledger = ledgerWith([4, 1, 1, 1, 1]);
  ledger.dead(0);
  ledger.refused(1, "robots");
  expect(pagesHolding(ledger, 1)).toBeCloseTo(3, 9);
});

it("is what sorting the weights gives, within the width of a class", () => {
  const weights = fc.array(fc.double({ min: 1e-9, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(weights, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (given, share) => {
      const sorted = given.toSorted((a, b) => b - a);
      const wanted = share * sorted.reduce((sum, weight) => sum + weight, 0);
      let held = 0;
      const exact = 1 + sorted.findIndex((weight) => (held += weight) >= wanted * (1 - 1e-12));
      const found = pagesHolding(ledgerWith(given), share);
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(1 + 0.045 * exact + 1e-9);
    }),
  );
});
