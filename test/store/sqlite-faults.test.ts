/** Files that are damaged, drivers that fail: a named error, and what was committed stays. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCrawl, openCrawl, StoreError } from "../../src/store/index.ts";
import { openDatabase, sqliteFailure } from "../../src/store/sqlite.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { tellUrls } from "./many-urls.ts";

describe("a damaged file", () => {
  it("is said to be damaged, not taken for a shorter crawl", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    tellUrls(store, 20_000);
    store.close();
    const file = openSync(join(dir, "crawl.sqlite"), "r+");
    // The first pages hold the roots of all tables.
    for (let page = 60; page < 100; page++) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
    closeSync(file);
    const damaged = openCrawl(dir);
    const error = errorOf(() => [...damaged.urls()].length);
    expect(error).toMatchObject({ name: "StoreError", kind: "failed" });
    expect(String(error)).toContain("is damaged");
    damaged.close();
  });

  it.each([
    ["in the middle", "id = 1500", 1500],
    ["in the last range", "id = 2500", 2500],
    ["next to the last", "id = 2998", 2998],
    ["first", "id = 0", 0],
    ["of a whole range", "id >= 1024 AND id < 2048", 1024],
  ])("from which a row was deleted by hand is noticed, %s", (_, where, row) => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    tellUrls(store, 3000);
    store.close();
    const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
    database.exec(`DELETE FROM urls WHERE ${where}`);
    database.close();
    const damaged = openCrawl(dir);
    expect(() => [...damaged.urls()]).toThrow(`row ${row} of the table urls is missing`);
    damaged.close();
  });
});

describe("what a driver says, in words", () => {
  const better = (code: string) => Object.assign(new Error("said"), { code });
  const node = (errcode: number) => Object.assign(new Error("said"), { code: "ERR_SQLITE_ERROR", errcode });

  it.each([
    [better("SQLITE_FULL"), "disk-full", "the disk is full: free space"],
    [node(13), "disk-full", "the disk is full: free space"],
    [better("SQLITE_IOERR_SHMSIZE"), "disk-full", "the disk is full: free space"],
    [node(4874), "disk-full", "the disk is full: free space"],
    [better("ENOSPC"), "disk-full", "the disk is full: free space"],
    [better("SQLITE_READONLY_DBMOVED"), "failed", "read-only"],
    [node(8), "failed", "read-only"],
    [better("SQLITE_IOERR_WRITE"), "failed", "is the disk still there"],
    [node(778), "failed", "is the disk still there"],
    [better("SQLITE_CORRUPT"), "failed", "is damaged"],
    [node(26), "failed", "is not a SQLite database"],
    [better("SQLITE_BUSY_SNAPSHOT"), "failed", "in use by another process"],
    [node(5), "failed", "in use by another process"],
    [better("SQLITE_MISUSE"), "failed", "could not be used"],
  ])("%#: %s", (error, kind, words) => {
    const failure = sqliteFailure("dir/crawl.sqlite", error);
    expect(failure).toMatchObject({ name: "StoreError", kind, cause: error });
    expect(String(failure)).toContain("dir/crawl.sqlite");
    expect(String(failure)).toContain(words);
  });

  it("and what is not SQLite's is left alone", () => {
    const bug = new TypeError("x is not a function");
    expect(sqliteFailure("f", bug)).toBe(bug);
    const other = new StoreError("failed", "already named");
    expect(sqliteFailure("f", other)).toBe(other);
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
