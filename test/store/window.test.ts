import { BLANK_VISIT } from "../../src/log/index.ts";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Clock, UsageError } from "../../src/base/index.ts";
import { createCrawl, openCrawl, openWindow, type SqliteStore } from "../../src/store/index.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const REREAD = {
  number: 1,
  url: 0,
  atMs: 1000,
  outcome: "unchanged",
  reason: null,
  target: null,
  status: 304,
  digest: null,
  etag: null,
  lastModified: null,
  milliseconds: 1,
  wireBytes: 0,
  visit: null,
} as const;

function small(): string {
  const dir = join(temporaryDirectory(), "crawl");
  const store = tellSmallCrawl(createCrawl(dir, '{"a":1}'));
  store.replaceTrust([{ url: 0, weight: 0.5 }]);
  store.addReread(REREAD);
  store.addReread({ ...REREAD, number: 2, atMs: 2000, outcome: "gone", status: 404 });
  store.close();
  return dir;
}

function opened(dir: string, clock?: Clock) {
  const window = openWindow(dir, clock);
  onTestFinished(() => window.close());
  return window;
}

/** Each look at the clock is a second after the one before: every budget is used up at once. */
function hurried(): Clock {
  let now = 0;
  return { nowMs: () => (now += 1000) };
}

describe("a window on a crawl", () => {
  it("gives settings, metadata, and how much there is", () => {
    const window = opened(small());
    expect(window.settings()).toBe('{"a":1}');
    expect(window.meta("nothing")).toBeUndefined();
    expect([window.lastVisit(), window.urlCount()]).toEqual([8, 9]);
    expect([window.trustOf(0), window.trustOf(1)]).toEqual([0.5, undefined]);
  });

  it("shows that an empty crawl is empty", () => {
    const dir = join(temporaryDirectory(), "crawl");
    createCrawl(dir, "{}").close();
    const window = opened(dir);
    expect([window.lastVisit(), window.urlCount()]).toEqual([0, 0]);
    expect(window.log({ before: 100, count: 10 })).toEqual({ visits: [], reached: 1 });
    expect(window.lines([0])).toEqual([]);
  });

  it("lists URLs in the given order, and leaves out what is not there", () => {
    const lines = opened(small()).lines([5, 1, 99, 0, 8]);
    expect(lines.map(({ id, url, state, status }) => [id, url, state, status])).toEqual([
      [5, "https://a.example/later", "waiting", null],
      [1, "https://a.example/moved", "redirected", 301],
      [0, "https://a.example/", "downloaded", 200],
      [8, "(links never followed on https://a.example: out-of-scope)", "refused", null],
    ]);
    expect(lines[1].target).toEqual({ id: 3, url: "http://b.example:8080/new?x=1" });
    expect(lines[2]).toMatchObject({
      title: "=cmd|' /C calc'!A0",
      source: "seed",
      depth: 0,
      contentType: "text/html",
      bytes: 10,
      fetchedMs: 1_700_000_000_007,
      target: null,
    });
    expect(lines[3].reason).toBe("out-of-scope");
  });

  it("refuses more lines or visits than it reads at once", () => {
    const window = opened(small());
    expect(window.lines(new Uint32Array(1000).fill(99))).toEqual([]);
    expect(() => window.lines(new Uint32Array(1001))).toThrow("at most 1000 rows");
    expect(() => window.visits(new Uint32Array(1001))).toThrow("at most 1000 rows");
    expect(() => window.log({ before: 9, count: 1001 })).toThrow("at most 1000 visits");
  });

  it("gives visits, final outcomes, links as written and the results of rereads", () => {
    const window = opened(small());
    expect(window.visits([3, 2, 9]).map(({ number, outcome, name }) => [number, outcome, name])).toEqual([
      [3, "redirected", "https://a.example/moved"],
      [2, "try-again", "https://a.example/later"],
    ]);
    expect(window.finalVisit(5)).toBeUndefined();
    expect(window.finalVisit(4)).toMatchObject({ outcome: "refused", reason: "robots", detail: null });
    expect(window.finalVisit(6)).toMatchObject({ number: 7, target: "https://a.example/loop2" });
    expect([...window.linksOf(0)]).toEqual([1, 8, 2, 0, 1, 6]);
    expect([...window.linksOf(2)]).toEqual([]);
    expect(window.rereads(0)).toEqual({
      rereads: [
        { atMs: 1000, outcome: "unchanged", reason: null, target: null, status: 304 },
        { atMs: 2000, outcome: "gone", reason: null, target: null, status: 404 },
      ],
      isWhole: true,
    });
    expect(window.rereads(1)).toEqual({ rereads: [], isWhole: true });
  });

  it("gives the last hundred rereads of a URL, and says that there are more", () => {
    const dir = small();
    const store = writing(dir);
    // 2 of the small crawl and 97 more, then two more.
    for (let number = 3; number <= 99; number++) store.addReread({ ...REREAD, number, atMs: 1000 * number });
    store.commit();
    const window = opened(dir);
    expect(window.rereads(0).rereads.length).toBe(99);
    expect(window.rereads(0).isWhole).toBe(true);
    for (const number of [100, 101]) store.addReread({ ...REREAD, number, atMs: 1000 * number });
    store.commit();
    const { rereads, isWhole } = window.rereads(0);
    expect([rereads.length, rereads[0].atMs, rereads[99].atMs, isWhole]).toEqual([100, 2000, 101_000, false]);
  });

  it("lists the log from its end, by outcome and by host", () => {
    const window = opened(small());
    const numbers = (question: Parameters<typeof window.log>[0]) =>
      window.log(question).visits.map(({ number }) => number);
    expect(numbers({ before: Number.MAX_SAFE_INTEGER, count: 3 })).toEqual([8, 7, 6]);
    expect(window.log({ before: 6, count: 3 }).reached).toBe(3);
    expect(numbers({ before: 6, count: 3 })).toEqual([5, 4, 3]);
    expect(numbers({ before: 9, count: 9, outcomes: ["dead", "refused"] })).toEqual([6, 4]);
    expect(numbers({ before: 9, count: 9, host: "b.example:8080" })).toEqual([5]);
    expect(window.log({ before: 9, count: 9, host: "c.example" })).toEqual({ visits: [], reached: 1 });
  });

  it("finds a text in URLs and titles in any case, without wild cards", () => {
    const window = opened(small());
    const ids = Uint32Array.of(7, 6, 5, 4, 3, 2, 1, 0, 8);
    expect(window.withText("LOOP", ids)).toEqual({ found: [7, 6], looked: 9 });
    expect(window.withText('say "HI"', ids).found).toEqual([3]);
    expect(window.withText("b.example", ids).found).toEqual([3]);
    expect(window.withText("%", ids).found).toEqual([]);
    expect(window.withText("l_op", ids).found).toEqual([]);
    expect(window.withText("never followed", ids).found).toEqual([]);
  });

  it("stops looking when its time is over, and says how far it came", () => {
    const dir = join(temporaryDirectory(), "large");
    makeLargeCrawl(dir, 5000);
    const window = opened(dir, hurried());
    expect(window.log({ before: 5001, count: 10, outcomes: ["dead"] })).toEqual({ visits: [], reached: 905 });
    expect(window.log({ before: 905, count: 10, outcomes: ["dead"] })).toEqual({ visits: [], reached: 1 });
    const ids = Uint32Array.from({ length: 5000 }, (_, k) => k);
    expect(window.withText("/511", ids)).toEqual({ found: [511], looked: 512 });
    expect(window.withText("/512", ids).found).toEqual([]);
    const store = writing(dir);
    for (let number = 1; number <= 4097; number++) store.addReread({ ...REREAD, number, url: number });
    store.commit();
    expect(window.rereads(2)).toMatchObject({ rereads: [{ outcome: "unchanged" }], isWhole: false });
    expect(window.rereads(1)).toEqual({ rereads: [], isWhole: false });
  });
});

describe("a window on a running crawl", () => {
  it("sees what was committed since, and never what was not", () => {
    const dir = small();
    const window = opened(dir);
    const store = writing(dir);
    store.addVisit({ ...VISIT, number: 9, url: 5 });
    expect(window.lastVisit()).toBe(8);
    store.commit();
    expect(window.lastVisit()).toBe(9);
    expect(window.lines([5])[0]).toMatchObject({ state: "dead", status: 410 });
  });

  it("does not keep the crawl's log from being cleared", () => {
    const dir = small();
    const window = opened(dir);
    const store = writing(dir);
    const wal = join(dir, "crawl.sqlite-wal");
    for (let id = 9; id < 40_000; id++) {
      store.addUrl({ ...URL_OF, id, path: `/${"x".repeat(100)}${id}` });
      if (id % 500 === 0) {
        store.commit();
        expect(window.lastVisit()).toBe(8);
      }
    }
    store.commit();
    // 40,000 rows of 120 bytes are beyond the 1,000 pages (4 MB) at which SQLite clears its log, had it been able to.
    expect(statSync(join(dir, "crawl.sqlite")).size).toBeGreaterThan(3_000_000);
    expect(statSync(wal).size).toBeLessThan(6_000_000);
  });

  it("leaves one file behind, no matter which closes last", () => {
    const dir = small();
    const window = openWindow(dir);
    openCrawl(dir).close();
    expect(window.lastVisit()).toBe(8);
    window.close();
    window.close();
    expect(readdirSync(dir).sort()).toEqual(["crawl.sqlite", "lock.sqlite"]);
  });

  it("knows whether the crawl is held, and never holds it itself", () => {
    const dir = small();
    const window = opened(dir);
    expect(window.isHeld()).toBe(false);
    const store = openCrawl(dir);
    expect(window.isHeld()).toBe(true);
    store.close();
    expect(window.isHeld()).toBe(false);
    openCrawl(dir).close();
  });

  it("follows the path: sees a crawl that was deleted until another is made there, then that one", () => {
    const dir = small();
    const window = opened(dir);
    expect(window.lastVisit()).toBe(8);
    rmSync(dir, { recursive: true });
    expect([window.settings(), window.lastVisit()]).toEqual(['{"a":1}', 8]);
    createCrawl(dir, '{"a":2}').close();
    expect([window.settings(), window.lastVisit(), window.lines([0])]).toEqual(['{"a":2}', 0, []]);
    window.close();
    expect(readdirSync(dir).toSorted()).toEqual(["crawl.sqlite", "lock.sqlite"]);
  });

  it("is refused where there is no crawl", () => {
    const dir = temporaryDirectory();
    expect(() => openWindow(dir)).toThrow(UsageError);
    expect(() => openWindow(join(dir, "nowhere"))).toThrow("does not exist");
    expect(readdirSync(dir)).toEqual([]);
  });
});

function writing(dir: string): SqliteStore {
  const store = openCrawl(dir);
  onTestFinished(() => store.close());
  return store;
}

const URL_OF = { origin: 0, depth: 1, source: "link", discoveredAt: 1, reason: null } as const;
const VISIT = {
  ...BLANK_VISIT,
  atMs: 1_700_000_000_100,
  outcome: "dead",
  status: 410,
  milliseconds: 1,
} as const;
