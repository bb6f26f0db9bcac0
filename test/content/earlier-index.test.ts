/** The index of an earlier moment, however it is made, against the index of a crawl that ended at that moment. */
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesToKeep } from "../../src/content/earlier-file.ts";
import { type SearchIndex as Index, searchExpression, SearchIndex } from "../../src/content/index.ts";
import { openDatabase } from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { archivePage, changePage, type TextPage, visitMs, writeTexts } from "../support/text-crawl.ts";

const newDirectory = (): string => join(temporaryDirectory(), "crawl");
const WORDS = ["tide", "moon", "sea"];

type Change = {
  readonly id: number;
  readonly page: { readonly text: string | null; readonly title?: string } | "gone";
};

function write(dir: string, pages: readonly TextPage[], changes: readonly Change[]): void {
  writeTexts(dir, pages);
  for (const { id, page } of changes) changePage(dir, id, page);
}

function using<T>(dir: string, atMs: number | undefined, act: (index: Index) => T): T {
  const index = new SearchIndex(dir, { atMs });
  try {
    for (const _ of index.update());
    return act(index);
  } finally {
    index.close();
  }
}

/** Every page that fits each of the words, and how well. */
function matches(index: Index): unknown {
  return WORDS.map((word) => [...index.matches(searchExpression(word))].sort((a, b) => a.id - b.id));
}

function found(index: Index): Record<string, number[]> {
  const ids = (word: string): number[] => index.matches(searchExpression(word)).map(({ id }) => id);
  return { sea: ids("sea"), moon: ids("moon") };
}

const isLeft = (name: string): boolean => name.startsWith("tidemark-search-");

describe("the index of an earlier moment", () => {
  const words = fc.array(fc.constantFrom(...WORDS, "other"), { minLength: 1, maxLength: 6 });
  const text = words.map((each) => each.join(" "));
  const page = fc.record({ text: fc.option(text, { freq: 5 }), title: fc.constantFrom(...WORDS) });
  const change = fc.record({ id: fc.nat(11), page: fc.oneof(page, fc.constant("gone" as const)) });

  it("finds what an index of a crawl finds that ended then, and scores it the same, with an index of now or without", () => {
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 12, maxLength: 12 }),
        fc.array(change, { maxLength: 8 }),
        fc.nat(),
        fc.boolean(),
        (pages, changes, at, isIndexed) => {
          const [whole, part] = [newDirectory(), newDirectory()];
          write(whole, pages, changes);
          if (isIndexed) using(whole, undefined, () => {});
          const visits = 1 + (at % (pages.length + changes.length));
          write(part, pages.slice(0, visits), changes.slice(0, Math.max(0, visits - pages.length)));
          const before = isIndexed ? readFileSync(join(whole, "search.sqlite")) : undefined;
          const earlier = using(whole, visitMs(visits), matches);
          expect(earlier).toEqual(using(part, undefined, matches));
          // The index of now is as it was.
          expect(existsSync(join(whole, "search.sqlite"))).toBe(isIndexed || visits === pages.length + changes.length);
          if (before !== undefined) expect(readFileSync(join(whole, "search.sqlite")).equals(before)).toBe(true);
          // What comes later changes nothing, whether the index of then was kept or not.
          changePage(whole, 0, { text: "moon" });
          if (isIndexed) using(whole, undefined, () => {});
          expect(using(whole, visitMs(visits), matches)).toEqual(earlier);
        },
      ),
      { numRuns: cases(60) },
    );
  });

  it("is made of an index of now that has the first visits only", () => {
    const dir = newDirectory();
    const pages = Array.from({ length: 300 }, (_, k) => ({ text: `tide number${k}` }));
    write(dir, pages, [{ id: 3, page: { text: "moon" } }]);
    const index = new SearchIndex(dir);
    // One step: 256 visits, of which visit 4 was replaced.
    index.update().next();
    index.close();
    writeTexts(dir, [{ text: "sea" }], { isNew: false });
    const ids = using(dir, visitMs(300), (earlier) => earlier.matches(searchExpression("tide")).map(({ id }) => id));
    expect(ids.sort((a, b) => a - b)).toEqual(pages.map((_, k) => k));
  });

  it("does not take pages out of an index of now whose texts are in an archive: it is made anew", () => {
    const dir = newDirectory();
    write(dir, [...Array.from({ length: 8 }, () => ({ text: "tide" })), { text: null }], []);
    const [before, after] = [visitMs(9), visitMs(9) + 5000];
    archivePage(dir, "/p8", "<p>The sea", before - 5000);
    archivePage(dir, "/p8", "<p>The moon", after);
    changePage(dir, 8, { text: null });
    expect(using(dir, undefined, found)).toEqual({ sea: [], moon: [8] });
    // A response that no visit tells of, as a crash leaves it: the index keeps the words that it has.
    archivePage(dir, "/p8", "<p>The star", after + 5000);
    expect(using(dir, undefined, found)).toEqual({ sea: [], moon: [8] });
    expect(using(dir, before, found)).toEqual({ sea: [8], moon: [] });
    expect(using(dir, undefined, found)).toEqual({ sea: [], moon: [8] });
  });

  it("costs what has changed since, not what there is", () => {
    const dir = newDirectory();
    const pages = Array.from({ length: 600 }, () => ({ text: "tide" }));
    write(dir, pages, [{ id: 3, page: { text: "moon" } }]);
    const steps = (): number => {
      const index = new SearchIndex(dir, { atMs: visitMs(600) });
      const taken = [...index.update()].length;
      expect(index.matches(searchExpression("tide"))).toHaveLength(600);
      index.close();
      return taken;
    };
    expect(steps()).toBe(2);
    rmSync(join(dir, "search-at-600.sqlite"));
    using(dir, undefined, () => {});
    expect(steps()).toBe(0);
  });

  it("does not merge what changes write, as an index that goes on growing does", () => {
    const dir = newDirectory();
    write(dir, [{ text: "sea" }, { text: "tide" }, { text: "moon" }], [{ id: 1, page: { text: "moon" } }]);
    using(dir, undefined, () => {});
    using(dir, visitMs(3), () => {});
    const merges = (name: string): unknown => {
      const index = openDatabase(join(dir, name), { access: "read", fullText: true });
      const row = index.prepare("SELECT v FROM pages_config WHERE k = 'automerge'").get();
      index.close();
      return row?.[0];
    };
    expect(merges("search-at-3.sqlite")).toBe(0);
    expect(merges("search.sqlite")).toBeUndefined();
  });
});

describe("the file of an earlier moment", () => {
  const threePages = (): string => {
    const dir = newDirectory();
    write(dir, [{ text: "sea" }, { text: "tide" }, { text: "moon" }], [{ id: 1, page: "gone" }]);
    return dir;
  };
  const left = (dir: string): string[] => readdirSync(dir).filter((name) => name.startsWith("search"));

  it("is kept for the next search, which has nothing to do, and only that of the moment searched last", () => {
    const dir = threePages();
    const before = readdirSync(tmpdir()).filter(isLeft);
    for (const visit of [2, 3]) {
      using(dir, visitMs(visit), (index) => expect([index.isNow, index.isTemporary]).toEqual([false, false]));
      expect(left(dir)).toEqual([`search-at-${visit}.sqlite`]);
    }
    expect(readdirSync(tmpdir()).filter(isLeft)).toEqual(before);
    const index = new SearchIndex(dir, { atMs: visitMs(3) });
    // Before any update.
    expect(found(index)).toEqual({ sea: [0], moon: [2] });
    index.close();
  });

  it("is that of a complete index: whoever stops before leaves nothing", () => {
    const dir = newDirectory();
    const pages = Array.from({ length: 600 }, () => ({ text: "tide" }));
    write(dir, pages, [{ id: 3, page: { text: "moon" } }]);
    const index = new SearchIndex(dir, { atMs: visitMs(600) });
    index.update().next();
    expect(left(dir)).toEqual([expect.stringMatching(/^search-at-600\.part-/)]);
    index.close();
    expect(left(dir)).toEqual([]);
  });

  it.each([
    ["damaged", (path: string) => writeFileSync(path, "no database")],
    ["of another crawl", (path: string) => cpSync(join(otherCrawl(), "search.sqlite"), path)],
  ])("is made anew if it is %s", (_, harm) => {
    const dir = threePages();
    using(dir, visitMs(3), () => {});
    harm(join(dir, "search-at-3.sqlite"));
    expect(using(dir, visitMs(3), found)).toEqual({ sea: [0], moon: [2] });
    expect(left(dir)).toEqual(["search-at-3.sqlite"]);
  });

  const otherCrawl = (): string => {
    const dir = newDirectory();
    writeTexts(dir, [{ text: "moon" }, { text: "moon" }, { text: "moon" }], { hashSeed: 2 });
    using(dir, undefined, () => {});
    return dir;
  };

  it("is not kept where that is impossible: each search makes one of its own", () => {
    const dir = threePages();
    mkdirSync(join(dir, "search-at-3.sqlite"));
    for (let k = 0; k < 2; k++) {
      using(dir, visitMs(3), (index) => {
        expect([index.isTemporary, found(index)]).toEqual([true, { sea: [0], moon: [2] }]);
      });
      expect(left(dir)).toEqual(["search-at-3.sqlite"]);
    }
  });

  it("takes away what a killed process has left a day ago, and nothing younger", () => {
    const dir = threePages();
    const [old, young] = [join(dir, "search-at-1.part-abc"), join(dir, "search-at-1.part-def")];
    for (const folder of [old, young]) mkdirSync(folder);
    const dayAgo = Date.now() / 1000 - 90_000;
    utimesSync(old, dayAgo, dayAgo);
    using(dir, visitMs(3), () => {});
    expect(left(dir)).toEqual(["search-at-1.part-def", "search-at-3.sqlite"]);
  });

  it("follows an archive that is readable later", () => {
    const dir = newDirectory();
    write(dir, [{ text: "tide" }, { text: null }], [{ id: 0, page: { text: "star" } }]);
    expect(using(dir, visitMs(2), found)).toEqual({ sea: [], moon: [] });
    archivePage(dir, "/p1", "<p>The sea", visitMs(2) - 5000);
    expect(using(dir, visitMs(2), found)).toEqual({ sea: [1], moon: [] });
    expect(left(dir)).toEqual(["search-at-2.sqlite"]);
  });

  it("needs room for one as large as that of now, or twice the crawl if there is none, and 256 MB more", () => {
    const dir = temporaryDirectory();
    writeFileSync(join(dir, "crawl.sqlite"), Buffer.alloc(1000));
    expect(bytesToKeep(dir)).toBe(2000 + 2 ** 28);
    writeFileSync(join(dir, "search.sqlite"), Buffer.alloc(300));
    expect(bytesToKeep(dir)).toBe(300 + 2 ** 28);
  });

  // A link to itself fails when it is looked at, as a file without permission does, which keeps no superuser out.
  it.each([
    ["search.sqlite", true],
    ["search-at-3.sqlite", false],
    ["search-at-1.part-abc", false],
    ["notes", false],
  ])("is made also beside a file %s that nobody may look at", (name, isTemporary) => {
    const dir = threePages();
    using(dir, visitMs(2), () => {});
    symlinkSync(name, join(dir, name));
    using(dir, visitMs(3), (index) => {
      expect([index.isTemporary, found(index)]).toEqual([isTemporary, { sea: [0], moon: [2] }]);
    });
    // One that is kept takes the place of the one before.
    expect(left(dir).includes("search-at-2.sqlite")).toBe(isTemporary);
  });

  it("is only read once it has its name, also by whoever has it open while the archive changes", () => {
    const dir = newDirectory();
    write(dir, [{ text: "tide" }, { text: null }], [{ id: 0, page: { text: "star" } }]);
    using(dir, visitMs(2), () => {});
    const path = join(dir, "search-at-2.sqlite");
    const [before, { ino }] = [readFileSync(path), statSync(path)];
    // Another name of the same file, so that it stays when another index gets the name.
    linkSync(path, join(dir, "same"));
    using(dir, visitMs(2), (index) => {
      archivePage(dir, "/p1", "<p>The sea", visitMs(2) - 5000);
      for (const _ of index.update());
      expect([index.isTemporary, found(index)]).toEqual([false, { sea: [1], moon: [] }]);
    });
    expect(left(dir)).toEqual(["search-at-2.sqlite"]);
    expect(statSync(path).ino).not.toBe(ino);
    expect(readFileSync(join(dir, "same")).equals(before)).toBe(true);
  });

  it.each([2, 3])("is not mixed with what a killed process has left of the index of visit %i", (visit) => {
    const dir = threePages();
    using(dir, visitMs(visit), () => {});
    const path = join(dir, `search-at-${visit}.sqlite`);
    leaveJournal(path);
    expect(using(dir, visitMs(3), found)).toEqual({ sea: [0], moon: [2] });
    expect(left(dir)).toEqual(["search-at-3.sqlite"]);
  });

  it.each([2, 3])("is not mixed with the journal of another index of visit %i that is gone", (visit) => {
    const dir = threePages();
    const path = join(dir, `search-at-${visit}.sqlite`);
    leaveJournal(path, join(otherCrawl(), "search.sqlite"));
    rmSync(path);
    for (let k = 0; k < 2; k++) expect(using(dir, visitMs(3), found)).toEqual({ sea: [0], moon: [2] });
    expect(left(dir)).toEqual(["search-at-3.sqlite"]);
  });
});

/** As a process does that is killed while it writes: the file is half written, and its journal would undo that. */
function leaveJournal(path: string, from = path): void {
  const copy = join(temporaryDirectory(), "copy.sqlite");
  cpSync(from, copy);
  const database = openDatabase(copy, { access: "write", fullText: true });
  // With so small a cache, changed pages reach the file before the transaction ends.
  database.exec("PRAGMA cache_size = 1; BEGIN; DELETE FROM state; DROP TABLE pages; CREATE TABLE many (x)");
  const insert = database.prepare("INSERT INTO many VALUES (zeroblob(1000))");
  for (let k = 0; k < 200; k++) insert.run();
  for (const end of ["", "-journal"]) cpSync(`${copy}${end}`, `${path}${end}`);
  database.close();
}
