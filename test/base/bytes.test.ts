/** What is written as bytes is read as it was. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter } from "../../src/base/index.ts";

describe("bytes", () => {
  it("give back the texts and numbers that were written, in their order", () => {
    const item = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.nat(), fc.maxSafeNat());
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), fc.nat({ max: 64 }), (items, capacity) => {
        const writer = new ByteWriter(capacity);
        for (const each of items) {
          if (typeof each === "string") writer.text(each);
          else writer.number(each);
        }
        const reader = new ByteReader(writer.take());
        // What is no text of Unicode cannot be written as UTF-8.
        const written = (text: string): string => Buffer.from(text).toString();
        const read = items.map((each) => (typeof each === "string" ? reader.text() : reader.number()));
        expect(read).toEqual(items.map((each) => (typeof each === "string" ? written(each) : each)));
        expect(reader.isAtEnd).toBe(true);
      }),
    );
  });

  it("have the length of a text in bytes before it, whether that takes as much room as its characters or more", () => {
    // Two bytes per character: 63 characters are 126 bytes, 64 are 128, 127 are 254; and four for two.
    for (const text of ["", "é".repeat(63), "é".repeat(64), "é".repeat(127), "x".repeat(127), "x".repeat(128), "😀"]) {
      const writer = new ByteWriter(0);
      writer.text(text);
      writer.number(7);
      const bytes = writer.take();
      const length = Buffer.byteLength(text);
      expect(bytes).toHaveLength((length > 127 ? 2 : 1) + length + 1);
      const reader = new ByteReader(bytes);
      expect([reader.text(), reader.number()]).toEqual([text, 7]);
    }
  });
});
