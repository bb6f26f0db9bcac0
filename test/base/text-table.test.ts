import fc from "fast-check";
import { expect, it } from "vitest";
import { TextTable } from "../../src/base/index.ts";
import { cases } from "../support/cases.ts";

/** Names of hosts, the same ones again, texts that begin or end alike, the empty one, and characters of many bytes. */
const text = fc.oneof(
  fc.nat(30).map((k) => `www.host${k}.example`),
  fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 4 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.nat(3).map((k) => "long".repeat(500 * k)),
);
const move = fc.record({ what: fc.constantFrom("add", "add", "find"), text });

it("a table of texts has what a map has, whatever was added and looked for", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 200 }), fc.array(text), (moves, others) => {
      const table = new TextTable();
      const map = new Map<string, number>();
      for (const { what, text } of moves) {
        if (what === "add") {
          if (!map.has(text)) map.set(text, map.size);
          expect(table.add(text)).toBe(map.get(text));
        } else expect(table.find(text)).toBe(map.get(text) ?? -1);
        expect(table.size).toBe(map.size);
      }
      const texts = [...moves.map(({ text }) => text), ...others];
      expect(texts.map((each) => table.find(each))).toEqual(texts.map((each) => map.get(each) ?? -1));
      expect([...map.values()].map((number) => table.textOf(number))).toEqual([...map.keys()]);
    }),
    { numRuns: cases(300) },
  );
});

it("a table that has grown by many texts still has them all, and no others", () => {
  const table = new TextTable();
  const textOf = (k: number): string => `www.host${k}.example`;
  for (let k = 0; k < 20_000; k++) expect(table.add(textOf(k))).toBe(k);
  for (let k = 0; k < 40_000; k += 7) expect(table.find(textOf(k))).toBe(k < 20_000 ? k : -1);
  for (let k = 0; k < 20_000; k += 7) expect(table.textOf(k)).toBe(textOf(k));
});
