/** Seeds that redirect to another host: where they end up belongs to the crawl. */
import { describe, expect, it } from "vitest";
import {
  certifyLog,
  checkSeeds,
  type Crawl,
  type CrawlEvent,
  type CrawlSettings,
  defaultWebSettings,
  launchCrawl,
} from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { READINGS_MAX } from "../../src/crawl/reader/read-queue.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";
import { fatesIn, InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";

const SEED = "http://site.example/";

type Pages = Readonly<Record<string, Served>>;

const MOVED: Pages = {
  [SEED]: { redirect: "http://www.site.test/" },
  "http://www.site.test/": '<a href="/a">a</a><a href="http://site.example/b">b</a><a href="http://other.test/">o</a>',
  "http://www.site.test/a": '<a href="/gone-away">x</a>',
  "http://www.site.test/gone-away": { redirect: "http://other.test/" },
  "http://site.example/b": "b",
  "http://other.test/": "other",
};

function settingsOf(kind: "page" | "prefix" | "host" | "domain", exclude: readonly string[] = []): CrawlSettings {
  return inlineSettings([SEED], { web: defaultWebSettings({ kind, seeds: [SEED], exclude }, 0) });
}

async function crawl(pages: Pages, settings = settingsOf("host")) {
  const web = new InlineWeb(({ href }) => pages[href]);
  const store = new MemoryStore(JSON.stringify(settings));
  const events: CrawlEvent[] = [];
  const launched = await launchCrawl({
    settings,
    store,
    fetcher: web,
    readers: 0,
    onEvent: (event) => events.push(event),
  });
  const { reason } = await launched.run();
  const downloaded = [...fatesIn(store)].flatMap(([url, { outcome }]) => (outcome === "downloaded" ? [url] : []));
  const stored = JSON.parse(store.settings()) as CrawlSettings;
  return { reason, store, web, events, downloaded: downloaded.sort(), scope: stored.web.scope.seeds };
}

const WIDENED = ["http://site.example/b", "http://www.site.test/", "http://www.site.test/a"];

describe("a seed that redirects to another host", () => {
  it("brings that host into the scope, and its links", async () => {
    const { downloaded, scope, events, store } = await crawl(MOVED);
    expect(downloaded).toEqual(WIDENED);
    expect(scope).toEqual([SEED, "http://www.site.test/"]);
    expect(events.find(({ name }) => name === "scope-widened")).toMatchObject({
      url: "http://www.site.test/",
      scope: "the hosts site.example and www.site.test",
    });
    // A page that is no seed does not bring its host along.
    expect(fatesIn(store).get("http://www.site.test/gone-away")?.why).toBe("out-of-scope:redirect");
  });

  it("is followed over a third host, which does not belong to the crawl", async () => {
    const { downloaded, scope } = await crawl({
      ...MOVED,
      [SEED]: { redirect: "http://login.other.test/?next=1" },
      "http://login.other.test/?next=1": { redirect: "http://www.site.test/" },
      "http://www.site.test/": '<a href="http://login.other.test/help">help</a><a href="/a">a</a>',
      "http://login.other.test/help": "help",
    });
    expect(downloaded).toEqual(["http://www.site.test/", "http://www.site.test/a"]);
    expect(scope).toEqual([SEED, "http://www.site.test/"]);
  });

  it.each([
    ["page", ["http://www.site.test/"]],
    ["prefix", ["http://site.example/b", "http://www.site.test/", "http://www.site.test/a"]],
    ["domain", ["http://site.example/b", "http://www.site.test/", "http://www.site.test/a"]],
  ] as const)("counts as the scope %s has it", async (kind, expected) => {
    expect((await crawl(MOVED, settingsOf(kind))).downloaded).toEqual(expected);
  });

  it("is not followed to where the user does not want to go", async () => {
    const { downloaded, scope, store } = await crawl(MOVED, settingsOf("host", ["www\\."]));
    expect(downloaded).toEqual([]);
    expect(scope).toEqual([SEED]);
    expect(fatesIn(store).get(SEED)?.why).toBe("out-of-scope:redirect");
  });

  it("widens the scope only with a page that comes", async () => {
    const { scope, store } = await crawl({ [SEED]: { redirect: "http://www.site.test/" } });
    expect(scope).toEqual([SEED]);
    expect(fatesIn(store).get("http://www.site.test/")?.outcome).toBe("dead");
  });

  it("has widened the scope for later runs too", async () => {
    const first = settingsOf("host");
    const { store } = await crawl(MOVED, { ...first, limits: { pages: 1 } });
    const settings = { ...(JSON.parse(store.settings()) as CrawlSettings), limits: {} };
    const web = new InlineWeb(({ href }) => MOVED[href]);
    const resumed = await launchCrawl({ settings, store, fetcher: web, readers: 0 });
    expect((await resumed.run()).reason).toBe("frontier-empty");
    const downloaded = [...fatesIn(store)].flatMap(([url, { outcome }]) => (outcome === "downloaded" ? [url] : []));
    expect(downloaded.sort()).toEqual(WIDENED);
    expect((JSON.parse(store.settings()) as CrawlSettings).web.scope.seeds).toEqual([SEED, "http://www.site.test/"]);
  });

  describe("beside another seed", () => {
    const SEEDS = ["http://a.test/", "http://b.test/"];
    const links = (...urls: string[]): string => urls.map((url) => `<a href="${url}">x</a>`).join("");
    const pages: Pages = {
      "http://a.test/": links("http://www.b.test/hidden", "/go", "/more"),
      "http://a.test/go": { redirect: "http://www.b.test/hidden2" },
      "http://a.test/more": links("/"),
      "http://b.test/": { redirect: "http://m.b.test/" },
      "http://m.b.test/": { redirect: "http://www.b.test/" },
      "http://www.b.test/": "the end",
      "http://www.b.test/hidden": "found",
      "http://www.b.test/hidden2": "found, too",
    };
    const settings = inlineSettings(SEEDS, { web: defaultWebSettings({ kind: "host", seeds: SEEDS }, 0) });

    it("is waited for, so that no link to its host is lost", async () => {
      const { downloaded, store } = await crawl(pages, settings);
      expect(downloaded).toEqual(Object.keys(pages).filter((url) => typeof pages[url] === "string"));
      expect(certifyLog(store).certificate.coverage).toBe(1);
    });

    it("counts as out of the scope if pages were read before: what they link to there is lost", async () => {
      const [first] = SEEDS;
      const before = inlineSettings([first], { web: defaultWebSettings({ kind: "host", seeds: SEEDS }, 0) });
      const { store } = await crawl(pages, before);
      const web = new InlineWeb(({ href }) => pages[href]);
      const events: CrawlEvent[] = [];
      const onEvent = (event: CrawlEvent): number => events.push(event);
      const resumed = await launchCrawl({ settings, store, fetcher: web, readers: 0, onEvent });
      await resumed.run();
      expect(fatesIn(store).get("http://b.test/")?.why).toBe("out-of-scope:redirect");
      expect(events.find(({ name }) => name === "seed-lost")).toMatchObject({ url: "http://b.test/" });
      expect(events.find(({ name }) => name === "scope-widened")).toBeUndefined();
    });

    it("is out of the scope if its page comes when others were read already", async () => {
      const web = new TimedWeb({
        serve: ({ href }) => pages[href],
        latencyMs: ({ host }) => (host === "www.b.test" ? 15_000 : 10),
      });
      const { store } = await crawlTimed(web, SEEDS, { web: { scope: settings.web.scope } });
      expect(fatesIn(store).get("http://www.b.test/")?.why).toBe("out-of-scope:redirect");
      expect((JSON.parse(store.settings()) as CrawlSettings).web.scope.seeds).toEqual(SEEDS);
      expect(fatesIn(store).has("http://www.b.test/hidden")).toBe(false);
    });

    it("is waited for however long its sitemaps take, if there is nobody else", async () => {
      const maps = Array.from({ length: 12 }, (_, k) => `Sitemap: http://b.test/map${k}.xml`);
      const web = new TimedWeb({
        serve: ({ pathname, href }) => {
          if (pathname === "/robots.txt") return { body: maps.join("\n"), headers: {} };
          return pathname.startsWith("/map") ? "<urlset></urlset>" : pages[href];
        },
      });
      const seeds = ["http://b.test/"];
      const delayed = { delayMs: 1000, concurrency: 2, perHost: 1, perAddress: 1, crawlDelayMsMax: 0 };
      const { store } = await crawlTimed(web, seeds, {
        politeness: delayed,
        web: { scope: { kind: "host", seeds }, sitemaps: true },
      });
      expect(fatesIn(store).get("http://www.b.test/")?.outcome).toBe("downloaded");
    });

    it("is waited for by the next run if the crawl is stopped before it answers", async () => {
      const web = () =>
        new TimedWeb({ serve: ({ href }) => pages[href], latencyMs: ({ host }) => (host === "a.test" ? 10 : 300) });
      const changes = { web: { scope: settings.web.scope } };
      const stopped = web();
      const onLaunch = (crawl: Crawl): unknown => stopped.timers.after(500, () => crawl.stop("interrupted"));
      const { store, end } = await crawlTimed(stopped, SEEDS, changes, undefined, { onLaunch });
      expect(end.status.pages).toBe(0);
      const scope = (JSON.parse(store.settings()) as CrawlSettings).web.scope;
      await crawlTimed(web(), SEEDS, { web: { scope } }, store);
      expect(fatesIn(store).get("http://www.b.test/hidden")?.outcome).toBe("downloaded");
      expect(certifyLog(store).certificate.coverage).toBe(1);
    });

    it("is alone in that: what sitemaps list leads nowhere else, also while the seed is waited for", async () => {
      // As many sitemaps as may wait to be read: they are read before the scope is settled, to make room for the seed.
      const maps = Array.from({ length: READINGS_MAX }, (_, k) => `Sitemap: http://b.test/map${k}.xml`);
      const listed = "http://b.test/listed";
      const web = new TimedWeb({
        serve: ({ pathname, href }) => {
          if (pathname === "/robots.txt") return { body: maps.join("\n"), headers: {} };
          if (pathname.startsWith("/map")) return `<urlset><url><loc>${listed}</loc></url></urlset>`;
          return href === listed ? { redirect: "http://www.b.test/hidden" } : pages[href];
        },
        latencyMs: ({ href }) => (href === "http://b.test/" ? 5000 : 10),
      });
      const seeds = ["http://b.test/"];
      const politeness = { delayMs: 0, concurrency: 2, perHost: 2, perAddress: 2, crawlDelayMsMax: 0 };
      const scope = { kind: "host", seeds } as const;
      const { fates } = await crawlTimed(web, seeds, { politeness, web: { scope, sitemaps: true } });
      expect(web.times(listed)[0]).toBeLessThan(web.times("http://m.b.test/")[0]);
      expect(fates.get(listed)?.why).toBe("out-of-scope:redirect");
      expect(fates.has("http://www.b.test/hidden")).toBe(false);
      expect(fates.get("http://www.b.test/")?.outcome).toBe("downloaded");
    });

    it("is not waited for for ever", async () => {
      const web = new TimedWeb({
        serve: ({ href }) => (href === "http://b.test/" ? undefined : pages[href]),
        latencyMs: ({ host }) => (host === "b.test" ? 60_000 : 10),
      });
      await crawlTimed(web, SEEDS, {});
      const read = web.requests.find(({ url }) => url === "http://a.test/more");
      expect(read?.atMs).toBeGreaterThan(10_000);
      expect(read?.atMs).toBeLessThan(20_000);
    });

    it("is followed at any time in a list, where each seed stands for itself", async () => {
      const list = inlineSettings(SEEDS, { web: defaultWebSettings({ kind: "page", seeds: SEEDS }, 0) });
      const { downloaded, scope } = await crawl(pages, list);
      expect(downloaded).toEqual(["http://a.test/", "http://www.b.test/"]);
      expect(scope).toEqual([...SEEDS, "http://www.b.test/"]);
    });
  });

  it("leads there in a dry run as well", async () => {
    const settings = settingsOf("host");
    const [check] = await checkSeeds({
      settings,
      seeds: settings.seeds,
      fetcher: new InlineWeb(({ href }) => MOVED[href]),
    });
    expect(check).toMatchObject({ leadsTo: "http://www.site.test/", inScope: true, status: 200, robots: "allowed" });
  });
});
