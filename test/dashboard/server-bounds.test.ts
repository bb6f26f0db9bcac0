import { describe, expect, it } from "vitest";
import { systemTimers } from "../../src/base/index.ts";
import { Live } from "../../src/dashboard/server/running-crawl.ts";
import { RecentCache } from "../../src/dashboard/server/recent-cache.ts";
import { FakeFeed } from "./support/small-dashboard.ts";

function lively(): { feed: FakeFeed; live: Live } {
  const feed = new FakeFeed();
  return { feed, live: new Live(feed, { timers: systemTimers, lastVisit: () => 7 }) };
}

describe("what was computed last", () => {
  it("is kept, up to a number of entries: what was used longest ago goes first", () => {
    const recent = new RecentCache<string>({ entries: 2, size: 100 }, (text) => text.length);
    let made = 0;
    const get = (key: string) => recent.get(key, () => `${key}${++made}`);
    expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")]).toEqual(["a1", "b2", "a1", "c3", "a1", "b4"]);
    expect(recent.count).toBe(2);
  });

  it("is kept up to a size, but for the newest, which stays whatever its size", () => {
    const recent = new RecentCache<string>({ entries: 9, size: 4 }, (text) => text.length);
    const get = (text: string) => recent.get(text, () => text);
    get("aa");
    get("bb");
    expect(recent.count).toBe(2);
    get("c");
    expect(recent.count).toBe(2);
    get("ddddd");
    expect(recent.count).toBe(1);
  });
});

describe("what a crawl reports", () => {
  it("of the tide is thinned beyond 2,000 points: the newest stay, every second of the older half goes", () => {
    const { feed, live } = lively();
    for (let pages = 1; pages <= 2000; pages++) feed.status("running", { pages });
    expect(live.pointsFrom(0)).toHaveLength(2000);
    feed.status("running", { pages: 2001 });
    const pages = live.pointsFrom(0).map(([pages]) => pages);
    // Of the first 1,001 points the 500 even ones stay, then all others.
    expect(pages).toHaveLength(1500);
    expect(pages.slice(0, 3)).toEqual([2, 4, 6]);
    expect(pages.slice(-1002, -999)).toEqual([998, 1000, 1002]);
    expect(pages.at(-1)).toBe(2001);
  });

  it("of speed is not changed by a status that is sent twice", () => {
    const { feed, live } = lively();
    feed.status("running", { pages: 0, elapsedMs: 0 });
    feed.status("running", { pages: 10, elapsedMs: 5000 });
    for (let k = 0; k < 100; k++) feed.status("paused", { pages: 10, elapsedMs: 5000 });
    expect(live.estimate?.pagesPerSecond()).toBe(2);
  });

  it("gets 64 requests at once, and beyond that nothing is known", async () => {
    const { feed, live } = lively();
    const waiting = Array.from({ length: 64 }, () => live.hosts(["a.example"]));
    expect(feed.heard).toHaveLength(64);
    expect(await live.hosts(["a.example", "b.example"])).toEqual([null, null]);
    expect(feed.heard).toHaveLength(64);
    // Nobody answers: they are given up after half a second, and there is room again.
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => [null]));
    const asked = live.hosts(["a.example"]);
    feed.tell({ type: "hosts", question: 65, hosts: [null] });
    expect(await asked).toEqual([null]);
    expect(feed.heard).toHaveLength(65);
  });
});
