import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeLinks, encodeLinks } from "../../src/log/codecs.ts";
import { cases } from "../support/cases.ts";

it("writes differences as zigzag varints: by hand", () => {
  // 5: +5 -> 10; 5: 0 -> 0; 4: -1 -> 1; 104: +100 -> 200 = 0xC8 0x01; 2^32 - 1: see below.
  expect([...encodeLinks(Uint32Array.of(5, 5, 4, 104))]).toEqual([10, 0, 1, 0xc8, 0x01]);
  // 2 * (2^32 - 1) = 2^33 - 2: 33 bits, all ones but the last: 0x7e, three times 0x7f, 2^5 - 1.
  expect([...encodeLinks(Uint32Array.of(4294967295))]).toEqual([0xfe, 0xff, 0xff, 0xff, 0x1f]);
  expect([...encodeLinks(Uint32Array.of())]).toEqual([]);
});

it("gives back any list of ids, in the order in which they were written", () => {
  const id = fc.oneof(
    fc.nat(300),
    fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    fc.constantFrom(0, 2 ** 29, 2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 32 - 1),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 50 }), (ids) => {
      expect([...decodeLinks(encodeLinks(Uint32Array.from(ids)))]).toEqual(ids);
    }),
    { numRuns: cases(2000) },
  );
});

it("agrees with a plain reading in whole numbers of any size", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 20 }), (ids) => {
      const bytes = encodeLinks(Uint32Array.from(ids));
      const read: number[] = [];
      let value = 0n;
      let shift = 0n;
      let before = 0n;
      for (const byte of bytes) {
        value |= BigInt(byte & 127) << shift;
        shift += 7n;
        if (byte > 127) continue;
        before += value & 1n ? -((value + 1n) / 2n) : value / 2n;
        read.push(Number(before));
        value = 0n;
        shift = 0n;
      }
      expect(read).toEqual(ids);
    }),
  );
});

it("refuses bytes that end within a number", () => {
  expect(() => decodeLinks(Uint8Array.of(2, 0x80))).toThrow("ends with a whole number");
});
