import { describe, expect, it, vi } from "vitest";
import type { Timers } from "../../src/base/index.ts";
import { PastRequests, readNewPages, refreshFacts, type RefreshPage, refreshPages } from "../../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { type MemoryStore, urlTexts } from "../../src/store/index.ts";
import { ROBOTS_REDIRECTS_MAX } from "../../src/web/index.ts";
import {
  crawlInline,
  fatesIn,
  InlineWeb,
  inlineSettings,
  replyOf,
  type Served,
  type SettingsChanges,
} from "../support/inline-web.ts";
import { PassingTimers } from "../support/passing-timers.ts";
import { crawlTimed, inTime, TimedWeb } from "../support/timed-web.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const SEED = "http://a.example/";
const FORBIDS_SAME = "User-agent: *\nDisallow: /same";
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");

/** Remembers requests with their times. */
class Watched implements Fetcher {
  readonly requests: (FetchRequest & { readonly atMs: number })[] = [];
  readonly #timers: Timers;
  readonly #serve: (request: FetchRequest) => Served;
  constructor(timers: Timers, serve: (request: FetchRequest) => Served) {
    this.#timers = timers;
    this.#serve = serve;
  }
  fetch(request: FetchRequest, done: (reply: Reply) => void): void {
    this.requests.push({ ...request, atMs: this.#timers.nowMs() });
    setImmediate(() => done(replyOf(this.#serve(request), "192.0.2.1")));
  }
  async close(): Promise<void> {}
}

const html = { "content-type": "text/html" };
const FIRST: Readonly<Record<string, Served>> = {
  "http://a.example/": links("/same", "/new-text", "/tagged", "/gone", "/moved", "/broken"),
  "http://a.example/same": "same",
  "http://a.example/new-text": "before",
  "http://a.example/tagged": { body: "tagged", headers: { ...html, etag: '"v1"', "last-modified": "x" } },
  "http://a.example/gone": "here",
  "http://a.example/moved": "here too",
  "http://a.example/broken": "whole",
};

async function crawled(changes: SettingsChanges = {}): Promise<MemoryStore> {
  const { store } = await crawlInline(new InlineWeb((url) => FIRST[url.href]), [SEED], changes);
  return store;
}

async function reread(store: MemoryStore, serve: (request: FetchRequest) => Served, changes: SettingsChanges = {}) {
  const { pages } = refreshFacts(store);
  const latest = Math.max(...pages.map(({ lastReadMs }) => lastReadMs ?? 0));
  const timers = new PassingTimers(latest + 2 * DAY);
  const fetcher = new Watched(timers, serve);
  const settings = inlineSettings([SEED], changes);
  const result = await refreshPages({ store, fetcher, settings, timers, pages });
  const texts = new Map([...fatesIn(store)].map(([text, { url }]) => [url, text]));
  const found = Object.fromEntries(
    Array.from(store.rereads(), ({ url, outcome, reason, target }) => [texts.get(url)!, [outcome, target ?? reason]]),
  );
  return { result, found, requests: fetcher.requests, now: timers.now };
}

function pageNamed(store: MemoryStore, name: string): RefreshPage {
  const id = fatesIn(store).get(`${SEED}${name}`)?.url;
  return refreshFacts(store).pages.find(({ url }) => url === id)!;
}

describe("pages read again", () => {
  it("are found unchanged, changed, gone, moved or failing; what is new replaces what the log said", async () => {
    const store = await crawled();
    const before = [...store.visits()];
    const { result, found, requests } = await reread(store, ({ url, etag }) => {
      if (url.endsWith("/new-text")) return `<title>After</title>${links("/new", "/same")}`;
      if (url.endsWith("/tagged")) return { status: etag === '"v1"' ? 304 : 500 };
      if (url.endsWith("/gone")) return { status: 410 };
      if (url.endsWith("/moved")) return { status: 301, headers: { location: "/there" } };
      if (url.endsWith("/broken")) return { status: 500 };
      return FIRST[url] ?? { status: 404 };
    });
    expect(found).toEqual({
      "http://a.example/": ["unchanged", null],
      "http://a.example/same": ["unchanged", null],
      "http://a.example/new-text": ["changed", null],
      "http://a.example/tagged": ["unchanged", null],
      "http://a.example/gone": ["gone", "status-410"],
      "http://a.example/moved": ["moved", "http://a.example/there"],
      "http://a.example/broken": ["failed", "status-500"],
    });
    expect(result).toEqual({
      outcomes: { unchanged: 3, changed: 1, gone: 1, moved: 1, failed: 1 },
      doubted: 0,
      left: 0,
      leftWhy: {},
      busyHosts: [],
    });
    expect(requests.find(({ url }) => url.endsWith("/tagged"))).toMatchObject({
      etag: '"v1"',
      lastModified: "x",
    });
    const idOf = (path: string): number => [...store.urls()].find((url) => url.path === path)!.id;
    const visits = [...store.visits()];
    const visitOf = (path: string) => visits.find(({ url }) => url === idOf(path))!;
    expect(visits.slice(0, before.length - 3)).toEqual(
      before.filter(({ url }) => ![idOf("/new-text"), idOf("/gone"), idOf("/moved")].includes(url)),
    );
    expect(visitOf("/new-text")).toMatchObject({ outcome: "downloaded", title: "After", status: 200 });
    expect([...visitOf("/new-text").links!]).toEqual([idOf("/new"), idOf("/same")]);
    expect(visitOf("/gone")).toMatchObject({ outcome: "dead", detail: "status-410" });
    expect(visitOf("/moved")).toMatchObject({ outcome: "redirected", target: idOf("/there") });
    // What was discovered waits for the crawl.
    const waiting = refreshFacts(store).pages.filter(({ visit }) => visit === null);
    expect(waiting.map(({ url }) => url)).toEqual([idOf("/new"), idOf("/there")]);
    const written = Array.from(store.rereads(), ({ visit }) => visit).filter((visit) => visit !== null);
    expect(written).toEqual(visits.slice(-3).map(({ number }) => number));
    expect(store.generation).toBe(written[2]);
  });

  it("are planned in one reading of the log, which counts all that were downloaded", async () => {
    const { store, end } = await crawlInline(new InlineWeb(({ href }) => FIRST[href]), [SEED]);
    const visits = vi.spyOn(store, "visits");
    expect(refreshFacts(store).downloaded).toBe(end.status.pages);
    expect(visits).toHaveBeenCalledTimes(1);
  });

  it("show how often they change, and are forgotten when they are gone", async () => {
    const store = await crawled();
    await reread(store, ({ url }) => {
      if (url.endsWith("/new-text")) return "after";
      return url.endsWith("/gone") ? { status: 404 } : (FIRST[url] ?? { status: 404 });
    });
    const { pages, gone } = refreshFacts(store);
    const fates = fatesIn(store);
    const page = (name: string) => pages.find(({ url }) => url === fates.get(`http://a.example${name}`)!.url);
    expect(gone).toBe(1);
    expect(page("/gone")).toBeUndefined();
    expect(page("/new-text")!.changedAfterMs).toHaveLength(1);
    expect(page("/new-text")!.changedAfterMs[0] / DAY).toBeCloseTo(2, 1);
    expect(page("/same")!.changedAfterMs).toEqual([]);
    expect(page("/same")!.unchangedMs / DAY).toBeCloseTo(2, 1);
    // The new text is what the next reading is compared with.
    const { found } = await reread(store, ({ url }) =>
      url.endsWith("/new-text") ? "after" : (FIRST[url] ?? { status: 404 }),
    );
    expect(found["http://a.example/new-text"]).toEqual(["unchanged", null]);
  });

  it("are as old as they were at their first read, or of unknown age where that was replaced", async () => {
    const dated = (ageMs: number, nowMs: number) => new Date(nowMs - ageMs).toUTCString();
    const begunMs = Date.now();
    const headers = { ...html, "last-modified": dated(100 * DAY, begunMs) };
    const pages: Readonly<Record<string, Served>> = { ...FIRST, [`${SEED}tagged`]: { body: "tagged", headers } };
    const { store } = await crawlInline(new InlineWeb(({ href }) => pages[href]), [SEED]);
    expect(pageNamed(store, "tagged").ageMs! / DAY).toBeCloseTo(100, 1);
    // Two days later, it was changed an hour ago: that is not its age at the first read.
    const news = { body: "news", headers: { ...html, "last-modified": dated(HOUR, begunMs + 2 * DAY) } };
    await reread(store, ({ url }) => (url.endsWith("/tagged") ? news : (pages[url] ?? { status: 404 })));
    const page = pageNamed(store, "tagged");
    expect(page.ageMs).toBeNull();
    expect(page.changedAfterMs[0] / DAY).toBeCloseTo(2, 1);
  });

  it("are requested with the validators of what was read last, whatever was sent with the content before", async () => {
    const store = await crawled();
    const tagged = (body: string, etag: string): Served => ({ body, headers: { ...html, etag } });
    for (const served of [tagged("tagged", '"again"'), tagged("another", '"v2"')]) {
      await reread(store, ({ url }) => (url.endsWith("/tagged") ? served : (FIRST[url] ?? { status: 404 })));
    }
    expect(pageNamed(store, "tagged")).toMatchObject({ etag: '"v2"', lastModified: null });
  });

  it("know their hosts, new ones too: pages of one host change alike", async () => {
    const serve = ({ hostname, pathname }: URL): Served | undefined =>
      pathname === "/" ? links("/1", "http://b.example/", "http://b.example/2") : `${hostname}${pathname}`;
    const { store } = await crawlInline(new InlineWeb(serve), [SEED, "http://b.example/"], { limits: { pages: 3 } });
    const texts = new Map(urlTexts(store));
    const { pages } = refreshFacts(store);
    const hosts = new Map(pages.map(({ url, host }) => [texts.get(url), host]));
    expect(hosts.size).toBeGreaterThan(3);
    expect(pages.some(({ visit }) => visit === null)).toBe(true);
    const [a, b] = [hosts.get(SEED), hosts.get("http://b.example/")];
    expect([typeof a, typeof b, a === b]).toEqual(["number", "number", false]);
    for (const [text, host] of hosts) expect(host).toBe(text?.includes("b.example") ? b : a);
  });

  it("rest their host between two requests, as long as its robots.txt asks", async () => {
    const politeness = { delayMs: 1000, concurrency: 8, perHost: 1, perAddress: 4, crawlDelayMsMax: 60_000 };
    const store = await crawled();
    for (const [delay, rules] of [
      [1000, ""],
      [5000, "User-agent: *\nCrawl-delay: 5"],
    ] as const) {
      const serve = ({ url }: FetchRequest): Served =>
        url.endsWith("/robots.txt")
          ? { body: rules, headers: { "content-type": "text/plain" } }
          : (FIRST[url] ?? { status: 404 });
      const { requests } = await reread(store, serve, { politeness });
      expect(requests[0].url).toBe("http://a.example/robots.txt");
      expect(requests).toHaveLength(8);
      for (let k = 1; k < requests.length; k++) {
        expect(requests[k].atMs - requests[k - 1].atMs).toBeGreaterThanOrEqual(delay);
      }
    }
  });

  it("are not requested where robots.txt now forbids it", async () => {
    const store = await crawled();
    const { requests, found } = await reread(store, ({ url }) =>
      url.endsWith("/robots.txt")
        ? { body: FORBIDS_SAME, headers: { "content-type": "text/plain" } }
        : (FIRST[url] ?? { status: 404 }),
    );
    expect(requests.map(({ url }) => url)).not.toContain("http://a.example/same");
    expect(found["http://a.example/same"]).toEqual(["failed", "robots"]);
  });

  it("that robots.txt forbids by now are committed within a second, even if no reply comes", async () => {
    let pageMs = 10;
    const web = new TimedWeb({
      serve: ({ href, pathname }, nth) =>
        pathname === "/robots.txt" && nth > 1 ? { body: FORBIDS_SAME, headers: {} } : FIRST[href],
      latencyMs: ({ pathname }) => (pathname === "/robots.txt" ? 10 : pageMs),
    });
    const { timers } = web;
    const { store } = await crawlTimed(web, [SEED]);
    timers.after(2 * DAY, () => (pageMs = HOUR));
    while (timers.step());
    const beginMs = timers.nowMs();
    const atCommits: { readonly atMs: number; readonly rereads: number }[] = [];
    const commit = store.commit.bind(store);
    store.commit = () => {
      commit();
      atCommits.push({ atMs: timers.nowMs(), rereads: [...store.rereads()].length });
    };
    const pages = ["same", "gone"].map((name) => pageNamed(store, name));
    const politeness = { delayMs: 5000, concurrency: 8, perHost: 1, perAddress: 4, crawlDelayMsMax: 60_000 };
    const settings = inlineSettings([SEED], { politeness });
    await inTime(timers, refreshPages({ store, fetcher: web, settings, timers, pages }));
    expect(atCommits.find(({ rereads }) => rereads === 1)?.atMs).toBeLessThanOrEqual(beginMs + 10 + 5000 + 1000);
  });

  it("are left for another time once their host asks us to wait", async () => {
    const store = await crawled();
    let count = 0;
    const { result, requests } = await reread(store, ({ url }) => {
      if (url.endsWith("/robots.txt")) return { status: 404 };
      return ++count === 3 ? { status: 429 } : (FIRST[url] ?? { status: 404 });
    });
    expect(requests).toHaveLength(4);
    expect(result.left).toBe(5);
  });

  it("are all left where robots.txt cannot be had", async () => {
    const store = await crawled();
    const { result, requests } = await reread(store, () => ({ status: 500 }));
    expect(requests.map(({ url }) => url)).toEqual(["http://a.example/robots.txt"]);
    expect(result.left).toBe(7);
  });

  it("are left, not gone, where their host cannot be found for now", async () => {
    const store = await crawled();
    const { result, requests } = await reread(store, () => ({ failure: "host-not-found" }));
    expect(requests).toHaveLength(1);
    expect(result.left).toBe(7);
    expect([...store.rereads()]).toEqual([]);
  });

  it("are left once their host is not found any more halfway", async () => {
    const store = await crawled();
    let count = 0;
    const { result, requests } = await reread(store, ({ url }) => {
      if (url.endsWith("/robots.txt")) return { status: 404 };
      return ++count > 2 ? { failure: "host-not-found" } : (FIRST[url] ?? { status: 404 });
    });
    expect(requests).toHaveLength(4);
    expect(result.outcomes.gone).toBe(0);
    expect(result.left).toBe(5);
  });

  it("are left where robots.txt was cut off, which is neither obeyed nor stored", async () => {
    const store = await crawled();
    const before = [...store.robots()];
    const body = "User-agent: *\nDisallow: /sa";
    const { result, requests } = await reread(store, ({ url }) =>
      url.endsWith("/robots.txt")
        ? { body, headers: { "content-type": "text/plain" }, truncated: true }
        : (FIRST[url] ?? { status: 404 }),
    );
    expect(requests.map(({ url }) => url)).toEqual(["http://a.example/robots.txt"]);
    expect(result.left).toBe(7);
    expect([...store.robots()]).toEqual(before);
  });

  it.each([
    [301, "believed"],
    [302, "doubted"],
    [303, "doubted"],
    [307, "doubted"],
    [308, "believed"],
  ])("with status %i are found to have moved, which is %s", async (status, word) => {
    const store = await crawled();
    const { found } = await reread(store, ({ url }) =>
      url.endsWith("/moved") ? { status, headers: { location: "/there" } } : (FIRST[url] ?? { status: 404 }),
    );
    expect(found["http://a.example/moved"]).toEqual(["moved", "http://a.example/there"]);
    expect(refreshFacts(store).gone).toBe(word === "believed" ? 1 : 0);
  });

  it("obey a robots.txt that has moved to another host, as the crawl does", async () => {
    const store = await crawled();
    const { requests, result, found } = await reread(store, ({ url }) => {
      if (url === "http://a.example/robots.txt") return { redirect: "http://b.example/rules" };
      if (url === "http://b.example/rules") return { body: "User-agent: *\nDisallow: /same", headers: {} };
      return FIRST[url] ?? { status: 404 };
    });
    expect(requests.slice(0, 2).map(({ url }) => url)).toEqual([
      "http://a.example/robots.txt",
      "http://b.example/rules",
    ]);
    expect(result.left).toBe(0);
    expect(found["http://a.example/same"]).toEqual(["failed", "robots"]);
  });

  it("are left where the host that robots.txt has moved to is dead", async () => {
    const store = await crawled();
    const { requests, result } = await reread(store, ({ url }) => {
      if (url.endsWith("/robots.txt")) return { redirect: "http://dead.example/rules" };
      return url.includes("dead") ? { failure: "host-not-found" } : (FIRST[url] ?? { status: 404 });
    });
    expect(requests).toHaveLength(2);
    expect(result).toMatchObject({ left: 7, leftWhy: { "robots-host-not-found": 7 } });
  });

  it.each<[Served, Record<string, number>, string[]]>([
    [{ status: 429 }, { "status-429": 6 }, ["a.example"]],
    [{ status: 503 }, { "status-503": 6 }, ["a.example"]],
    [{ status: 500, headers: { "retry-after": "60" } }, { "status-500": 6 }, ["a.example"]],
    [{ failure: "connect-refused" }, { "connect-refused": 6 }, []],
  ])("say why they are left, and which hosts asked us to wait: %o", async (served, leftWhy, busyHosts) => {
    const store = await crawled();
    const { result } = await reread(store, ({ url }) => {
      if (url.endsWith("/robots.txt")) return { status: 404 };
      return url === SEED ? FIRST[url] : served;
    });
    expect(result).toMatchObject({ left: 6, leftWhy, busyHosts });
  });

  it.each<[Served, string, string[]]>([
    [{ status: 500 }, "robots-status-500", []],
    [{ status: 503 }, "robots-status-503", ["a.example"]],
    [{ status: 302, headers: { location: "http://b.example/" } }, "robots-redirect-loop", []],
    [{ status: 302, headers: { location: "http://" } }, "robots-bad-location", []],
    [{ body: "User-agent: *", headers: {}, truncated: true }, "robots-cut-off", []],
  ])("say what is wrong with robots.txt: %o", async (served, reason, busyHosts) => {
    const { result } = await reread(await crawled(), () => served);
    expect(result).toMatchObject({ left: 7, leftWhy: { [reason]: 7 }, busyHosts });
  });

  it.each([
    [5, 0],
    [6, 7],
  ])("with robots.txt behind %i redirects are left: %i", async (redirects, left) => {
    const { result, requests } = await reread(await crawled(), ({ url }) => {
      if (url in FIRST) return FIRST[url];
      const hop = url.endsWith("/robots.txt") ? 0 : Number(url.split("hop-")[1]);
      return hop < redirects ? { redirect: `/hop-${hop + 1}` } : { status: 404 };
    });
    expect(result.left).toBe(left);
    expect(requests.filter(({ purpose }) => purpose === "robots")).toHaveLength(ROBOTS_REDIRECTS_MAX + 1);
  });
});

describe("new pages that follow pages read again", () => {
  const B = "http://b.example/";
  const C = "http://c.example/";

  it("wait for the delay of their host, and for a connection of its address", async () => {
    const web = new TimedWeb({
      serve: ({ href, pathname }) => {
        if (pathname !== "/robots.txt") return pathname === "/" ? links("/1", "/2") : "page";
        return href.startsWith(SEED) ? "User-agent: *\nCrawl-delay: 30" : "";
      },
      addressOf: () => "192.0.2.1",
    });
    const { timers } = web;
    const politeness = { delayMs: 5000, concurrency: 8, perHost: 1, perAddress: 1, crawlDelayMsMax: 60_000 };
    const { store, settings } = await crawlTimed(web, [SEED, B, C], { politeness, limits: { pages: 3 } });
    timers.after(DAY, () => {});
    while (timers.step());
    const beginMs = timers.nowMs();
    const parts = { store, settings, fetcher: web, timers };
    const past = new PastRequests();
    const pages = refreshFacts(store).pages.filter(({ visit }) => visit !== null);
    await inTime(timers, refreshPages({ ...parts, pages, past }));
    const again = web.requests.filter(({ atMs }) => atMs >= beginMs);
    await inTime(timers, readNewPages({ ...parts, pages: 6, readers: 0, past }));
    const all = web.requests.filter(({ atMs }) => atMs >= beginMs);
    const pagesOf = (requests: readonly { readonly url: string }[]): string[] =>
      requests.map(({ url }) => url).filter((url) => !/\.(?:txt|xml)$/.test(url));
    expect(pagesOf(again).toSorted()).toEqual([SEED, B, C]);
    const found = [SEED, B, C].flatMap((seed) => [`${seed}1`, `${seed}2`]);
    expect(pagesOf(all).slice(3).toSorted()).toEqual(found);
    // The first three are requested together: nobody knows yet that they go to one address.
    const rests = all.slice(1).map(({ atMs }, k) => [all[k].url, atMs - all[k].atMs] as const);
    expect(rests.slice(2).filter(([url, ms]) => ms < (url.startsWith(SEED) ? 30_010 : 5010))).toEqual([]);
  });
});

describe("pages that are not found any more", () => {
  const everything404 = (): Served => ({ status: 404 });

  it("of a site that answers 404 to everything stay, and are forgotten when it says so again hours later", async () => {
    const store = await crawled();
    const visits = [...store.visits()];
    const first = await reread(store, everything404);
    expect(first.result).toMatchObject({ outcomes: { gone: 7 }, doubted: 7 });
    expect([...store.visits()]).toEqual(visits);
    const { pages, gone } = refreshFacts(store);
    expect([pages.length, gone]).toEqual([7, 0]);
    expect(pages.every(({ absence, isSaidChanged }) => absence?.outcome === "gone" && isSaidChanged === true)).toBe(
      true,
    );
    const second = await reread(store, everything404);
    expect(second.result).toMatchObject({ outcomes: { gone: 7 }, doubted: 0 });
    expect([...store.visits()].map(({ outcome }) => outcome)).toEqual(visits.map(() => "dead"));
    expect(refreshFacts(store)).toMatchObject({ pages: [], gone: 7 });
  });

  it("are judged when all planned pages of their host have answered, so the first may be gone for good", async () => {
    const store = await crawled();
    const gone = pageNamed(store, "gone");
    const pages = [gone, ...refreshFacts(store).pages.filter(({ url }) => url !== gone.url)];
    const timers = new PassingTimers((gone.lastReadMs ?? 0) + 2 * DAY);
    const serve = ({ url }: FetchRequest): Served =>
      (url === `${SEED}gone` ? undefined : FIRST[url]) ?? { status: 404 };
    const fetcher = new Watched(timers, serve);
    const settings = inlineSettings([SEED], {});
    const result = await refreshPages({ store, fetcher, settings, timers, pages });
    expect(fetcher.requests.map(({ url }) => url)[1]).toBe(`${SEED}gone`);
    expect(result).toMatchObject({ outcomes: { gone: 1, unchanged: 6 }, doubted: 0 });
    expect(refreshFacts(store).gone).toBe(1);
  });

  it("stay known if they are back by the next read", async () => {
    const store = await crawled();
    await reread(store, everything404);
    await reread(store, ({ url }) => FIRST[url] ?? { status: 404 });
    const { pages, gone } = refreshFacts(store);
    expect([pages.length, gone]).toEqual([7, 0]);
    expect(pages.some(({ absence }) => absence !== undefined)).toBe(false);
  });

  it.each<Served>([{ status: 403 }, { status: 500 }, { failure: "headers-timeout" }])(
    "are never forgotten because of %o",
    async (served) => {
      const store = await crawled();
      const visits = [...store.visits()];
      for (let k = 0; k < 3; k++) {
        await reread(store, ({ url }) => (url.endsWith("/gone") ? served : (FIRST[url] ?? { status: 404 })));
      }
      expect([...store.visits()]).toEqual(visits);
      expect(pageNamed(store, "gone")).toBeDefined();
    },
  );

  it("that redirect to themselves are not lost in a loop", async () => {
    const store = await crawled();
    const { found } = await reread(store, ({ url }) =>
      url.endsWith("/moved") ? { status: 301, headers: { location: "/moved" } } : (FIRST[url] ?? { status: 404 }),
    );
    expect(found["http://a.example/moved"]).toEqual(["failed", "redirect-loop"]);
    expect(pageNamed(store, "moved")).toBeDefined();
  });
});

it("reads a page that version 0.1 found changed against what the log says of it, not against what it read then", async () => {
  const store = await crawled();
  const { url } = pageNamed(store, "new-text");
  const noted = { number: 1, url, atMs: 5, outcome: "changed", reason: null, target: null, status: 200 } as const;
  const digest = new Uint8Array(8).fill(9);
  store.addReread({ ...noted, digest, etag: '"x"', lastModified: null, milliseconds: 1, wireBytes: 1, visit: null });
  expect(pageNamed(store, "new-text")).toMatchObject({ etag: null, lastModified: null });
  const { found } = await reread(store, ({ url: each }) =>
    each.endsWith("/new-text") ? "<title>New</title>" : (FIRST[each] ?? { status: 404 }),
  );
  expect(found["http://a.example/new-text"]).toEqual(["changed", null]);
  expect([...store.visits()].at(-1)).toMatchObject({ url, title: "New" });
});
