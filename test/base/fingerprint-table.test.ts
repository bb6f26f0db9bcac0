import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FingerprintTable } from "../../src/base/index.ts";

const half = fc.oneof(fc.nat(8), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1), fc.nat(2 ** 32 - 1));

describe("a table of fingerprints", () => {
  it("numbers what is new in the order in which it comes and finds it again, however it grows", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(half, half), { maxLength: 300 }), (fingerprints) => {
        const table = new FingerprintTable(2);
        const numbers = new Map<string, number>();
        for (const [high, low] of fingerprints) {
          const known = numbers.get(`${high} ${low}`) ?? -1;
          expect(table.find(high, low)).toBe(known);
          if (known >= 0) continue;
          expect(table.add(high, low)).toBe(numbers.size);
          numbers.set(`${high} ${low}`, numbers.size);
        }
        expect(table.size).toBe(numbers.size);
        for (const [high, low] of fingerprints) expect(table.find(high, low)).toBe(numbers.get(`${high} ${low}`));
      }),
    );
  });

  it("tells fingerprints apart that differ in one half only", () => {
    const table = new FingerprintTable();
    table.add(1, 7);
    table.add(2, 7);
    expect([table.find(1, 7), table.find(2, 7), table.find(3, 7)]).toEqual([0, 1, -1]);
  });
});
