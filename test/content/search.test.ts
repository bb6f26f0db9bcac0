/** Which of the pages that were found come first, and what is shown of them. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Found, type Importance, searchCrawl, SearchIndex, TextReader } from "../../src/content/index.ts";
import { openCrawlReadOnly } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type TextPage, writeTexts } from "../support/text-crawl.ts";

interface Asked {
  readonly query: string;
  readonly importance?: readonly number[];
  readonly isWanted?: (id: number) => boolean;
  readonly from?: number;
  readonly count?: number;
}

function importanceOf(shares: readonly number[]): Importance {
  return { of: (id) => shares[id] ?? 0, greatest: Math.max(0, ...shares), pages: shares.length };
}

function search(pages: readonly TextPage[], { query, importance = [], isWanted, from = 0, count = 10 }: Asked): Found {
  const dir = join(temporaryDirectory(), "crawl");
  writeTexts(dir, pages);
  const index = new SearchIndex(dir);
  for (const _ of index.update());
  const store = openCrawlReadOnly(dir);
  try {
    return searchCrawl(
      { index, store, texts: new TextReader(dir, store) },
      { query, importance: importanceOf(importance), isWanted: isWanted ?? (() => true), from, count },
    );
  } finally {
    store.close();
    index.close();
  }
}

const ids = ({ pages }: Found): number[] => pages.map(({ id }) => id);
const marked = ({ pages }: Found, k = 0): string =>
  pages[k].excerpt.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join("");

describe("the order of results", () => {
  const three = [{ text: "tide one" }, { text: "tide two" }, { text: "tide three" }, { text: "moon" }];

  it("is that of importance among pages that fit equally well", () => {
    expect(ids(search(three, { query: "tide", importance: [0.1, 0.2, 0.7, 0] }))).toEqual([2, 1, 0]);
    expect(ids(search(three, { query: "tide" }))).toEqual([0, 1, 2]);
  });

  it("doubles the score of the most important page, and raises others by the logarithm", () => {
    const plain = new Map(search(three, { query: "tide" }).pages.map(({ id, score }) => [id, score]));
    const { pages } = search(three, { query: "tide", importance: [0.75, 0.25, 0, 0] });
    const factors = new Map(pages.map(({ id, score }) => [id, score / plain.get(id)!]));
    expect(factors.get(0)).toBeCloseTo(2, 12);
    // n = 4 pages: an average page has n·i = 1, the first one 3; log 2 / log 4 = 1/2.
    expect(factors.get(1)).toBeCloseTo(1.5, 12);
    expect(factors.get(2)).toBeCloseTo(1, 12);
  });

  it("puts a page about the words before an important one that mentions them", () => {
    const pages = [
      { text: `tide ${"something else ".repeat(300)}` },
      { text: "tide and tide again", title: "Tide" },
      ...Array.from({ length: 8 }, () => ({ text: "moon" })),
    ];
    expect(ids(search(pages, { query: "tide", importance: [0.9, 0.001] }))).toEqual([1, 0]);
  });

  it("is cut into pieces, with the number of all", () => {
    const importance = [0.4, 0.3, 0.2, 0.1];
    const piece = search(three, { query: "tide", importance, from: 1, count: 1 });
    expect(piece.total).toBe(3);
    expect(ids(piece)).toEqual([1]);
    expect(search(three, { query: "tide", from: 9 })).toEqual({ total: 3, pages: [] });
  });

  it("leaves out pages that are not wanted", () => {
    const found = search(three, { query: "tide", isWanted: (id) => id !== 1 });
    expect(found.total).toBe(2);
    expect(ids(found)).toEqual([0, 2]);
  });
});

describe("the excerpt of a result", () => {
  it("is around the words, which are marked whatever their case and accents", () => {
    const text = `${"before ".repeat(100)}the high\n\n Tídé  comes. ${"after ".repeat(100)}`;
    const [page] = search([{ text }], { query: 'tide "high tide"' }).pages;
    expect(page.excerpt.find(({ isMatch }) => isMatch)?.text).toBe("high Tídé");
    expect(page.excerpt.map(({ text: piece }) => piece).join("")).toMatch(
      /^…(before )+the high Tídé comes\. (after ?)+…$/,
    );
  });

  it("marks a part of a text without spaces, which stays as it is", () => {
    expect(marked(search([{ text: "日本の海洋学は古い。" }], { query: "海洋" }))).toBe("日本の[海洋]学は古い。");
  });

  it("is the beginning of a page that has the words elsewhere", () => {
    expect(marked(search([{ text: "Moon and sea.", title: "Tide" }], { query: "tide" }))).toBe("Moon and sea.");
    expect(marked(search([{ text: "Moon.", title: "Tide" }], { query: "tide moon" }))).toBe("[Moon].");
  });

  it("is not misled by marks of the page", () => {
    expect(marked(search([{ text: "a\ufdd0b\ufdd1 tide \ufdd1c" }], { query: "tide" }))).toBe("a b [tide] c");
  });

  it("is short, even of endless words", () => {
    const found = search([{ text: `tide ${"x".repeat(5000)}` }], { query: "tide" });
    expect(marked(found)).toBe(`[tide] ${"x".repeat(395)}…`);
  });

  it("has its page's URL and title", () => {
    const [page] = search([{ text: "tide", title: "The tide" }], { query: "tide" }).pages;
    expect(page).toMatchObject({ id: 0, url: "http://a.example/", title: "The tide" });
  });
});
