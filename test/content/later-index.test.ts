/** An index that goes forward, whatever happened to the crawl since, against one that is made anew. */
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchCrawl, searchExpression, SearchIndex, TextReader } from "../../src/content/index.ts";
import { openCrawl, openCrawlReadOnly, openDatabase } from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { takeOutSuperseded } from "../support/older-tables.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { archivePage, changePage, changePages, type TextChange, visitMs, writeTexts } from "../support/text-crawl.ts";

const newDirectory = (): string => join(temporaryDirectory(), "crawl");
const WORDS = ["tide", "moon", "sea"];

function using<T>(dir: string, act: (index: SearchIndex) => T): T {
  const index = new SearchIndex(dir);
  try {
    for (const _ of index.update());
    return act(index);
  } finally {
    index.close();
  }
}

/** All that searches find, with ranks, scores and excerpts. */
function found(dir: string): unknown {
  return using(dir, (index) => {
    const store = openCrawlReadOnly(dir);
    const importance = { of: (id: number) => 1 / (2 + id), greatest: 0.5, pages: 10 };
    const options = { importance, isWanted: () => true, from: 0, count: 100 };
    try {
      const crawl = { index, store, texts: new TextReader(dir, store) };
      return [...WORDS, "tide -moon"].map((query) => searchCrawl(crawl, { query, ...options }));
    } finally {
      store.close();
    }
  });
}

function foundAnew(dir: string): unknown {
  const copy = newDirectory();
  cpSync(dir, copy, { recursive: true });
  rmSync(join(copy, "search.sqlite"), { force: true });
  return found(copy);
}

function idsOf(index: SearchIndex, query: string): number[] {
  const ids = index.matches(searchExpression(query)).map(({ id }) => id);
  return ids.sort((a, b) => a - b);
}

/** How many steps it took before the last one. */
function stepsOf(dir: string): number {
  const index = new SearchIndex(dir);
  const steps = [...index.update()].length;
  index.close();
  return steps;
}

/** As `refresh --keep-visits` does. */
function keepNewest(dir: string, newest: number): void {
  const store = openCrawl(dir);
  for (const numbers of store.deletableVisits({ newest })) if (numbers.length > 0) store.deleteVisits(numbers);
  store.close();
}

const manyPages = (count: number) => Array.from({ length: count }, (_, k) => ({ text: `tide number${k}` }));
const manyChanges = (count: number, word: string): TextChange[] =>
  Array.from({ length: count }, (_, k) => ({ id: 2 * k, page: { text: `${word} number${k}` } }));

describe("an index that goes forward", () => {
  const words = fc.array(fc.constantFrom(...WORDS, "other"), { minLength: 1, maxLength: 6 });
  const text = words.map((each) => each.join(" "));
  const page = fc.record({ text: fc.option(text, { freq: 5 }), title: fc.constantFrom(...WORDS) });
  const change = fc.record({ id: fc.nat(15), page: fc.oneof(page, fc.constant("gone" as const)) });
  const round = fc.record({
    changes: fc.array(change, { maxLength: 4 }),
    added: fc.array(page, { maxLength: 2 }),
    isSearched: fc.boolean(),
    newest: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 }),
  });

  it("finds what one finds that is made anew, in the same order, with the same scores and excerpts", () => {
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 16, maxLength: 16 }),
        fc.array(round, { minLength: 1, maxLength: 4 }),
        (pages, rounds) => {
          const dir = newDirectory();
          writeTexts(dir, pages);
          using(dir, () => {});
          for (const { changes, added, isSearched, newest } of rounds) {
            changePages(dir, changes);
            writeTexts(dir, added, { isNew: false });
            if (newest !== null) keepNewest(dir, newest);
            if (isSearched) expect(found(dir)).toEqual(foundAnew(dir));
          }
          expect(found(dir)).toEqual(foundAnew(dir));
        },
      ),
      { numRuns: cases(60), endOnFailure: true },
    );
  });

  it("costs what has changed, and is made anew where that is less", () => {
    const dir = newDirectory();
    writeTexts(dir, manyPages(600));
    expect(stepsOf(dir)).toBe(2);
    changePages(dir, manyChanges(100, "moon"));
    expect(stepsOf(dir)).toBe(0);
    changePages(dir, manyChanges(299, "sea"));
    // 700 visits are known; 256 more, then 43.
    expect(stepsOf(dir)).toBe(1);
    changePages(dir, manyChanges(300, "moon"));
    // All 1,299, of which most were replaced.
    expect(stepsOf(dir)).toBe(4);
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("has after each step what was known after its last visit, and another process goes on from there", () => {
    const dir = newDirectory();
    writeTexts(dir, manyPages(1100));
    using(dir, () => {});
    // Each of 200 pages changes twice, at first into what is gone at last.
    changePages(dir, [...manyChanges(200, "moon"), ...manyChanges(200, "sea")]);
    const [a, b] = [new SearchIndex(dir), new SearchIndex(dir)];
    const update = a.update();
    expect(update.next().value?.done).toBe(1100 + 256);
    expect([idsOf(a, "tide").length, idsOf(a, "moon").length, idsOf(a, "sea").length]).toEqual([900, 144, 56]);
    a.close();
    for (const _ of b.update());
    expect([idsOf(b, "tide").length, idsOf(b, "moon").length, idsOf(b, "sea").length]).toEqual([900, 0, 200]);
    b.close();
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("shares the work with another one", () => {
    const dir = newDirectory();
    writeTexts(dir, manyPages(2200));
    using(dir, () => {});
    changePages(dir, manyChanges(1000, "moon"));
    const [a, b] = [new SearchIndex(dir), new SearchIndex(dir)];
    const seen = [a.update(), b.update()].map((update) => update.next().value?.done);
    expect(seen).toEqual([2200 + 256, 2200 + 512]);
    for (const index of [a, b]) {
      for (const _ of index.update());
      expect(idsOf(index, "moon")).toHaveLength(1000);
      index.close();
    }
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("follows a page that is gone, comes back, and is new", () => {
    const dir = newDirectory();
    writeTexts(dir, [...manyPages(20), { text: "sea" }]);
    using(dir, () => {});
    changePage(dir, 20, "gone");
    expect(using(dir, (index) => idsOf(index, "sea"))).toEqual([]);
    changePage(dir, 20, { text: "moon" });
    writeTexts(dir, [{ text: "moon" }], { isNew: false });
    expect(using(dir, (index) => [idsOf(index, "sea"), idsOf(index, "moon")])).toEqual([[], [20, 21]]);
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("is made anew once a visit is deleted whose words it has, and goes forward while it has none of them", () => {
    const dir = newDirectory();
    writeTexts(dir, manyPages(600));
    using(dir, () => {});
    changePage(dir, 3, { text: "moon" });
    keepNewest(dir, 2);
    expect(stepsOf(dir)).toBe(0);
    changePage(dir, 3, { text: "sea" });
    keepNewest(dir, 2);
    expect(stepsOf(dir)).toBe(0);
    changePage(dir, 3, { text: "moon" });
    keepNewest(dir, 1);
    expect(stepsOf(dir)).toBe(2);
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("is made anew where the text that a page had is in an archive", () => {
    const dir = newDirectory();
    writeTexts(dir, [...manyPages(20), { text: null }]);
    archivePage(dir, "/p20", "<p>The moon", visitMs(21));
    expect(using(dir, (index) => idsOf(index, "moon"))).toEqual([20]);
    archivePage(dir, "/p20", "<p>The sea", visitMs(22) + 5000);
    changePage(dir, 20, { text: null });
    expect(using(dir, (index) => [idsOf(index, "moon"), idsOf(index, "sea")])).toEqual([[], [20]]);
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("looks for texts in an archive only when it has the visits of now", () => {
    const dir = newDirectory();
    writeTexts(dir, [...manyPages(600), { text: null }, { text: null }]);
    using(dir, () => {});
    changePage(dir, 600, { text: "moon" });
    archivePage(dir, "/p601", "<p>The sea", visitMs(602));
    // One step for the visit, one for the archive, one that finds no more.
    expect(stepsOf(dir)).toBe(2);
    expect(using(dir, (index) => [idsOf(index, "moon"), idsOf(index, "sea")])).toEqual([[600], [601]]);
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("goes on from the index of a crawl whose tables knew no second visit", () => {
    const dir = newDirectory();
    writeTexts(dir, manyPages(600));
    const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
    database.exec("DROP TABLE deleted_ranges; ALTER TABLE rereads DROP COLUMN earlier; DROP TABLE deleted_visits");
    takeOutSuperseded(database);
    database.exec("PRAGMA user_version = 8");
    database.close();
    expect(stepsOf(dir)).toBe(2);
    expect(stepsOf(dir)).toBe(0);
    changePage(dir, 3, { text: "moon" });
    expect(stepsOf(dir)).toBe(0);
    expect(using(dir, (index) => [idsOf(index, "moon"), idsOf(index, "tide").length])).toEqual([[3], 599]);
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("is made anew if it was not complete when pages changed", () => {
    const dir = newDirectory();
    writeTexts(dir, manyPages(600));
    changePage(dir, 3, { text: "moon" });
    const index = new SearchIndex(dir);
    index.update().next();
    index.close();
    changePage(dir, 3, { text: "sea" });
    expect(found(dir)).toEqual(foundAnew(dir));
  });

  it("serves an earlier moment, also one after its last visit", () => {
    const dir = newDirectory();
    writeTexts(dir, manyPages(600));
    using(dir, () => {});
    changePages(dir, manyChanges(20, "moon"));
    changePages(dir, manyChanges(20, "sea"));
    const before = readFileSync(join(dir, "search.sqlite"));
    for (const [visits, tide, moon, sea] of [
      [600, 600, 0, 0],
      [620, 580, 20, 0],
      [630, 580, 10, 10],
    ]) {
      const index = new SearchIndex(dir, { atMs: visitMs(visits) });
      // None of it is indexed anew.
      expect([...index.update()]).toEqual([]);
      expect(WORDS.map((word) => idsOf(index, word).length)).toEqual([tide, moon, sea]);
      index.close();
    }
    expect(readFileSync(join(dir, "search.sqlite")).equals(before)).toBe(true);
  });
});
