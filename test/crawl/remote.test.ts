/**
 * A crawl that is driven by records of another process too: URLs that were discovered there, mass that arrives from
 * there.
 */
import { describe, expect, it } from "vitest";
import { launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { fatesIn, inlineSettings, InlineWeb } from "../support/inline-web.ts";

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
    first.receive({ kind: "received", url: `${SITE}far`, sender: 5, total: 0.3 });
    first.receive({ kind: "received", url: `${SITE}far`, sender: 5, total: 0.2 });
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
});
