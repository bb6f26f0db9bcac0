/** The index of a crawl against a plain scan of its texts, and whatever may happen to its file. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasTexts, searchExpression, SearchIndex } from "../../src/content/index.ts";
import { openCrawl, openCrawlReadOnly, openDatabase, openWarc } from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type TextPage, writeTexts } from "../support/text-crawl.ts";

const newDirectory = (): string => join(temporaryDirectory(), "crawl");

/** The ids of the pages that fit, after an update. */
function found(dir: string, query: string): number[] {
  return using(dir, (index) => idsOf(index, query));
}

function isSearchable(dir: string): boolean {
  const store = openCrawlReadOnly(dir);
  try {
    return hasTexts(dir, store);
  } finally {
    store.close();
  }
}

function using<T>(dir: string, act: (index: SearchIndex) => T): T {
  const index = new SearchIndex(dir);
  try {
    for (const _ of index.update());
    return act(index);
  } finally {
    index.close();
  }
}

function idsOf(index: SearchIndex, query: string): number[] {
  const ids = index.matches(searchExpression(query)).map(({ id }) => id);
  return ids.sort((a, b) => a - b);
}

const plain = (count: number, word: string): TextPage[] =>
  Array.from({ length: count }, (_, k) => ({ text: `${word} number${k}` }));

describe("a page is found", () => {
  const words = fc.constantFrom("tide", "Tide", "tídé", "tidal", "moon", "moons", "sea", "Ärger", "arger", "ß", "木星");
  const pages = fc.array(fc.array(words, { maxLength: 6 }), { minLength: 1, maxLength: 12 });
  const term = fc.record({ phrase: fc.array(words, { minLength: 1, maxLength: 2 }), isPrefix: fc.boolean() });
  const query = fc.record({
    wanted: fc.array(term, { minLength: 1, maxLength: 2 }),
    excluded: fc.array(term, { maxLength: 1 }),
  });
  type Term = { readonly phrase: readonly string[]; readonly isPrefix: boolean };

  const folded = (word: string): string => word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  /** Of a prefix, the last word is cut by one character. */
  const last = ({ phrase, isPrefix }: Term): string => phrase.at(-1)!.slice(0, isPrefix ? -1 : undefined) || "t";
  const typed = (term: Term): string =>
    `"${[...term.phrase.slice(0, -1), last(term)].join(" ")}"${term.isPrefix ? "*" : ""}`;
  const isAt = (page: readonly string[], at: number, term: Term): boolean =>
    term.phrase.every((word, k) => {
      const there = folded(page[at + k] ?? "");
      if (k < term.phrase.length - 1) return there === folded(word);
      return term.isPrefix ? there.startsWith(folded(last(term))) : there === folded(last(term));
    });
  const has = (page: readonly string[], term: Term): boolean => page.some((_, at) => isAt(page, at, term));

  it("if and only if a plain scan of its words finds it", () => {
    fc.assert(
      fc.property(pages, fc.array(query, { minLength: 20, maxLength: 40 }), (pages, queries) => {
        const dir = newDirectory();
        writeTexts(
          dir,
          pages.map((page) => ({ text: page.join(", ") })),
        );
        using(dir, (index) => {
          for (const { wanted, excluded } of queries) {
            const text = [...wanted.map(typed), ...excluded.map((term) => `-${typed(term)}`)].join(" ");
            const scanned = pages.flatMap((page, id) =>
              wanted.every((term) => has(page, term)) && !excluded.some((term) => has(page, term)) ? [id] : [],
            );
            expect({ text, found: idsOf(index, text) }).toEqual({ text, found: scanned });
          }
        });
      }),
      // Each run writes files: shrinking would take minutes.
      { numRuns: cases(10), endOnFailure: true },
    );
  });

  it("by words of its title and of its URL, as people read it", () => {
    const dir = newDirectory();
    writeTexts(dir, [
      { text: "x", title: "The Tide" },
      { text: "x", path: "/high%20w%C3%A4ter/moon-phases.html" },
      { text: "x", path: "/100%/odd" },
    ]);
    expect(found(dir, "tide")).toEqual([0]);
    expect(found(dir, "water moon")).toEqual([1]);
    expect(found(dir, "odd")).toEqual([2]);
    expect(found(dir, "http")).toEqual([]);
  });

  it.each([
    ["海洋", [0]],
    ["洋学", [0]],
    ["学海", []],
    ["東京タワー", [1]],
    ["2020年", [1]],
    ["ทะเล", [2]],
    ['"の海洋学は"', [0]],
    ["海 -東京", [0]],
    ["바다", [3]],
  ])("by any part of a text that has no spaces: %s", (query, ids) => {
    const dir = newDirectory();
    writeTexts(dir, [
      { text: "日本の海洋学は古い。" },
      { text: "海と東京タワー、2020年" },
      { text: "คลื่นในทะเลไทย" },
      { text: "바다 이야기" },
    ]);
    expect(found(dir, query)).toEqual(ids);
  });

  it("with a better score if the word is in its title", () => {
    const dir = newDirectory();
    const filler = plain(20, "sea").map((page) => ({ ...page, title: "Sea" }));
    writeTexts(dir, [...filler, { text: "of the tide", title: "Sea" }, { text: "of the sea", title: "Tide" }]);
    const scores = using(dir, (index) => new Map(index.matches('"tide"').map(({ id, score }) => [id, score])));
    expect(scores.get(21)).toBeGreaterThan(2 * scores.get(20)!);
  });
});

describe("an index", () => {
  it("learns of the pages fetched since, and of no page twice", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(3, "tide"));
    expect(found(dir, "tide")).toEqual([0, 1, 2]);
    writeTexts(dir, [{ text: "moon" }, ...plain(1, "tide")], { isNew: false });
    expect(found(dir, "tide")).toEqual([0, 1, 2, 4]);
    expect(found(dir, "moon")).toEqual([3]);
    expect(found(dir, "tide")).toEqual([0, 1, 2, 4]);
  });

  it("is not touched while there is nothing new", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(3, "tide"));
    found(dir, "tide");
    const before = readFileSync(join(dir, "search.sqlite"));
    expect(using(dir, () => true)).toBe(true);
    expect(readFileSync(join(dir, "search.sqlite")).equals(before)).toBe(true);
  });

  it("of another crawl is made again", () => {
    const [dir, other] = [newDirectory(), newDirectory()];
    writeTexts(dir, plain(3, "tide"));
    writeTexts(other, plain(5, "moon"), { hashSeed: 2 });
    found(dir, "tide");
    cpSync(join(dir, "search.sqlite"), join(other, "search.sqlite"));
    expect(found(other, "tide")).toEqual([]);
    expect(found(other, "moon")).toEqual([0, 1, 2, 3, 4]);
  });

  it("of a copy that took another course is made again", () => {
    const [dir, copy] = [newDirectory(), newDirectory()];
    writeTexts(dir, plain(2, "tide"));
    cpSync(dir, copy, { recursive: true });
    writeTexts(dir, plain(2, "moon"), { isNew: false });
    found(dir, "moon");
    cpSync(join(dir, "search.sqlite"), join(copy, "search.sqlite"));
    // It knows more visits than the copy has.
    expect(found(copy, "moon")).toEqual([]);
    cpSync(join(dir, "search.sqlite"), join(copy, "search.sqlite"));
    writeTexts(copy, [...plain(1, "sea"), { text: "sea" }, { text: "sea" }], { isNew: false });
    const database = openDatabase(join(copy, "crawl.sqlite"), { access: "write" });
    database.exec("UPDATE visits SET at_ms = at_ms + 7 WHERE number = 4");
    database.close();
    expect(found(copy, "moon")).toEqual([]);
    expect(found(copy, "sea")).toEqual([2, 3, 4]);
  });

  it.each([
    [
      "damaged at its start",
      (path: string) => writeFileSync(path, "this is no database at all, but long enough. ".repeat(99)),
    ],
    ["empty", (path: string) => writeFileSync(path, "")],
    ["deleted", (path: string) => rmSync(path)],
  ])("that is %s is made again", (_, harm) => {
    const dir = newDirectory();
    writeTexts(dir, plain(3, "tide"));
    found(dir, "tide");
    harm(join(dir, "search.sqlite"));
    expect(found(dir, "tide")).toEqual([0, 1, 2]);
  });

  it("that is damaged in its middle is deleted, and made again by the next search", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(300, "tide"));
    found(dir, "tide");
    const path = join(dir, "search.sqlite");
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, 2 * 4096));
    expect(() => found(dir, "tide")).toThrow("was damaged and is deleted; search again, and it is made again");
    expect(found(dir, "tide")).toHaveLength(300);
  });

  it("does not take the place of another program's file", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(1, "tide"));
    const database = openDatabase(join(dir, "search.sqlite"), { access: "write" });
    database.exec("CREATE TABLE mine (x)");
    database.close();
    expect(() => new SearchIndex(dir)).toThrow("is not an index of ours, and its name is needed for one: move it away");
  });

  it("is made in a temporary folder where the directory may not be written, which goes when it is closed", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(2, "tide"));
    // For SQLite the same as a directory without permission, which keeps no superuser out.
    mkdirSync(join(dir, "search.sqlite"));
    const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("tidemark-search-"));
    const before = folders();
    using(dir, (index) => {
      expect(index.isTemporary).toBe(true);
      expect(idsOf(index, "tide")).toEqual([0, 1]);
      expect(folders().length).toBe(before.length + 1);
    });
    expect(folders()).toEqual(before);
  });
});

describe("an update", () => {
  it("goes on where one that failed in the middle had come to", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(600, "tide"));
    const break500 = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
    const [text] = break500.prepare("SELECT text FROM texts WHERE visit = 500").get() as readonly [Uint8Array];
    break500.exec("UPDATE texts SET text = x'ff00' WHERE visit = 500");
    const index = new SearchIndex(dir);
    expect(() => [...index.update()]).toThrow();
    // The step that failed has left nothing.
    expect(idsOf(index, "tide")).toHaveLength(256);
    index.close();
    break500.prepare("UPDATE texts SET text = ? WHERE visit = 500").run(text);
    break500.close();
    expect(found(dir, "tide")).toHaveLength(600);
    expect(found(dir, "number499")).toEqual([499]);
  });

  it("shares the work with another one", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(1100, "tide"));
    const [a, b] = [new SearchIndex(dir), new SearchIndex(dir)];
    const [first, second] = [a.update(), b.update()];
    const seen: number[] = [];
    for (let isDone = false; !isDone; ) {
      for (const step of [first.next(), second.next()]) {
        if (step.done === true) isDone = true;
        else seen.push(step.value.done);
      }
    }
    expect(seen).toEqual([256, 512, 768, 1024]);
    for (const index of [a, b]) {
      expect(idsOf(index, "tide")).toHaveLength(1100);
      index.close();
    }
  });

  it("waits for another process that writes, and says how far that is", () => {
    const dir = newDirectory();
    writeTexts(dir, plain(300, "tide"));
    const index = new SearchIndex(dir);
    const update = index.update();
    expect(update.next().value?.done).toBe(256);
    const other = openDatabase(join(dir, "search.sqlite"), { access: "write" });
    other.exec("BEGIN IMMEDIATE");
    expect(update.next().value).toEqual({ task: "indexing", done: 256, total: 300, unit: "visits" });
    other.exec("ROLLBACK");
    other.close();
    expect(update.next().done).toBe(true);
    expect(idsOf(index, "tide")).toHaveLength(300);
    index.close();
  });

  it("reads pages of the archive once the crawl has closed it", () => {
    const dir = newDirectory();
    writeTexts(dir, [{ text: null }, { text: "moon" }, { text: null, path: "/picture" }]);
    expect(isSearchable(dir)).toBe(true);
    expect(found(dir, "tide")).toEqual([]);
    const store = openCrawl(dir);
    const archive = openWarc(dir, store, { software: "tidemark/0.0" });
    archive.keep({
      url: "http://a.example/",
      dateMs: 0,
      address: null,
      requestHeaders: [],
      status: 200,
      headers: { "content-type": "text/html" },
      body: Buffer.from("<p>The tide"),
      truncated: false,
    });
    store.close();
    expect(found(dir, "tide")).toEqual([0]);
    expect(found(dir, "moon")).toEqual([1]);
    writeTexts(dir, plain(1, "tide"), { isNew: false });
    expect(found(dir, "tide")).toEqual([0, 3]);
  });
});

it("a crawl without texts is known by that", () => {
  const dir = newDirectory();
  writeTexts(dir, [{ text: null }]);
  expect(isSearchable(dir)).toBe(false);
  expect(existsSync(join(dir, "search.sqlite"))).toBe(false);
});
