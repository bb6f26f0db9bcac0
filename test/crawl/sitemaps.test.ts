/** Sitemaps that nobody named, sitemaps that the user gave, and what is kept of what they list. */
import { describe, expect, it } from "vitest";
import {
  certifyLog,
  type CrawlEvent,
  launchCrawl,
  listSitemaps,
  type ReadSitemap,
  readSitemapDates,
  refreshFacts,
  refreshPages,
} from "../../src/crawl/index.ts";
import { PastRequests } from "../../src/crawl/politeness/past-requests.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { eventInWords } from "../../src/text/index.ts";
import { inlineSettings, type Served, type SettingsChanges } from "../support/inline-web.ts";
import { crawlTimed, inTime, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const MAP = `${SITE}sitemap.xml`;
const DAY_MS = 86_400_000;
const robots = (body: string): Served => ({ body, headers: { "content-type": "text/plain" } });
const xml = (body: string): Served => ({ body, headers: { "content-type": "text/xml" } });
const urlset = (...entries: (readonly [url: string, lastmod?: string])[]): Served =>
  xml(
    `<urlset>${entries
      .map(([url, date]) => `<url><loc>${url}</loc>${date === undefined ? "" : `<lastmod>${date}</lastmod>`}</url>`)
      .join("")}</urlset>`,
  );

const index = (...locations: string[]): Served =>
  xml(`<sitemapindex>${locations.map((each) => `<sitemap><loc>${each}</loc></sitemap>`).join("")}</sitemapindex>`);

/** What is undefined is not found. */
function webOf(pages: Readonly<Record<string, Served>>): TimedWeb {
  return new TimedWeb({ serve: ({ href }) => pages[href] });
}

async function crawl(web: TimedWeb, changes: SettingsChanges = {}, store?: MemoryStore) {
  const events: CrawlEvent[] = [];
  const run = await crawlTimed(web, [SITE], changes, store, { onEvent: (event) => void events.push(event) });
  return { ...run, events: events.filter(({ name }) => name !== "stopping") };
}

async function list(web: TimedWeb, ...given: string[]) {
  const settings = inlineSettings(given, {});
  const sitemaps: ReadSitemap[] = [];
  const onSitemap = (sitemap: ReadSitemap): void => void sitemaps.push(sitemap);
  const options = { settings, sitemaps: given, fetcher: web, timers: web.timers, onSitemap };
  return { unread: await inTime(web.timers, listSitemaps(options)), sitemaps };
}

describe("where robots.txt names no sitemap", () => {
  it("/sitemap.xml is not read again where it, or another origin, names it", async () => {
    const other = "http://other.example/";
    const web = webOf({
      [SITE]: `<a href="${other}">other</a>`,
      [MAP]: index(MAP, "/more.xml"),
      [`${SITE}more.xml`]: urlset([`${SITE}only-here`]),
      [`${SITE}only-here`]: "page",
      [other]: "page",
      [`${other}robots.txt`]: robots(`Sitemap: ${MAP}\nSitemap: ${other}sitemap.xml`),
    });
    await crawl(web, { web: { scope: { kind: "any", seeds: [SITE] } } });
    const maps = web.requests.map(({ url }) => url).filter((url) => url.endsWith(".xml"));
    expect(maps.toSorted()).toEqual([`${other}sitemap.xml`, `${SITE}more.xml`, MAP]);
  });

  it.each<[robots: string, served: Served | undefined]>([
    ["is missing", undefined],
    ["names none", robots("User-agent: *\nDisallow: /private")],
  ])("/sitemap.xml is read, once and before the pages: robots.txt %s", async (_, rules) => {
    const web = webOf({
      [SITE]: "page",
      [MAP]: urlset([`${SITE}only-here`]),
      [`${SITE}only-here`]: "page",
      ...(rules === undefined ? {} : { [`${SITE}robots.txt`]: rules }),
    });
    const { fates } = await crawl(web);
    expect(fates.get(`${SITE}only-here`)?.outcome).toBe("downloaded");
    expect(web.requests.map(({ url }) => url)).toEqual([`${SITE}robots.txt`, MAP, SITE, `${SITE}only-here`]);
  });

  it.each<[what: string, served: Served | undefined]>([
    ["nothing", undefined],
    ["a page", "<p>No such page, but with the status of a page."],
    ["an error", { status: 500 }],
    ["a login", { status: 401 }],
  ])("%s at /sitemap.xml is reported nowhere, is no page, and says nothing about its host", async (_, served) => {
    const pages = { [SITE]: '<a href="/a">a</a>', [`${SITE}a`]: "page" };
    const web = webOf(served === undefined ? pages : { ...pages, [MAP]: served });
    const { fates, events, store, end } = await crawl(web);
    expect(web.times(MAP)).toHaveLength(1);
    expect([...fates.keys()]).toEqual([SITE, `${SITE}a`]);
    expect([...store.urls()]).toHaveLength(2);
    expect([...store.listedUrls()]).toEqual([]);
    expect(events).toEqual([]);
    expect(end).toMatchObject({ reason: "frontier-empty", status: { coverage: 1, refused: 0, dead: 0 } });
    expect(certifyLog(store).certificate).toMatchObject({ coverage: 1, strict: 1 });
  });

  it.each<[why: string, rules: string, web: SettingsChanges["web"]]>([
    ["it names another", `Sitemap: ${SITE}map.xml`, {}],
    ["it forbids the place", "User-agent: *\nDisallow: /*.xml", {}],
    ["the user wants no sitemaps", "", { sitemaps: false }],
    ["only the seeds are crawled", "", { scope: { kind: "page", seeds: [SITE] } }],
  ])("the place is left alone if %s", async (_, rules, changes = {}) => {
    const web = webOf({ [SITE]: "page", [`${SITE}robots.txt`]: robots(rules) });
    await crawl(web, { web: changes });
    expect(web.times(SITE)).toHaveLength(1);
    expect(web.times(MAP)).toEqual([]);
  });
});

describe("a sitemap that the user gave", () => {
  const given = "http://maps.example/all.xml";

  it("is read wherever it is, after the robots.txt of its host, with all that its index names", async () => {
    const web = webOf({
      [SITE]: "page",
      [given]: { redirect: "http://cdn.example/all.xml" },
      "http://cdn.example/all.xml": index(
        "http://maps.example/one.xml",
        "http://x.example/2.xml",
        "http://z.example/4.xml",
      ),
      "http://maps.example/one.xml": urlset([`${SITE}a`], ["http://maps.example/out-of-scope"]),
      "http://x.example/2.xml": index("http://y.example/3.xml", given, "http://z.example/4.xml"),
      "http://y.example/3.xml": urlset([`${SITE}b`]),
      "http://z.example/robots.txt": robots("User-agent: *\nDisallow: /"),
      [`${SITE}a`]: "page",
      [`${SITE}b`]: "page",
    });
    const { fates, events } = await crawl(web, { sitemap: [given], web: { sitemaps: false } });
    expect([...fates.keys()].sort()).toEqual([SITE, `${SITE}a`, `${SITE}b`]);
    const asked = web.requests.map(({ url }) => url).filter((url) => !url.startsWith(SITE));
    expect(asked.sort()).toEqual([
      "http://cdn.example/all.xml",
      given,
      "http://maps.example/one.xml",
      "http://maps.example/robots.txt",
      "http://x.example/2.xml",
      "http://x.example/robots.txt",
      "http://y.example/3.xml",
      "http://y.example/robots.txt",
      "http://z.example/robots.txt",
    ]);
    expect(events).toMatchObject([{ name: "sitemap-failed", url: "http://z.example/4.xml", reason: "robots" }]);
  });

  it("is read again in the next run, which need not name it again", async () => {
    const web = webOf({ [SITE]: "page", [given]: urlset([SITE, "2026-01-01"]) });
    const { store } = await crawl(web, { sitemap: [given] });
    const settings = { sitemap: [given] };
    const [first] = store.listedUrls();
    await crawl(web, settings, store);
    const [second] = store.listedUrls();
    expect(web.times(given)).toHaveLength(2);
    expect(second.listedMs).toBeGreaterThan(first.listedMs);
    expect({ ...second, listedMs: 0 }).toEqual({ ...first, listedMs: 0 });
  });

  it.each<[why: string, reason: string | RegExp, pages: Record<string, Served>]>([
    ["is not there", "status-404", {}],
    ["is no sitemap", /^not a sitemap: its root element is html/, { [given]: "<html><p>Not found" }],
    ["may not be fetched", "robots", { "http://maps.example/robots.txt": robots("User-agent: *\nDisallow: /") }],
    [
      "is on a host without a robots.txt that can be read",
      "robots-status-500",
      {
        "http://maps.example/robots.txt": { status: 500 },
      },
    ],
  ])("and %s is reported, and the crawl goes on", async (_, reason, pages) => {
    const web = webOf({ [SITE]: "page", ...pages });
    const { end, events } = await crawl(web, { sitemap: [given] });
    expect(end.status.pages).toBe(1);
    const text: unknown = typeof reason === "string" ? reason : expect.stringMatching(reason);
    expect(events.filter(({ name }) => name === "sitemap-failed")).toEqual([
      { name: "sitemap-failed", atMs: expect.any(Number), url: given, reason: text },
    ]);
  });
});

describe("a sitemap that is cut off", () => {
  const part = `<urlset><url><loc>${SITE}a</loc></url>`;
  const cut: readonly [how: string, served: Served][] = [
    ["on its way", { body: `${part}</urlset>`, headers: { "content-type": "text/xml" }, truncated: true }],
    ["where it was made", xml(`${part}<url><loc>${SITE}b`)],
  ];

  it.each(cut)("%s is used as far as it goes, and reported if the user gave it", async (_, served) => {
    const web = webOf({ [SITE]: "page", [`${SITE}a`]: "page", [MAP]: served });
    const { fates, events } = await crawl(web, { sitemap: [MAP] });
    expect([...fates.keys()]).toEqual([SITE, `${SITE}a`]);
    expect(events).toMatchObject([{ name: "sitemap-failed", url: MAP, reason: "cut-off" }]);
    expect(eventInWords(events[0])).toBe(`the sitemap ${MAP} is read only in part, and may list more: it is cut off`);
    expect((await crawl(web)).events).toEqual([]);
  });

  it.each(cut)("%s is no whole list of URLs", async (_, served) => {
    const { sitemaps, unread } = await list(webOf({ [MAP]: served }), MAP);
    expect(sitemaps).toMatchObject([{ modified: new Map([[`${SITE}a`, null]]) }]);
    expect(unread).toEqual([{ url: MAP, reason: "cut-off" }]);
  });
});

describe("what sitemaps list", () => {
  it("is kept with its dates: URLs of the crawl alone, those known already too, by the last sitemap that says so", async () => {
    const web = webOf({
      [`${SITE}robots.txt`]: robots(`Sitemap: ${SITE}1.xml\nSitemap: ${SITE}2.xml`),
      [`${SITE}1.xml`]: urlset(
        [SITE, "2026-01-02"],
        [`${SITE}a?b=1&amp;c=2#d`, "2026-01-03"],
        [`${SITE}e`],
        [`${SITE}%7Eu`, "2026-01-06"],
        ["ftp://f"],
      ),
      [`${SITE}2.xml`]: urlset([SITE], [`${SITE}e`, "2026-01-04"], ["http://elsewhere.example/", "2026-01-05"]),
      [SITE]: "page",
    });
    const { store } = await crawl(web);
    const ids = [...store.urls()].map(({ id, path }) => [path, id]);
    const idOf = Object.fromEntries(ids) as Record<string, number>;
    const listed = [...store.listedUrls()].map(({ url, modifiedMs, sitemap }) => [url, modifiedMs, sitemap]);
    expect(listed).toEqual([
      [idOf["/"], Date.UTC(2026, 0, 2), `${SITE}2.xml`],
      [idOf["/a?b=1&c=2"], Date.UTC(2026, 0, 3), `${SITE}1.xml`],
      [idOf["/e"], Date.UTC(2026, 0, 4), `${SITE}2.xml`],
      [idOf["/~u"], Date.UTC(2026, 0, 6), `${SITE}1.xml`],
    ]);
  });
});

describe("a refresh", () => {
  it("reads the sitemaps of the crawl again, and learns what they say to have changed since it was read", async () => {
    let dates = ["2023-11-01", "2023-11-01"];
    const web = new TimedWeb({
      serve: ({ href }) => {
        if (href === `${SITE}robots.txt`) return robots(`Sitemap: ${SITE}maps.xml`);
        if (href === `${SITE}maps.xml`) return index("/sitemap.xml");
        if (href === MAP) return urlset([SITE, dates[0]], [`${SITE}a`, dates[1]], [`${SITE}${dates[0]}`]);
        return href === SITE ? '<a href="/a">a</a>' : href === `${SITE}a` ? "page" : undefined;
      },
    });
    const { store, settings } = await crawl(web);
    const saidChanged = () => refreshFacts(store).pages.filter(({ isSaidChanged }) => isSaidChanged === true);
    expect(saidChanged()).toEqual([]);
    web.timers.after(9 * DAY_MS, () => {});
    while (web.timers.step()) {}
    // The crawl was on 14 November.
    dates = ["2023-11-13", "2023-11-20"];
    const urls = [...store.urls()].length;
    const options = { store, settings, fetcher: web, timers: web.timers };
    await inTime(web.timers, readSitemapDates(options));
    const [page] = saidChanged();
    expect(saidChanged()).toHaveLength(1);
    expect(store.pathOf(page.url)).toBe("/a");
    expect([...store.urls()]).toHaveLength(urls);
    expect(web.times(`${SITE}maps.xml`)).toHaveLength(1);
    // Once it is read again, the sitemap says nothing new.
    await inTime(web.timers, refreshPages({ ...options, pages: [page] }));
    expect(saidChanged()).toEqual([]);
  });
});

describe("whoever reads sitemaps again", () => {
  const RULES = `${SITE}rules.txt`;
  const politeness = { delayMs: 100, concurrency: 8, perHost: 1, perAddress: 100, crawlDelayMsMax: 60_000 };

  /** Its robots.txt has moved: two requests go before the sitemap. */
  function slowSite() {
    const state = { rules: "User-agent: *\nCrawl-delay: 4" };
    const serve = ({ href }: URL): Served | undefined => {
      if (href === `${SITE}robots.txt`) return { redirect: RULES };
      if (href === RULES) return robots(state.rules);
      return href === MAP ? urlset([SITE]) : href === SITE ? "page" : undefined;
    };
    return { web: new TimedWeb({ serve }), state };
  }

  /** The requests of the last call, and how long after it began each was, and then after the one before. */
  async function gapsOf({ timers, requests }: TimedWeb, call: () => Promise<unknown>): Promise<(string | number)[]> {
    const first = requests.length;
    let beforeMs = timers.nowMs();
    await inTime(timers, call());
    return requests.slice(first).flatMap(({ url, atMs }) => {
      const gapMs = atMs - beforeMs;
      beforeMs = atMs;
      return [url, gapMs];
    });
  }

  it("keeps to the crawl-delay that the crawl was asked for until robots.txt is read again", async () => {
    const { web } = slowSite();
    const { store, settings } = await crawl(web, { politeness });
    const { timers } = web;
    const takenOverMs = timers.nowMs();
    const gaps = await gapsOf(web, async () =>
      readSitemapDates({ store, settings, fetcher: web, timers, takenOverMs }),
    );
    expect(gaps).toEqual([`${SITE}robots.txt`, 4000, RULES, 4010, MAP, 4010]);
  });

  it("keeps to the crawl-delay of the last time, until robots.txt asks for another", async () => {
    const { web, state } = slowSite();
    const settings = inlineSettings([SITE], { politeness });
    const past = new PastRequests();
    const options = { settings, sitemaps: [MAP], fetcher: web, timers: web.timers, onSitemap: () => {}, past };
    const read = async () => gapsOf(web, async () => listSitemaps(options));
    expect(await read()).toEqual([`${SITE}robots.txt`, 0, RULES, 110, MAP, 4010]);
    expect(await read()).toEqual([`${SITE}robots.txt`, 0, RULES, 4010, MAP, 4010]);
    state.rules = "User-agent: *\nDisallow: /private";
    expect(await read()).toEqual([`${SITE}robots.txt`, 0, RULES, 4010, MAP, 4010]);
    expect(await read()).toEqual([`${SITE}robots.txt`, 0, RULES, 110, MAP, 110]);
  });
});

describe("a list of URLs", () => {
  const onSitemap = (): void => {};

  it("comes from sitemaps, indexes and texts, each URL once", async () => {
    const web = webOf({
      [MAP]: xml(`<sitemapindex><sitemap><loc>/a.xml</loc></sitemap><sitemap><loc>/moved</loc></sitemap>
        <sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>`),
      [`${SITE}a.xml`]: urlset(["/a"], ["/b"], ["/a#x"]),
      [`${SITE}moved`]: { redirect: "http://other.example/b.txt" },
      "http://other.example/b.txt": robots(`${SITE}b\nhttp://other.example/d`),
    });
    const { sitemaps, unread } = await list(web, MAP);
    expect(unread).toEqual([]);
    expect(sitemaps.map(({ address, modified }) => [address, [...modified.keys()]])).toEqual([
      [`${SITE}a.xml`, [`${SITE}a`, `${SITE}b`]],
      [`${SITE}moved`, [`${SITE}b`, "http://other.example/d"]],
    ]);
    expect(web.times(`${SITE}robots.txt`)).toHaveLength(1);
  });

  it("counts what is listed without being the URL of a web page, and names the first few", async () => {
    const wrong = ["plain words", "http://", "ftp://a.example/", "mailto:me@a.example", "http://a.example../"];
    const web = webOf({ [MAP]: urlset(["/a"], ...wrong.map((text): [string] => [text])) });
    const [{ modified, invalid }] = (await list(web, MAP)).sitemaps;
    expect([...modified.keys()]).toEqual([`${SITE}a`]);
    expect(invalid).toEqual({ count: 5, examples: wrong.slice(0, 3) });
  });

  it("names what could not be read, after as many attempts as a page gets", async () => {
    const web = webOf({
      [MAP]: index("/ok.txt", "/broken"),
      [`${SITE}ok.txt`]: robots(`${SITE}a`),
      [`${SITE}broken`]: { status: 500 },
    });
    expect(await list(web, MAP)).toMatchObject({
      sitemaps: [{ address: `${SITE}ok.txt`, modified: new Map([[`${SITE}a`, null]]) }],
      unread: [{ url: `${SITE}broken`, reason: "status-500" }],
    });
    expect(web.times(`${SITE}broken`)).toHaveLength(3);
  });

  it("ends when it is interrupted, whatever a sitemap answers then", async () => {
    for (const served of [undefined, { status: 500 }, { redirect: "/other" }, urlset(["/a"])] as const) {
      const abort = new AbortController();
      // What is undefined never answers, and is aborted.
      const latencyMs = ({ href }: URL): number => (href !== MAP ? 10 : served === undefined ? DAY_MS : 200);
      const web = new TimedWeb({ serve: ({ href }) => (href === MAP ? served : undefined), latencyMs });
      web.timers.after(100, () => abort.abort());
      const options = { settings: inlineSettings([MAP], {}), sitemaps: [MAP], fetcher: web, timers: web.timers };
      await inTime(web.timers, listSitemaps({ ...options, onSitemap, signal: abort.signal }));
      expect(web.requests.map(({ url }) => url)).toEqual([`${SITE}robots.txt`, MAP]);
    }
  });

  it("is no list when nothing can be fetched any more: the reason is thrown", async () => {
    const web = webOf({
      [MAP]: index("/1.xml", "/2.xml"),
      [`${SITE}1.xml`]: urlset(["/a"]),
      [`${SITE}2.xml`]: { failure: "aborted" },
    });
    const onDown = (down: (why: string) => void): void => {
      web.timers.after(35, () => down("no proxy can be used"));
    };
    const fetcher = Object.assign(web, { onDown });
    const options = { settings: inlineSettings([MAP], {}), sitemaps: [MAP], fetcher, timers: web.timers, onSitemap };
    await expect(inTime(web.timers, listSitemaps(options))).rejects.toThrow("no proxy can be used");
    expect(web.times(`${SITE}2.xml`)).toHaveLength(1);
  });

  it("obeys the rules of its hosts", async () => {
    const web = webOf({ [MAP]: urlset(["/a"]) });
    const settings = inlineSettings([MAP], { hosts: { "site.example": { delay: 5000 } } });
    await inTime(web.timers, listSitemaps({ settings, sitemaps: [MAP], fetcher: web, timers: web.timers, onSitemap }));
    expect(web.times(MAP)[0] - web.times(`${SITE}robots.txt`)[0]).toBeGreaterThanOrEqual(5000);
  });

  it("is crawled once its hosts have rested from it", async () => {
    const web = webOf({ [MAP]: urlset(["/a"]), [`${SITE}a`]: "page" });
    await inTime(web.timers, new Promise((done) => web.fetch({ url: MAP, purpose: "sitemap" }, done)));
    const politeness = { delayMs: 1000, concurrency: 8, perHost: 1, perAddress: 100, crawlDelayMsMax: 0 };
    const settings = inlineSettings([`${SITE}a`], { politeness });
    const store = new MemoryStore(JSON.stringify(settings));
    const sitemaps = [{ address: MAP, modified: new Map([[`${SITE}a`, null]]) }];
    const options = { store, settings, fetcher: web, timers: web.timers, readers: 0, sitemaps };
    const { run } = await launchCrawl(options);
    await inTime(web.timers, run());
    const times = web.requests.map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThan(2);
    expect(Math.min(...times.slice(1).map((atMs, k) => atMs - times[k]))).toBeGreaterThanOrEqual(1000);
  });

  it("does not break robots.txt", async () => {
    const web = webOf({ [`${SITE}robots.txt`]: robots("User-agent: *\nDisallow: /"), [MAP]: urlset(["/a"]) });
    expect(await list(web, MAP)).toMatchObject({ sitemaps: [], unread: [{ url: MAP, reason: "robots" }] });
    expect(web.times(MAP)).toEqual([]);
  });
});
