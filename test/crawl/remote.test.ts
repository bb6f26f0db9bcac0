/**
 * A crawl that is driven by records of another process too: URLs that were discovered there, mass that arrives from
 * there.
 */
import { describe, expect, it } from "vitest";
import { launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { fatesIn, inlineSettings, InlineWeb } from "../support/inline-web.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">x</a>`).join("");

/** / links to /a and /b; nothing here links to /far. */
const web = () =>
  new InlineWeb(({ pathname }) => {
    if (pathname === "/") return links("/a", "/b");
    return ["/a", "/b", "/far"].includes(pathname) ? "page" : undefined;
  });

const limits = { pages: 2 };
const settings = inlineSettings([SITE], {
  limits,
  politeness: { ...inlineSettings([SITE], {}).politeness, concurrency: 1 },
});

describe("a crawl", () => {
  it("fetches a URL that another process discovered", async () => {
    const store = new MemoryStore(JSON.stringify(settings));
    const crawl = await launchCrawl({
      store,
      settings: { ...settings, limits: {} },
      fetcher: web(),
      readers: 0,
    });
    crawl.receive({ kind: "discovered", url: `${SITE}far`, depth: 3 });
    expect((await crawl.run()).reason).toBe("frontier-empty");
    expect([...fatesIn(store).keys()].sort()).toEqual([SITE, `${SITE}a`, `${SITE}b`, `${SITE}far`]);
    expect([...store.urls()].find(({ path }) => path === "/far")).toMatchObject({ depth: 3 });
  });

  it("puts a page first on which much arrived from elsewhere, and knows it after a resume", async () => {
    const store = new MemoryStore(JSON.stringify(settings));
    const first = await launchCrawl({ store, settings, fetcher: web(), readers: 0 });
    // More than the seed's own 0.15: it comes before the seed.
    first.receive({ kind: "received", url: `${SITE}far`, depth: 2, sender: 5, total: 0.3 });
    first.receive({ kind: "received", url: `${SITE}far`, depth: 2, sender: 5, total: 0.2 });
    expect((await first.run()).reason).toBe("page-limit");
    expect([...store.visits()].map(({ url }) => store.pathOf(url))).toEqual(["/far", "/"]);
    expect([...store.received()]).toMatchObject([{ sender: 5, total: 0.3 }]);
    const again = await launchCrawl({
      store,
      settings: { ...settings, limits: {} },
      fetcher: web(),
      readers: 0,
    });
    const { status } = await again.run();
    // All mass of this process and what it received: nothing is claimed beyond the whole.
    expect(status.coverage).toBeLessThanOrEqual(1);
    expect(status.pages).toBe(4);
  });

  it("takes what it receives at the depth that comes with it, by its canonical form, and nothing out of its scope", async () => {
    const store = new MemoryStore(JSON.stringify(settings));
    const crawl = await launchCrawl({ store, settings: { ...settings, limits: {} }, fetcher: web(), readers: 0 });
    crawl.receive({ kind: "received", url: "HTTP://SITE.example:80/b/../far#x", depth: 2, sender: 5, total: 0.1 });
    crawl.receive({ kind: "received", url: "http://elsewhere.test/", depth: 1, sender: 5, total: 0.1 });
    crawl.receive({ kind: "discovered", url: "http://elsewhere.test/", depth: 1 });
    crawl.receive({ kind: "discovered", url: "mailto:somebody@site.example", depth: 1 });
    await crawl.run();
    expect([...fatesIn(store).keys()].sort()).toEqual([SITE, `${SITE}a`, `${SITE}b`, `${SITE}far`]);
    expect([...store.urls()].find(({ path }) => path === "/far")).toMatchObject({ depth: 2 });
    expect([...store.received()]).toHaveLength(1);
  });

  it("fetches a URL that was too deep once another process knows a shorter way", async () => {
    const timed = new TimedWeb({
      serve: ({ pathname }) => (pathname === "/" ? links("/a", "/b") : pathname === "/far" ? links("/next") : "page"),
    });
    const url = `${SITE}far`;
    const { end, fates } = await crawlTimed(
      timed,
      [SITE],
      { limits: { depth: 2 }, politeness: { ...settings.politeness, delayMs: 1000 } },
      new MemoryStore("{}"),
      {
        onLaunch: (crawl) => {
          // It comes before the seed, and is put aside.
          crawl.receive({ kind: "received", url, depth: 3, sender: 5, total: 0.3 });
          timed.timers.after(1500, () => crawl.receive({ kind: "discovered", url, depth: 1 }));
        },
      },
    );
    expect([...fates.keys()].sort()).toEqual([SITE, `${SITE}a`, `${SITE}b`, url, `${SITE}next`]);
    expect(end.reason).toBe("frontier-empty");
  });
});
