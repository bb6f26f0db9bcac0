/** What a crawl remembers from one run to the next, and what it counts. */
import { describe, expect, it } from "vitest";
import { certifyLog } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import type { Served } from "../support/inline-web.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join("");
const politeness = { delayMs: 0, concurrency: 1, perHost: 1, perAddress: 99, crawlDelayMsMax: 0 };

/** Paths and what they answer; robots.txt is not found unless said. */
const webOf = (served: Readonly<Record<string, Served>>): TimedWeb =>
  new TimedWeb({ serve: ({ pathname }) => served[pathname] });

describe("a resumed crawl", () => {
  it("knows that a host has answered: if the name is not found now, its pages have failed and are not dead", async () => {
    const store = new MemoryStore("{}");
    const first = webOf({ "/": links("/a", "/b") });
    await crawlTimed(first, [SITE], { politeness, limits: { pages: 1 } }, store);
    const gone = new TimedWeb({ serve: () => ({ failure: "host-not-found" }) });
    const { end, fates } = await crawlTimed(gone, [SITE], { politeness }, store);
    expect(end.reason).toBe("frontier-empty");
    for (const path of ["a", "b"])
      expect(fates.get(SITE + path)).toMatchObject({ outcome: "refused", reason: "failed" });
    expect(certifyLog(store).certificate.flowDead).toBe(0);
  });

  it("knows it of a host whose sitemap never came", async () => {
    const store = new MemoryStore("{}");
    const rules = { body: `User-agent: *\nAllow: /\nSitemap: ${SITE}slow.xml`, headers: {} };
    const first = new TimedWeb({
      latencyMs: ({ pathname }) => (pathname === "/slow.xml" ? 3_600_000 : 10),
      serve: ({ pathname }) => ({ "/robots.txt": rules, "/": links("/a") })[pathname],
    });
    const two = { ...politeness, concurrency: 2, perHost: 2 };
    await crawlTimed(first, [SITE], { politeness: two, limits: { pages: 1 } }, store);
    expect([...store.robots()]).toMatchObject([{ atMs: 0, status: 200 }]);
    const gone = new TimedWeb({ serve: () => ({ failure: "host-not-found" }) });
    const { fates } = await crawlTimed(gone, [SITE], { politeness }, store);
    expect(fates.get(`${SITE}a`)?.outcome).toBe("refused");
  });

  it("knows it of a host of which it has the robots.txt only", async () => {
    const store = new MemoryStore("{}");
    const rules = { body: "User-agent: *\nDisallow: /private", headers: {} };
    const scope = { kind: "domain" as const, seeds: [SITE] };
    const changes = { politeness, web: { scope } };
    await crawlTimed(webOf({ "/robots.txt": rules }), [`${SITE}private`], changes, store);
    const gone = new TimedWeb({ serve: () => ({ failure: "host-not-found" }) });
    const { fates } = await crawlTimed(gone, [`${SITE}private`, `${SITE}new`], changes, store);
    expect(fates.get(`${SITE}new`)).toMatchObject({ outcome: "refused", reason: "failed" });
  });

  it("knows it of what robots.txt forbids, and of a robots.txt whose sitemap never came", async () => {
    for (const seeds of [[`${SITE}private`, `${SITE}open`], [`${SITE}open`]]) {
      const store = new MemoryStore("{}");
      const rules = { body: `User-agent: *\nDisallow: /private\nSitemap: ${SITE}slow.xml`, headers: {} };
      const first = new TimedWeb({
        latencyMs: ({ pathname }) => (pathname === "/robots.txt" ? 10 : 3_600_000),
        serve: ({ pathname }) => ({ "/robots.txt": rules })[pathname],
      });
      await crawlTimed(first, seeds, { politeness, limits: { timeMs: 1000 } }, store);
      const gone = new TimedWeb({ serve: () => ({ failure: "host-not-found" }) });
      const { fates } = await crawlTimed(gone, seeds, { politeness }, store);
      expect(fates.get(`${SITE}open`)).toMatchObject({ outcome: "refused", reason: "failed" });
      expect(certifyLog(store).certificate.flowDead).toBe(0);
    }
  });

  it("reads the sitemaps that an earlier run did not come to, even if no page waits", async () => {
    const store = new MemoryStore("{}");
    const served = {
      "/robots.txt": { body: `User-agent: *\nAllow: /\nSitemap: ${SITE}map.txt`, headers: {} },
      "/": "no links",
      "/map.txt": { body: `${SITE}listed`, headers: { "content-type": "text/plain" } },
      "/listed": "found",
    };
    const slow = new TimedWeb({
      latencyMs: ({ pathname }) => (pathname === "/map.txt" ? 3_600_000 : 10),
      serve: ({ pathname }) => served[pathname as keyof typeof served],
    });
    const two = { politeness: { ...politeness, concurrency: 2, perHost: 2 } };
    await crawlTimed(slow, [SITE], { ...two, limits: { pages: 1 } }, store);
    const { fates } = await crawlTimed(webOf(served), [SITE], two, store);
    expect(fates.get(`${SITE}listed`)?.outcome).toBe("downloaded");
  });

  it("knows it of a host whose robots.txt answered with errors only", async () => {
    const store = new MemoryStore("{}");
    const seeds = [`${SITE}a`, `${SITE}b`];
    await crawlTimed(webOf({ "/robots.txt": { status: 500 } }), seeds.slice(0, 1), { politeness }, store);
    expect([...store.robots()]).toEqual([]);
    const gone = new TimedWeb({ serve: () => ({ failure: "host-not-found" }) });
    const { fates } = await crawlTimed(gone, seeds, { politeness }, store);
    expect(fates.get(`${SITE}b`)).toMatchObject({ outcome: "refused", reason: "failed" });
  });

  it("counts the attempts of earlier runs", async () => {
    const store = new MemoryStore("{}");
    // Three attempts in all, the second and third after waits of 5 and 10 seconds.
    const broken = webOf({ "/": { status: 500 } });
    await crawlTimed(broken, [SITE], { politeness, limits: { timeMs: 1000 } }, store);
    expect(broken.times(SITE)).toHaveLength(1);
    const again = webOf({ "/": { status: 500 } });
    const { fates } = await crawlTimed(again, [SITE], { politeness }, store);
    expect(again.times(SITE)).toHaveLength(2);
    expect(fates.get(SITE)?.why).toBe("failed:status-500");
  });

  it("numbers what it discovers by the visits of all runs", async () => {
    const served = { "/": links("/a"), "/a": links("/b"), "/b": links("/c"), "/c": "end" };
    const whole = await crawlTimed(webOf(served), [SITE], { politeness });
    const store = new MemoryStore("{}");
    for (const pages of [1, 2, 3, 4]) await crawlTimed(webOf(served), [SITE], { politeness, limits: { pages } }, store);
    const numbers = (log: MemoryStore) => Array.from(log.urls(), ({ path, discoveredAt }) => [path, discoveredAt]);
    expect(numbers(store)).toEqual(numbers(whole.store));
    expect(numbers(store)).toEqual([
      ["/", 0],
      ["/a", 1],
      ["/b", 2],
      ["/c", 3],
    ]);
  });

  it("counts failed, dead and redirected URLs of all runs once", async () => {
    const store = new MemoryStore("{}");
    const web = webOf({
      "/robots.txt": { body: "User-agent: *\nDisallow: /no", headers: {} },
      "/": links("/403", "/404", "/moved", "/no"),
      "/403": { status: 403 },
      "/moved": { redirect: "/" },
    });
    await crawlTimed(web, [SITE], { politeness, limits: { pages: 1 } }, store);
    const { end } = await crawlTimed(web, [SITE], { politeness }, store);
    // The 403 has failed, the 404 is dead: both were requested in vain. robots.txt forbids one more.
    expect(end.status).toMatchObject({ pages: 1, failed: 2, dead: 1, redirects: 1, refused: 2, frontier: 0 });
  });
});

describe("a limit of bytes", () => {
  it("counts bodies over the wire, of all runs together, and ends the crawl at the page that reaches it", async () => {
    const body = (text: string): Served => ({ body: text, headers: { "content-type": "text/html" } });
    const served = {
      "/": body(links("/a", "/b")),
      "/a": body("x".repeat(1000)),
      "/b": body("y".repeat(1000)),
    };
    const first = links("/a", "/b").length;
    const store = new MemoryStore("{}");
    const one = await crawlTimed(webOf(served), [SITE], { politeness, limits: { bytes: first } }, store);
    expect(one.end).toMatchObject({ reason: "byte-limit", status: { pages: 1, bytes: first } });
    const two = await crawlTimed(webOf(served), [SITE], { politeness, limits: { bytes: first + 1 } }, store);
    expect(two.end).toMatchObject({ reason: "byte-limit", status: { pages: 2, bytes: first + 1000 } });
    const none = await crawlTimed(webOf(served), [SITE], { politeness, limits: { bytes: first + 1000 } }, store);
    expect(none.end).toMatchObject({ reason: "byte-limit", status: { pages: 2 } });
  });
});

describe("a URL that a page names as its canonical form", () => {
  it("is fetched although nothing links to it, after what is linked", async () => {
    const canonical = '<link rel="canonical" href="/canonical">';
    const web = webOf({ "/": canonical + links("/linked"), "/linked": "page", "/canonical": "page" });
    const { store } = await crawlTimed(web, [SITE], { politeness });
    const order = Array.from(store.visits(), ({ url }) => store.pathOf(url));
    expect(order).toEqual(["/", "/linked", "/canonical"]);
  });
});

describe("a pause", () => {
  it("that a server asks for is not cut short by a shorter one that comes later", async () => {
    // Two requests are under way together; the one that asks for 60 s answers first, the one that asks for 1 s after
    // it.
    const web = new TimedWeb({
      latencyMs: ({ pathname }) => (pathname === "/short" ? 500 : 10),
      serve: ({ pathname }, nth) => {
        if (pathname === "/") return links("/long", "/short");
        if (pathname === "/robots.txt") return undefined;
        if (nth > 1) return "page";
        return { status: 503, headers: { "retry-after": pathname === "/long" ? "60" : "1" } };
      },
    });
    const many = { ...politeness, concurrency: 4, perHost: 2 };
    const { end } = await crawlTimed(web, [SITE], { politeness: many });
    expect(end.status.pages).toBe(3);
    const [first, second] = web.times(`${SITE}long`);
    for (const path of ["long", "short"]) {
      expect(web.times(SITE + path)[1] - first).toBeGreaterThanOrEqual(60_000);
    }
    expect(second).toBeGreaterThan(first);
  });
});

describe("sitemaps", () => {
  const rules = (...sitemaps: string[]): Served => ({
    body: ["User-agent: *", "Allow: /", ...sitemaps.map((url) => `Sitemap: ${SITE}${url}`)].join("\n"),
    headers: {},
  });

  it.each([
    [500, 500],
    [501, 500],
  ])("of %i that a robots.txt names, %i are read", async (named, read) => {
    const names = Array.from({ length: named }, (_, k) => `sitemap-${k}.txt`);
    const web = new TimedWeb({
      serve: ({ pathname }) => {
        if (pathname === "/robots.txt") return rules(...names);
        if (!pathname.startsWith("/sitemap")) return pathname === "/" ? "page" : undefined;
        return { body: `${SITE}of-${pathname.slice(1)}`, headers: { "content-type": "text/plain" } };
      },
    });
    await crawlTimed(web, [SITE], { politeness });
    expect(web.requests.filter(({ url }) => url.includes("/sitemap-"))).toHaveLength(read);
  });
});

describe("a robots.txt", () => {
  it.each([
    [5, "downloaded"],
    [6, "refused"],
  ])("behind %i redirects leaves the page %s", async (redirects, outcome) => {
    const web = new TimedWeb({
      serve: ({ pathname }) => {
        if (pathname === "/") return "page";
        const hop = pathname === "/robots.txt" ? 0 : Number(pathname.split("hop-")[1]);
        return hop < redirects ? { redirect: `/hop-${hop + 1}` } : { body: "", headers: {} };
      },
    });
    const { fates } = await crawlTimed(web, [SITE], { politeness });
    expect(fates.get(SITE)?.outcome).toBe(outcome);
  });
});

describe("a robots.txt that answers with an error", () => {
  it("is requested five times, with waits of 10, 40, 160 and 640 seconds, and then every page has failed", async () => {
    const web = webOf({ "/robots.txt": { status: 500 }, "/": "page" });
    const { fates } = await crawlTimed(web, [SITE], { politeness });
    const times = web.times(`${SITE}robots.txt`);
    const waits = times.slice(1).map((atMs, k) => Math.round((atMs - times[k]) / 1000));
    expect(waits).toEqual([10, 40, 160, 640]);
    expect(fates.get(SITE)?.why).toBe("failed:robots-status-500");
  });
});

describe("copies of one content", () => {
  it("are followed up to the limit, and new addresses on one more are refused", async () => {
    const copy = '<a href="next">next</a>';
    const served = { "/1/": copy, "/2/": copy, "/3/": copy, "/": links("/1/", "/2/", "/3/") };
    const web = webOf({ ...served, "/1/next": "page", "/2/next": "page", "/3/next": "page" });
    const { fates } = await crawlTimed(web, [SITE], { politeness, web: { sameContentMax: 2 } });
    const became = ["1", "2", "3"].map((k) => fates.get(`${SITE}${k}/next`)?.why ?? "downloaded");
    expect(became).toEqual(["downloaded", "downloaded", "trap:identical-content"]);
  });
});

describe("a host that gave as many pages as it may, while others are under way", () => {
  it("is woken when one of them turns out to be no page", async () => {
    const paths = ["/dead-1", "/dead-2", "/page-1", "/page-2", "/page-3"];
    const web = new TimedWeb({
      serve: ({ pathname }) => {
        if (pathname === "/") return links(...paths);
        return pathname.startsWith("/page") ? "page" : undefined;
      },
    });
    const many = { ...politeness, concurrency: 8, perHost: 8 };
    const { end } = await crawlTimed(web, [SITE], { politeness: many, limits: { pagesPerHost: 4 } });
    expect(end.status.pages).toBe(4);
    expect(end.reason).toBe("frontier-empty");
  });

  it("is woken at once when its limit is raised", async () => {
    const paths = ["/1", "/2", "/3", "/4"];
    const web = new TimedWeb({
      latencyMs: ({ pathname }) => (paths.includes(pathname) ? 60_000 : 10),
      serve: ({ pathname }) => (pathname === "/" ? links(...paths) : paths.includes(pathname) ? "page" : undefined),
    });
    const many = { ...politeness, concurrency: 8, perHost: 3 };
    await crawlTimed(web, [SITE], { politeness: many, limits: { pagesPerHost: 3 } }, new MemoryStore("{}"), {
      onLaunch: (crawl) => void web.timers.after(10_000, () => crawl.changeLimits({})),
    });
    const started = paths.map((path) => web.times(SITE.slice(0, -1) + path)[0]).sort((a, b) => a - b);
    expect(started[1]).toBeLessThan(1000);
    expect(started[2]).toBeGreaterThanOrEqual(10_000);
    expect(started[2]).toBeLessThan(11_000);
  });
});
