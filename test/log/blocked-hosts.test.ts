/** Which hosts block the crawler: being blocked must never look like being done. */
import { describe, expect, it } from "vitest";
import { LogFeed, BLANK_VISIT, type Visit } from "../../src/log/index.ts";

/** URLs 0 to 99 are on host 0, URLs from 100 on host 1; URL 0 is a front page, URL 1 a seed. */
function feedOf() {
  const feed = new LogFeed((url) => Math.floor(url / 100));
  const reasons = new Map<number, string>();
  const blocks: number[] = [];
  feed.add({ refused: (url, reason) => reasons.set(url, reason), hostBlocked: ({ url }) => blocks.push(url) });
  feed.origin("http://a.example");
  for (let id = 0; id < 200; id++) {
    const path = id === 0 ? "/" : `/${id}`;
    const source = id === 1 ? "seed" : "link";
    feed.url({ id, origin: 0, path, depth: 0, source, discoveredAt: 0, reason: null });
  }
  let number = 0;
  const visit = (
    url: number,
    outcome: Visit["outcome"],
    reason: Visit["reason"] = null,
    target: number | null = null,
    location: string | null = null,
  ): void =>
    feed.visit({
      ...BLANK_VISIT,
      number: ++number,
      url,
      outcome,
      reason,
      status: 200,
      target,
      location,
      links: outcome === "downloaded" ? new Uint32Array(0) : null,
    });
  return {
    feed,
    reasons,
    blocks,
    forbid: (...urls: number[]) => urls.forEach((url) => visit(url, "refused", "forbidden")),
    block: (url: number) => visit(url, "refused", "blocked"),
    download: (url: number) => visit(url, "downloaded"),
    dead: (url: number) => visit(url, "dead"),
    redirect: (url: number, target: number) => visit(url, "redirected", null, target),
    disallow: (url: number) => visit(url, "refused", "robots"),
    sendAway: (url: number, location: string | null) => visit(url, "refused", "out-of-scope", null, location),
  };
}

const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, k) => first + k);

describe("a host blocks the crawler", () => {
  it.each([
    ["its front page", 0],
    ["a seed", 1],
  ])("if it forbids %s", (_, url) => {
    const { reasons, blocks, forbid } = feedOf();
    forbid(50, url, 51);
    expect([...reasons]).toEqual([
      [50, "blocked"],
      [url, "blocked"],
      [51, "blocked"],
    ]);
    expect(blocks).toEqual([url]);
  });

  it("if it sends three pages to one place out of the scope, whatever the query", () => {
    const { reasons, blocks, sendAway, download } = feedOf();
    sendAway(10, "http://guard.example/check?from=10");
    download(2);
    sendAway(11, "http://guard.example/check?from=11");
    expect(new Set(reasons.values())).toEqual(new Set(["out-of-scope"]));
    sendAway(12, "http://guard.example/check");
    expect(reasons).toEqual(new Map([10, 11, 12].map((url) => [url, "blocked"])));
    sendAway(13, "http://guard.example/check");
    expect(reasons.get(13)).toBe("blocked");
    expect(blocks).toEqual([12]);
  });

  it("if several pages lead to one that is sent away, before it is known or after", () => {
    const before = feedOf();
    before.redirect(10, 20);
    before.redirect(11, 10);
    before.sendAway(20, "http://guard.example/");
    expect(before.reasons.get(20)).toBe("blocked");
    const after = feedOf();
    after.sendAway(20, "http://guard.example/");
    after.redirect(10, 20);
    expect(after.reasons.get(20)).toBe("out-of-scope");
    after.redirect(11, 10);
    expect(after.reasons.get(20)).toBe("blocked");
  });

  it("not if its links out lead to different places", () => {
    const { reasons, blocks, sendAway } = feedOf();
    for (const url of range(0, 60)) sendAway(url, `http://shop${url}.example/`);
    expect(new Set(reasons.values())).toEqual(new Set(["out-of-scope"]));
    expect(blocks).toEqual([]);
  });

  it("not if a few pages want a login elsewhere, but if ten in a row do", () => {
    const { reasons, blocks, sendAway, download } = feedOf();
    for (const url of range(10, 9)) sendAway(url, `http://id.example/login?next=${url}`);
    expect(new Set(reasons.values())).toEqual(new Set(["out-of-scope"]));
    download(2);
    for (const url of range(20, 10)) sendAway(url, `http://id.example/login?next=${url}`);
    expect(reasons.get(29)).toBe("blocked");
    expect(blocks).toEqual([29]);
  });

  it("if a crawl of an older version does not say where three pages lead", () => {
    const { reasons, sendAway } = feedOf();
    for (const url of [10, 11, 12]) sendAway(url, null);
    expect(reasons.get(12)).toBe("blocked");
  });

  it("whether a page is forbidden before others redirect to it or afterwards", () => {
    const { reasons, blocks, redirect, disallow, forbid } = feedOf();
    for (const url of range(10, 9)) redirect(url, 50);
    disallow(50);
    expect(reasons.get(50)).toBe("robots");
    redirect(30, 50);
    expect(reasons.get(50)).toBe("blocked");
    expect(blocks).toEqual([30]);
    for (const url of range(110, 9)) redirect(url, 150);
    forbid(150);
    expect(reasons.get(150)).toBe("blocked");
  });

  it("if it forbids ten pages in a row, and not before", () => {
    const { reasons, blocks, forbid, download } = feedOf();
    download(2);
    forbid(...range(10, 9));
    expect(new Set(reasons.values())).toEqual(new Set(["forbidden"]));
    forbid(30);
    expect(reasons.size).toBe(10);
    expect(new Set(reasons.values())).toEqual(new Set(["blocked"]));
    forbid(31);
    expect(reasons.get(31)).toBe("blocked");
    expect(blocks).toEqual([30]);
  });

  it("until a page comes again: later pages are forbidden one by one, earlier ones stay blocked", () => {
    const { reasons, blocks, forbid, download } = feedOf();
    forbid(...range(10, 10));
    download(2);
    forbid(40);
    expect(reasons.get(40)).toBe("forbidden");
    expect(reasons.get(10)).toBe("blocked");
    forbid(...range(50, 10));
    expect(reasons.get(40)).toBe("blocked");
    expect(blocks).toHaveLength(2);
  });

  it("if it redirects one page after another to a page that it forbids", () => {
    const { reasons, blocks, forbid, disallow, redirect, download } = feedOf();
    download(2);
    forbid(90);
    for (const url of range(10, 9)) redirect(url, 90);
    expect(reasons.get(90)).toBe("blocked");
    expect(blocks).toHaveLength(1);
    disallow(191);
    for (const url of range(110, 9)) redirect(url, 191);
    expect(reasons.get(191)).toBe("robots");
    redirect(130, 131);
    redirect(132, 191);
    expect(reasons.get(191)).toBe("blocked");
  });

  it("if its front page redirects to a page that it forbids, whichever is known first", () => {
    const first = feedOf();
    first.redirect(0, 90);
    first.forbid(90);
    expect(first.reasons.get(90)).toBe("blocked");
    const second = feedOf();
    second.forbid(90);
    second.redirect(0, 90);
    expect(second.reasons.get(90)).toBe("blocked");
    const byRule = feedOf();
    byRule.disallow(90);
    byRule.redirect(0, 90);
    expect(byRule.reasons.get(90)).toBe("robots");
  });

  it("not because another host has led to the page, unless whoever requested it has written so", () => {
    const { feed, reasons, redirect, forbid, block } = feedOf();
    redirect(0, 150);
    redirect(150, 151);
    expect([150, 151, 152].map((url) => feed.standsForHost(url, 3))).toEqual([true, true, false]);
    forbid(150);
    expect(reasons.get(150)).toBe("forbidden");
    block(151);
    expect([150, 151].map((url) => reasons.get(url))).toEqual(["blocked", "blocked"]);
  });

  it("and a page stands for it that a seed has led to; its own front pages need no word", () => {
    const { feed, redirect } = feedOf();
    expect([0, 1, 2, 102].map((url) => feed.standsForHost(url, 0))).toEqual([false, false, true, true]);
    redirect(1, 2);
    expect(feed.standsForHost(2, 0)).toBe(false);
  });

  it("if it forbids most of its last pages, though some come", () => {
    const { reasons, blocks, forbid, download } = feedOf();
    for (const k of range(0, 12)) {
      forbid(10 + 2 * k, 11 + 2 * k);
      download(60 + k);
    }
    expect(blocks.length).toBeGreaterThan(0);
    expect(reasons.get(30)).toBe("blocked");
  });

  it("alone: what another host forbids, or what is not found, says nothing", () => {
    const { reasons, blocks, forbid, dead, download } = feedOf();
    for (const k of range(0, 9)) {
      forbid(10 + k);
      dead(60 + k);
      forbid(110 + k);
      download(150 + k);
    }
    expect(blocks).toEqual([]);
    expect(new Set(reasons.values())).toEqual(new Set(["forbidden"]));
  });
});
