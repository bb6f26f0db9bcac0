import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FingerprintTable, mix32, Random } from "../../src/base/index.ts";

type Fingerprint = readonly [high: number, low: number];

const half = fc.oneof(fc.nat(8), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1), fc.nat(2 ** 32 - 1));

/** Enters what is new into a table and a map, compares them on the way, and then looks for everything again. */
function compareWithMap(table: FingerprintTable, fingerprints: readonly Fingerprint[]): void {
  const numbers = new Map<string, number>();
  for (const [high, low] of fingerprints) {
    const known = numbers.get(`${high} ${low}`) ?? -1;
    if (table.find(high, low) !== known) throw new Error(`${high} ${low} is not ${known}`);
    if (known >= 0) continue;
    if (table.add(high, low) !== numbers.size) throw new Error(`not numbered ${numbers.size}`);
    numbers.set(`${high} ${low}`, numbers.size);
  }
  expect(table.size).toBe(numbers.size);
  for (const [high, low] of fingerprints) {
    if (table.find(high, low) !== numbers.get(`${high} ${low}`)) throw new Error(`${high} ${low} is lost`);
  }
}

function spread(count: number, seed: number): Fingerprint[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => [random.uint32(), random.uint32()]);
}

describe("a table of fingerprints", () => {
  it("numbers what is new in the order in which it comes and finds it again, however it grows", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(half, half), { maxLength: 300 }), fc.nat(3000), (fingerprints, reserved) => {
        const table = new FingerprintTable(2);
        table.reserve(reserved);
        compareWithMap(table, fingerprints);
      }),
    );
  });

  it("is right at every size from nothing to many enlargements of each segment", () => {
    const some = spread(60_000, 1);
    compareWithMap(new FingerprintTable(), [...some, ...some.slice(0, 1000)]);
  });

  it("knows one that differs in any single bit from all that are there as another", () => {
    const some = spread(100_000, 2);
    const table = new FingerprintTable();
    for (const [high, low] of some) table.add(high, low);
    for (const [high, low] of some.slice(0, 2000)) {
      for (let bit = 0; bit < 32; bit++) {
        const flipped = 1 << bit;
        if (table.find((high ^ flipped) >>> 0, low) >= 0) throw new Error(`bit ${bit} of the upper half is lost`);
        if (table.find(high, (low ^ flipped) >>> 0) >= 0) throw new Error(`bit ${bit} of the lower half is lost`);
      }
    }
  });

  it("has room for any number that lie close together", () => {
    // Lower halves choose the slots: here all of them lie in a thousandth, and a hundred each are the same.
    const close = Array.from({ length: 20_000 }, (_, k): Fingerprint => [mix32(k), mix32(Math.floor(k / 100)) >>> 10]);
    compareWithMap(new FingerprintTable(), [...spread(20_000, 3), ...close, ...spread(40_000, 4)]);
  });

  it("can have room made for more at any time", () => {
    const table = new FingerprintTable();
    const some = spread(30_000, 5);
    for (const [number, [high, low]] of some.entries()) {
      if (number % 5000 === 0) table.reserve(4 * number);
      table.add(high, low);
    }
    for (const [number, [high, low]] of some.entries()) {
      if (table.find(high, low) !== number) throw new Error(`${number} is lost`);
    }
  });

  it("tells fingerprints apart that differ in one half only", () => {
    const table = new FingerprintTable();
    table.add(1, 7);
    table.add(2, 7);
    expect([table.find(1, 7), table.find(2, 7), table.find(3, 7)]).toEqual([0, 1, -1]);
  });
});
