import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { createCrawl, isCrawl, openCrawl, openCrawlReadOnly, type SqliteStore } from "../../src/store/index.ts";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const seed = {
  id: 0,
  origin: 0,
  path: "/",
  depth: 0,
  source: "seed",
  discoveredAt: 0,
  reason: null,
} as const;

describe("a crawl is made", () => {
  it("in a directory that does not exist, and in an empty one", () => {
    const dir = temporaryDirectory();
    for (const place of [dir, join(dir, "a", "b")]) {
      if (place === dir) expect(readdirSync(place)).toEqual([]);
      expect(isCrawl(place)).toBe(false);
      createCrawl(place, "{}").close();
      expect(isCrawl(place)).toBe(true);
      expect(readdirSync(place).filter((name) => name !== "a")).toEqual(["crawl.sqlite", "lock.sqlite"]);
    }
  });

  it("where a process died while making one", () => {
    const dir = temporaryDirectory();
    createCrawl(join(dir, "whole"), "{}").close();
    const half = join(dir, "half");
    mkdirSync(half);
    writeFileSync(join(half, "crawl.sqlite.new"), readFileSync(join(dir, "whole", "crawl.sqlite")).subarray(0, 5000));
    cpSync(join(dir, "whole", "lock.sqlite"), join(half, "lock.sqlite"));
    expect(() => openCrawl(half)).toThrow("is not a crawl directory");
    createCrawl(half, '{"a":1}').close();
    expect(readSettings(half)).toBe('{"a":1}');
  });

  it("but not where one is", () => {
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    expectRefused(dir, () => createCrawl(dir, "{}"), "already holds a crawl");
  });

  it("nor where something else is", () => {
    const dir = temporaryDirectory();
    writeFileSync(join(dir, "thesis.txt"), "");
    expectRefused(dir, () => createCrawl(dir, "{}"), "is not a crawl directory and is not empty (thesis.txt)");
    expectRefused(dir, () => createCrawl(join(dir, "thesis.txt"), "{}"), "is a file");
    expectRefused(dir, () => createCrawl(join(dir, "thesis.txt", "x"), "{}"), "cannot be used as the directory");
  });
});

describe("a directory is refused and left as it was", () => {
  it.each([
    ["that does not exist", () => {}, "does not exist"],
    ["that is empty", (dir: string) => mkdirSync(dir), "is not a crawl directory: it has no crawl.sqlite"],
    [
      "whose file is text",
      (dir: string) => fileIn(dir, "hello, this is no database, as everybody can see"),
      "is not a crawl directory: crawl.sqlite is damaged or was made by another program",
    ],
    ["whose file is empty", (dir: string) => fileIn(dir, ""), "is damaged or was made by another program"],
    ["of another program", (dir: string) => foreign(dir, 0, 0), "was made by another program"],
    [
      "of a newer version",
      (dir: string) => foreign(dir, 0x54696465, SCHEMA_VERSION + 1),
      `made by a newer version of tidemark (its tables are version ${SCHEMA_VERSION + 1}`,
    ],
  ])("%s", (_what, make, words) => {
    const dir = join(temporaryDirectory(), "crawl");
    make(dir);
    expectRefused(dir, () => openCrawl(dir), words);
    expectRefused(dir, () => openCrawlReadOnly(dir), words);
  });

  it("whose file was overwritten after it was locked once", () => {
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    writeFileSync(join(dir, "crawl.sqlite"), "x".repeat(5000));
    expectRefused(dir, () => openCrawl(dir), "is not a SQLite database, or is damaged");
    foreign(dir, 0x54696465, SCHEMA_VERSION + 1);
    expectRefused(dir, () => openCrawl(dir), "made by a newer version");
  });

  it("whose lock is no lock, saying that it may be deleted", () => {
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    writeFileSync(join(dir, "lock.sqlite"), "x".repeat(5000));
    expectRefused(dir, () => openCrawl(dir), "delete it while nothing crawls");
  });
});

describe("one process a directory", () => {
  it("learns who holds it, and may meanwhile read what was committed before", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, '{"first":true}');
    store.addOrigin(0, "http://a.example");
    store.addUrl(seed);
    store.commit();
    expectUsage(() => openCrawl(dir), `is in use by process ${process.pid}`);
    const reader = openCrawlReadOnly(dir);
    expect([...reader.urls()]).toHaveLength(1);
    store.addUrl({ ...seed, id: 1, path: "/later" });
    store.commit();
    expect([...reader.urls()]).toHaveLength(1);
    expect(() => reader.commit()).toThrow("opened to be read");
    reader.close();
    store.close();
    expect(urlsOf(openCrawlReadOnly(dir))).toEqual(["/", "/later"]);
    expect(readdirSync(dir)).toEqual(["crawl.sqlite", "lock.sqlite"]);
    openCrawl(dir).close();
  });

  it("neither waits for a reader that came before it nor for one that stays", () => {
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    const reader = openCrawlReadOnly(dir);
    const startMs = performance.now();
    const store = openCrawl(dir);
    store.addOrigin(0, "http://a.example");
    store.addUrl(seed);
    store.close();
    expect(performance.now() - startMs).toBeLessThan(4000);
    expect([...reader.urls()]).toEqual([]);
    reader.close();
    expect(readdirSync(dir)).toEqual(["crawl.sqlite", "lock.sqlite"]);
    const header = readFileSync(join(dir, "crawl.sqlite"));
    // Bytes 18 and 19 of the file: 1 is a plain file, 2 one that needs a log beside it.
    expect([header[18], header[19]]).toEqual([1, 1]);
    expect(urlsOf(openCrawlReadOnly(dir))).toEqual(["/"]);
  });

  it("is refused where a foreign reader of a plain file holds on to it", () => {
    const dir = temporaryDirectory();
    createCrawl(dir, "{}").close();
    const foreigner = openDatabase(join(dir, "crawl.sqlite"), { access: "read" });
    onTestFinished(() => void foreigner.close());
    foreigner.exec("BEGIN; SELECT * FROM meta");
    foreigner.prepare("SELECT * FROM meta").all();
    expect(readSettingsOf(openCrawlReadOnly(dir))).toBe("{}");
    expectRefused(dir, () => openCrawl(dir), "is being read by another process");
  });
});

function urlsOf(store: SqliteStore): (string | null)[] {
  const paths = [...store.urls()].map(({ path }) => path);
  store.close();
  return paths;
}

function readSettings(dir: string): string {
  return readSettingsOf(openCrawl(dir));
}

function readSettingsOf(store: SqliteStore): string {
  const settings = store.settings();
  store.close();
  return settings;
}

function fileIn(dir: string, text: string): void {
  mkdirSync(dir);
  writeFileSync(join(dir, "crawl.sqlite"), text);
}

function foreign(dir: string, applicationId: number, version: number): void {
  if (!existsSync(dir)) mkdirSync(dir);
  writeFileSync(join(dir, "crawl.sqlite"), "");
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; CREATE TABLE t (x)`);
  database.close();
}

function expectUsage(act: () => unknown, words: string): void {
  let error: unknown;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(words);
}

function expectRefused(dir: string, act: () => unknown, words: string): void {
  const before = existsSync(dir) ? readdirSync(dir) : undefined;
  expectUsage(act, words);
  expect(existsSync(dir) ? readdirSync(dir) : undefined).toEqual(before);
}
