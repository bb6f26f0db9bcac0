/** A crawl made by a Tidemark that knew no rereads: version 1 of the tables. */
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { expect, it } from "vitest";
import { createCrawl, openCrawl, openCrawlReadOnly } from "../../src/store/index.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

function crawlOfVersion1(): string {
  const dir = temporaryDirectory();
  tellSmallCrawl(createCrawl(dir, "{}")).close();
  const database = new BetterSqlite(join(dir, "crawl.sqlite"));
  database.exec("DROP TABLE rereads; DROP TABLE reread_outcomes; PRAGMA user_version = 1");
  database.close();
  return dir;
}

function versionOf(dir: string): unknown {
  const database = new BetterSqlite(join(dir, "crawl.sqlite"));
  const version = database.pragma("user_version", { simple: true });
  database.close();
  return version;
}

it("is read as it is, without rereads", () => {
  const dir = crawlOfVersion1();
  const store = openCrawlReadOnly(dir);
  expect([...store.rereads()]).toEqual([]);
  expect([...store.visits()].length).toBeGreaterThan(3);
  store.close();
  expect(versionOf(dir)).toBe(1);
});

it("is brought to version 2 by the first that opens it to write, and keeps all that it had", () => {
  const dir = crawlOfVersion1();
  const before = openCrawlReadOnly(dir);
  const visits = [...before.visits()];
  before.close();
  for (let time = 1; time <= 2; time++) {
    const store = openCrawl(dir);
    expect([...store.visits()]).toEqual(visits);
    expect(store.nextReread).toBe(time);
    store.addReread({
      number: time,
      url: 0,
      atMs: 5,
      outcome: "gone",
      reason: "status-404",
      status: 404,
      digest: null,
      etag: null,
      lastModified: null,
      milliseconds: 1,
      wireBytes: 0,
    });
    store.close();
  }
  expect(versionOf(dir)).toBe(2);
  const store = openCrawlReadOnly(dir);
  expect([...store.rereads()].map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, "gone"],
    [2, "gone"],
  ]);
  store.close();
});
