/** Totals per page and sender, against a map. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { PairTotals } from "../../src/coverage/pair-totals.ts";
import { cases } from "../support/cases.ts";

const total = fc.record({
  page: fc.oneof(fc.nat(40), fc.nat(2 ** 32 - 1)),
  sender: fc.oneof(fc.nat(3), fc.nat(2 ** 16)),
  total: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
});

it("the greatest total per page and sender counts, as in a map; a copy has what was there, and goes its own way", () => {
  fc.assert(
    fc.property(fc.array(total, { maxLength: 400 }), fc.array(total, { maxLength: 100 }), (first, second) => {
      const totals = new PairTotals();
      const greatest = new Map<string, number>();
      const raise = (into: PairTotals, known: Map<string, number>, each: typeof first): void => {
        for (const { page, sender, total } of each) {
          const key = `${page} ${sender}`;
          const before = known.get(key) ?? 0;
          expect(into.raise(page, sender, total)).toBe(Math.max(0, total - before));
          known.set(key, Math.max(before, total));
        }
      };
      raise(totals, greatest, first);
      const copy = new PairTotals();
      copy.raise(1, 1, 1);
      copy.copyFrom(totals);
      raise(copy, new Map(greatest), second);
      raise(totals, greatest, second);
    }),
    { numRuns: cases(200) },
  );
});
