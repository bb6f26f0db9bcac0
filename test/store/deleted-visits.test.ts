/** A log on disk whose earlier visits are deleted: gaps on purpose, gaps that are damage, and the size of the file. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LogCompaction } from "../../src/crawl/index.ts";
import { BLANK_VISIT, type Visit } from "../../src/log/index.ts";
import { createCrawl, type KeptVisits, openCrawl, openCrawlReadOnly, type SqliteStore } from "../../src/store/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { START_MS, writeReads } from "../support/reread-logs.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const PAGES = 100;
const START = 1_700_000_000_000;
const DAY = 86_400_000;
const UNCHANGED = {
  url: 0,
  waitMs: DAY,
  outcome: "unchanged",
  isBelieved: true,
  etag: null,
  ageMs: null,
  place: "",
} as const;

function visit(number: number): Visit {
  return {
    ...BLANK_VISIT,
    number,
    url: (number - 1) % PAGES,
    atMs: START + number,
    status: 200,
    wireBytes: 1000,
    milliseconds: 1,
    contentType: "text/html",
    title: `Visit ${number}`,
    links: Uint32Array.of(number % PAGES),
  };
}

/** Reads all pages so many times more. */
function readAll(store: SqliteStore, times: number): void {
  for (let time = 0; time < times; time++) {
    for (let page = 0; page < PAGES; page++) {
      const { nextVisit } = store;
      store.addVisit(visit(nextVisit), nextVisit > PAGES ? nextVisit - PAGES : undefined);
      store.addTexts(nextVisit, { text: new Uint8Array(2000).fill(nextVisit), markdown: null, html: null });
    }
  }
}

/** Each page was read eleven times: visits 1 to 1,100, of which 1,001 to 1,100 count. */
function crawl(): string {
  const dir = temporaryDirectory();
  const store = createCrawl(dir, "{}");
  store.addOrigin(0, "http://a.example");
  for (let id = 0; id < PAGES; id++) {
    store.addUrl({ id, origin: 0, path: `/${id}`, depth: 0, source: "seed", discoveredAt: 0, reason: null });
  }
  readAll(store, 11);
  store.close();
  return dir;
}

/** `nowMs`: reads of the two days before it are not condensed. */
function compacted(dir: string, kept: KeptVisits, nowMs = START): number {
  const store = openCrawl(dir);
  const compaction = new LogCompaction(store, kept, nowMs);
  for (let steps = 0, before = 0; compaction.step(); steps++, before = compaction.deleted) {
    expect(steps).toBeLessThan(12);
    expect(compaction.deleted - before).toBeLessThanOrEqual(256);
  }
  store.close();
  return compaction.deleted;
}

function numbersOf(dir: string, atMs?: number): number[] {
  const store = openCrawlReadOnly(dir, { atMs });
  try {
    return Array.from(store.visits(), ({ number, links, title }) => {
      expect([title, links?.[0]]).toEqual([`Visit ${number}`, number % PAGES]);
      return number;
    });
  } finally {
    store.close();
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, k) => first + k);
}

/** Whoever meddles with the file. */
function edit(dir: string, sql: string): void {
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  database.exec("PRAGMA foreign_keys = OFF");
  database.exec(sql);
  database.close();
}

function rowsIn(dir: string, table: string): number {
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "read" });
  const count = database.prepare(`SELECT count(*) FROM ${table}`).get()?.[0];
  database.close();
  return count as number;
}

it("keeps the newest visits of each page, in steps, and deletes nothing twice", () => {
  const dir = crawl();
  expect(compacted(dir, { newest: 12 })).toBe(0);
  expect(compacted(dir, { newest: 4 })).toBe(700);
  expect(compacted(dir, { newest: 4 })).toBe(0);
  expect(["visits", "links", "texts", "deleted_visits"].map((table) => rowsIn(dir, table))).toEqual([
    400, 400, 400, 700,
  ]);
  expect(numbersOf(dir)).toEqual(range(1001, 1100));
  // Visit 800 replaced the last of those that were deleted, visit 700.
  expect(numbersOf(dir, START + 800)).toEqual(range(701, 800));
  expect(numbersOf(dir, START + 950)).toEqual(range(851, 950));
  for (const early of [0, START + 1, START + 799]) {
    expect(() => numbersOf(dir, early)).toThrow(`expected ${new Date(START + 800).toISOString()} or a later time`);
  }
});

it("keeps what was replaced after a time, so that all views since then are possible", () => {
  const dir = crawl();
  expect(compacted(dir, { sinceMs: START - 1 })).toBe(0);
  expect(compacted(dir, { sinceMs: START + 150 })).toBe(50);
  expect(compacted(dir, { sinceMs: START + 640 })).toBe(490);
  expect(numbersOf(dir, START + 640)).toEqual(range(541, 640));
  expect(() => numbersOf(dir, START + 639)).toThrow("is no longer whole");
  expect(compacted(dir, { newest: 1 })).toBe(460);
  expect(numbersOf(dir)).toEqual(range(1001, 1100));
  expect(numbersOf(dir, START + 5000)).toEqual(range(1001, 1100));
  expect(rowsIn(dir, "texts")).toBe(100);
});

it("tells damage from what was deleted on purpose", () => {
  const dir = crawl();
  compacted(dir, { newest: 2 });
  edit(dir, "DELETE FROM visits WHERE number = 1050");
  expect(() => numbersOf(dir)).toThrow("row 1050 of the table visits is missing");
  const other = crawl();
  compacted(other, { newest: 2 });
  edit(other, "DELETE FROM deleted_visits WHERE number = 300");
  expect(() => numbersOf(other)).toThrow("row 300 of the table visits is missing");
});

it("goes on with the numbers of visits, and fills the space that was freed before the file grows", () => {
  const dir = crawl();
  const size = (): number => statSync(join(dir, "crawl.sqlite")).size;
  const before = size();
  compacted(dir, { newest: 1 });
  expect(size()).toBeLessThanOrEqual(before * 1.05);
  const store = openCrawl(dir);
  expect(store.nextVisit).toBe(1101);
  readAll(store, 9);
  expect([store.generation, [...store.replacedVisits()].length]).toEqual([2000, 1900]);
  store.close();
  expect(size()).toBeLessThanOrEqual(before * 1.05);
  expect(numbersOf(dir)).toEqual(range(1901, 2000));
});

it("condenses the rows of deleted visits to the first of each page and ranges of numbers", () => {
  const dir = crawl();
  expect(compacted(dir, { newest: 1 }, START + 600 + 2 * DAY)).toBe(1000);
  // Of visits 101 to 600 only their numbers are left.
  expect(["deleted_visits", "deleted_ranges"].map((table) => rowsIn(dir, table))).toEqual([500, 1]);
  expect(compacted(dir, { newest: 1 }, START + 5000 + 2 * DAY)).toBe(0);
  expect(["deleted_visits", "deleted_ranges"].map((table) => rowsIn(dir, table))).toEqual([100, 1]);
  expect(numbersOf(dir)).toEqual(range(1001, 1100));
  const store = openCrawl(dir);
  readAll(store, 2);
  // One page is read twice, so visit 1301 stands between two ranges.
  store.addVisit({ ...visit(1301), url: 50 }, 1251);
  store.close();
  expect(compacted(dir, { newest: 1 }, START + 5000 + 2 * DAY)).toBe(201);
  const left = openCrawlReadOnly(dir);
  expect(Array.from(left.visits(), ({ number }) => number)).toEqual([...range(1201, 1250), ...range(1252, 1301)]);
  expect([left.generation, Array.from(left.replacedVisits(), ({ number }) => number)]).toEqual([1301, range(1, 100)]);
  left.close();
  expect(rowsIn(dir, "deleted_ranges")).toBe(2);
});

it("tells damage from what was condensed", () => {
  const dir = crawl();
  compacted(dir, { newest: 1 }, START + 5000 + 2 * DAY);
  edit(dir, "UPDATE deleted_ranges SET last = 999");
  expect(() => numbersOf(dir)).toThrow("row 1000 of the table visits is missing");
  const other = temporaryDirectory();
  const store = createCrawl(other, "{}");
  writeReads(
    store,
    Array.from({ length: 9 }, () => UNCHANGED),
  );
  for (const _ of store.condenseReads(START_MS + 99 * DAY));
  store.close();
  const numbers = (): number[] => {
    const read = openCrawlReadOnly(other);
    try {
      return Array.from(read.rereads(), ({ number }) => number);
    } finally {
      read.close();
    }
  };
  expect(numbers()).toEqual([1, 9]);
  edit(other, "DELETE FROM rereads WHERE number = 1");
  expect(numbers).toThrow("1 row missing from the table rereads: restore the crawl from a copy");
});
