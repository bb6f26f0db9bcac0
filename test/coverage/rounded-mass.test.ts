import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RoundedMass } from "../../src/coverage/rounded-mass.ts";
import { linkTable } from "../support/link-table.ts";

const mass = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.nat(60).map((power) => 2 ** -power),
  fc.constantFrom(1e-44, 1e-50, Number.MIN_VALUE),
);

describe("rounded mass", () => {
  it("is the greatest single that is not above the sum, for any addition", () => {
    fc.assert(
      fc.property(fc.array(mass, { maxLength: 20 }), (masses) => {
        const rounded = new RoundedMass(2);
        for (const mass of masses) {
          const before = rounded.values[1];
          const sum = before + mass;
          rounded.add(1, mass);
          const after = rounded.values[1];
          expect(after).toBeLessThanOrEqual(sum);
          expect(after).toBeGreaterThanOrEqual(before);
          const next = new RoundedMass(1);
          next.values[0] = after;
          new Int32Array(next.values.buffer)[0]++;
          expect(next.values[0]).toBeGreaterThan(sum);
        }
        expect(rounded.values[0]).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it("is spread over links as it is added to each target, several links to one page among them", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }), fc.array(mass), (targets, shares) => {
        const [spread, added] = [new RoundedMass(5), new RoundedMass(5)];
        const links = linkTable({
          targets: Uint32Array.from([0, ...targets, 0]),
          starts: Uint32Array.of(1),
          ends: Uint32Array.of(1 + targets.length),
        });
        for (const share of shares) {
          spread.spread(links.row(0), share);
          for (const target of targets) added.add(target, share);
          expect(spread.values).toEqual(added.values);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("keeps what it has when it grows, and goes on rounding down", () => {
    const rounded = new RoundedMass(1);
    rounded.add(0, 0.5);
    rounded.grow(3);
    expect([...rounded.values]).toEqual([0.5, 0, 0]);
    // The nearest single of either is above it.
    for (const page of [1, 2]) {
      rounded.add(page, page / 3);
      expect(rounded.values[page]).toBeLessThan(page / 3);
      expect(rounded.values[page]).toBeGreaterThan(page / 3 - 2 ** -23);
    }
  });
});
