import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { BitReader } from "../../src/graph/bv/bit-reader.ts";
import { BitWriter } from "../../src/graph/bv/bit-writer.ts";
import { BitCounter, Code, type CodeName, codeLength, fromNatural, toNatural } from "../../src/graph/bv/codes.ts";
import { bitsOf, bytesOf } from "./bv-bits.ts";

/** What the definitions of the codes give by hand. */
const SPELT: readonly { code: CodeName; parameter: number; words: Record<number, string> }[] = [
  { code: "unary", parameter: 3, words: { 0: "1", 1: "01", 3: "0001", 40: `${"0".repeat(40)}1` } },
  {
    code: "gamma",
    parameter: 3,
    words: { 0: "1", 1: "010", 2: "011", 3: "00100", 7: "0001000", 12: "0001101" },
  },
  { code: "delta", parameter: 3, words: { 0: "1", 1: "0100", 2: "0101", 3: "01100", 7: "00100000" } },
  { code: "zeta", parameter: 1, words: { 0: "1", 1: "010", 2: "011", 3: "00100" } },
  { code: "zeta", parameter: 2, words: { 0: "10", 1: "110", 2: "111", 3: "01000" } },
  {
    code: "zeta",
    parameter: 3,
    words: {
      0: "100",
      1: "1010",
      2: "1011",
      6: "1111",
      7: "0100000",
      14: "0100111",
      15: "01010000",
      18: "01010011",
    },
  },
  { code: "nibble", parameter: 3, words: { 0: "1000", 7: "1111", 8: "00011000", 63: "01111111" } },
  { code: "golomb", parameter: 1, words: { 0: "1", 2: "001" } },
  { code: "golomb", parameter: 3, words: { 0: "10", 1: "110", 2: "111", 3: "010" } },
  { code: "golomb", parameter: 5, words: { 9: "01111" } },
];

describe("each code", () => {
  const cases = SPELT.flatMap(({ code, parameter, words }) =>
    Object.entries(words).map(([value, word]) => ({ code, parameter, value: Number(value), word })),
  );

  test.each(cases)("writes and reads $value in $code($parameter) as $word", ({ code, parameter, value, word }) => {
    const bytes = written(Code[code], parameter, [value]);
    expect(bitsOf(bytes)).toBe(word.padEnd(8 * bytes.length, "0"));
    expect(codeLength(Code[code], parameter, value)).toBe(word.length);
    const reader = readerOf(bytesOf(word), parameter);
    expect(reader.read(Code[code])).toBe(value);
    expect(reader.position).toBe(word.length);
  });

  test("reads back what was written, wherever it begins, and counts its bits right", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(Code.gamma, Code.delta, Code.zeta, Code.nibble),
        fc.integer({ min: 1, max: 31 }),
        fc.array(value(2 ** 32 - 2), { minLength: 1, maxLength: 40 }),
        checkRoundTrip,
      ),
    );
  });

  test.each([Code.gamma, Code.delta, Code.zeta])("reads numbers of every width at every bit of a byte: %i", (code) => {
    // A number of 0 takes 1 bit in gamma and delta, 3 in zeta(3): eight of them begin at every bit.
    for (let zeros = 0; zeros < 8; zeros++) {
      const before = Array.from({ length: zeros }, () => 0);
      for (let width = 0; width < 32; width++) {
        for (const value of [2 ** width - 1, 2 ** width, Math.min(2 ** (width + 1), 2 ** 32 - 1) - 2]) {
          if (value >= 0) checkRoundTrip(code, 3, [...before, value, 0]);
        }
      }
    }
  });

  test("that has a part in unary does so too", () => {
    const codes = fc.constantFrom(Code.unary, Code.golomb);
    const values = fc.array(value(500), { minLength: 1, maxLength: 40 });
    fc.assert(fc.property(codes, fc.integer({ min: 1, max: 40 }), values, checkRoundTrip));
    checkRoundTrip(Code.golomb, 2 ** 31 - 1, [0, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 32 - 2]);
  });

  test("refuses numbers of 2^32 and more", () => {
    const zeros = "0".repeat(32);
    const tooLarge: [Code, number, string][] = [
      [Code.gamma, 3, `${zeros}1${zeros}`],
      [Code.delta, 3, `00000100001${zeros}`],
      [Code.zeta, 3, `${"0".repeat(11)}1${zeros}${zeros}`],
      [Code.zeta, 20, `01${"1".repeat(40)}`],
      [Code.nibble, 3, `${"0111".repeat(11)}1000`],
      [Code.golomb, 2 ** 31 - 1, `0001${"1".repeat(32)}`],
    ];
    for (const [code, parameter, word] of tooLarge) {
      expect(() => readerOf(bytesOf(word), parameter).read(code)).toThrow(/number of 2\^32 or more/);
    }
  });

  test("is an error where the file ends before it begins or is too long", () => {
    for (const code of Object.values(Code)) {
      expect(() => readerOf(new Uint8Array(0), 3).read(code)).toThrow(UsageError);
      expect(() => readerOf(new Uint8Array(9), 3).read(code)).toThrow(UsageError);
    }
    const reader = readerOf(bytesOf("00000001"), 3);
    expect(() => {
      reader.gamma();
      reader.requireInside();
    }).toThrow(/ends too early, after 1 bytes/);
  });
});

test("integers and natural numbers map onto each other", () => {
  expect([0, -1, 1, -2, 2].map(toNatural)).toEqual([0, 1, 2, 3, 4]);
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }), (value) => {
      expect(fromNatural(toNatural(value))).toBe(value);
    }),
  );
});

/** Small numbers, numbers of any width, and the neighbours of powers of two. */
function value(max: number): fc.Arbitrary<number> {
  const power = fc.tuple(fc.nat({ max: 32 }), fc.integer({ min: -2, max: 1 }));
  return fc.oneof(
    fc.nat({ max: Math.min(max, 30) }),
    fc.integer({ min: 0, max }),
    power.map(([exponent, delta]) => Math.min(max, Math.max(0, 2 ** exponent + delta))),
  );
}

function checkRoundTrip(code: Code, parameter: number, values: readonly number[]): void {
  const counter = new BitCounter(parameter);
  const reader = readerOf(written(code, parameter, values), parameter);
  for (const value of values) {
    expect(reader.position).toBe(counter.bits);
    expect(reader.read(code)).toBe(value);
    counter.write(code, value);
  }
  expect(reader.position).toBe(counter.bits);
  reader.requireInside();
}

function written(code: Code, parameter: number, values: readonly number[]): Uint8Array {
  const chunks: Uint8Array[] = [];
  const writer = new BitWriter(parameter, (chunk) => chunks.push(chunk));
  for (const value of values) writer.write(code, value);
  writer.finish();
  return Buffer.concat(chunks);
}

function readerOf(bytes: Uint8Array, parameter: number): BitReader {
  return new BitReader({ bytes, parameter, file: ".graph" });
}
