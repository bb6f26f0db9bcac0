/** A text in pages: together they are the text, and none is too long. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { inPieces, isInsideCharacter, loadTokenCounter, pageEnd } from "../../src/content/index.ts";

const count = await loadTokenCounter();

function pagesOf(text: string, tokensMax: number, lengthMax = 1000): string[] {
  const pages: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = pageEnd(text, from, { tokensMax, lengthMax, count: inPieces(count) });
    expect(end).toBeGreaterThan(from);
    pages.push(text.slice(from, end));
    from = end;
  }
  return pages;
}

it("pages make up the whole text, are within their limits and part no character", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("\n", " ", "😀", "tide", "深い海", "a".repeat(50)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), fc.integer({ min: 8, max: 100 }), (pieces, tokensMax) => {
      const text = pieces.join("");
      const pages = pagesOf(text, tokensMax, 300);
      expect(pages.join("")).toBe(text);
      for (const page of pages) {
        expect(count(page, tokensMax)).toBeDefined();
        expect(page.length).toBeLessThanOrEqual(300);
        expect(page).not.toMatch(/\p{Cs}/u);
      }
    }),
  );
});

it("a page ends at a line break, else at a space, if there is one in its second half", () => {
  expect(pagesOf("one two\nthree four five", 1000, 12)).toEqual(["one two\n", "three four ", "five"]);
  expect(pagesOf("a\nbbbbbbbbbb", 1000, 8)).toEqual(["a\nbbbbbb", "bbbb"]);
  expect(pagesOf("😀😀😀", 1000, 3)).toEqual(["😀", "😀", "😀"]);
  expect(pagesOf("😀", 1000, 1)).toEqual(["😀"]);
  expect([0, 1, 2].map((offset) => isInsideCharacter("😀a", offset))).toEqual([false, true, false]);
});

it("a word of any length is counted in reasonable time, nearly exactly", () => {
  const long = `tide ${"harbour".repeat(1000)} moon`;
  const exact = count(long, Number.POSITIVE_INFINITY) ?? 0;
  expect(Math.abs((inPieces(count)(long, 1e9) ?? 0) - exact)).toBeLessThan(10);
  expect(inPieces(count)(long, exact - 20)).toBeUndefined();
  expect(inPieces(count)("one two three", 3)).toBe(3);
  expect(inPieces(count)("one two three", 2)).toBeUndefined();
  expect(inPieces(count)("x".repeat(300_000), 1e9)).toBeGreaterThan(1000);
});
