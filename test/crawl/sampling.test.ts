/** Sampled coverage of live crawls: claims that hold, resumes that continue, and logs from which it can be checked. */
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { certifyLog, type Crawl, launchCrawl, parseSettings } from "../../src/crawl/index.ts";
import { sampledTide } from "../support/sampled-tide.ts";
import type { CrawlLog } from "../../src/log/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings, type SettingsChanges } from "../support/inline-web.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";

/** A site of many pages, most of which link back to the front page and to popular pages. */
function site(pages: number, seed: number) {
  const random = new Random(seed);
  const links = Array.from({ length: pages }, (_, page) => {
    const popular = Array.from({ length: 6 }, () => Math.floor(pages * random.float() ** 4));
    const next = [2 * page + 1, 2 * page + 2].filter((to) => to < pages);
    return [...new Set([0, ...popular, ...next])].filter((to) => to !== page);
  });
  const html = ({ pathname }: URL): string | undefined => {
    const row = links[Number(pathname.slice(1) || "0")];
    return row?.map((to) => `<a href="/${to === 0 ? "" : to}">${to}</a>`).join("");
  };
  return { links, web: () => new InlineWeb(html), truth: truthOf(links) };
}

/** The share of each page, by plain iteration. */
function truthOf(links: readonly (readonly number[])[]): Float64Array {
  let ranks = new Float64Array(links.length);
  for (let round = 0; round < 200; round++) {
    const next = new Float64Array(links.length);
    next[0] = 0.15;
    for (const [page, row] of links.entries()) for (const to of row) next[to] += (0.85 * ranks[page]) / row.length;
    ranks = next;
  }
  const sum = ranks.reduce((a, b) => a + b, 0);
  return ranks.map((rank) => rank / sum);
}

const sampledBy = (confidence: number, more: SettingsChanges = {}): SettingsChanges => ({
  limits: { coverage: 0.9 },
  confidence,
  seed: 7,
  ...more,
});

function coverageIn(store: MemoryStore, truth: Float64Array): number {
  const paths = [...store.urls()].map(({ path }) => Number((path ?? "/").slice(1) || "0"));
  let covered = 0;
  for (const { url, outcome } of store.visits()) if (outcome === "downloaded") covered += truth[paths[url]];
  return covered;
}

/** The log as it was after a visit. */
function upTo(store: MemoryStore, visit: number): CrawlLog {
  return {
    settings: () => store.settings(),
    origins: (first) => store.origins(first),
    urls: (first) => store.urls(first),
    trust: () => store.trust(),
    received: () => store.received(),
    looks: () => store.looks(),
    rounds: () => [...store.rounds()].filter(({ afterVisit }) => afterVisit <= visit),
    cuts: () => store.cuts(),
    listedUrls: () => store.listedUrls(),
    urlCount: store.urlCount,
    generation: 0,
    visits: (first) => [...store.visits(first)].filter(({ number }) => number <= visit),
  };
}

async function run(store: MemoryStore, web: InlineWeb, changes: SettingsChanges) {
  const settings = inlineSettings([SITE], changes);
  const crawl = await launchCrawl({ store, settings, fetcher: web, readers: 0 });
  return crawl.run();
}

/** Why a sample of a crawl stopped. */
async function sampled(store: MemoryStore, fetcher: InlineWeb, walks: { confidence: number; budget: number }) {
  const settings = parseSettings(store.settings());
  const options = { store, settings, fetcher, readers: 0, keepsSettings: true, walks: { ...walks, seed: 5 } };
  const crawl = await launchCrawl(options);
  return (await crawl.run()).sample;
}

describe("a crawl whose coverage is sampled", () => {
  it("stops earlier than one that waits for the proof, and has what it claims", async () => {
    const { web, truth } = site(2000, 1);
    const proven = new MemoryStore(JSON.stringify(inlineSettings([SITE], { limits: { coverage: 0.9 } })));
    const slow = await run(proven, web(), { limits: { coverage: 0.9 } });
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.999))));
    const end = await run(store, web(), sampledBy(0.999));
    expect(end.reason).toBe("coverage-reached");
    expect(end.by).toBe("sampled");
    expect(slow.by).toBe("proven");
    expect(end.status.pages).toBeLessThan(0.8 * slow.status.pages);
    expect(end.status.coverage).toBeLessThan(0.9);
    expect(end.status.sampled).toMatchObject({ coverage: 0.9, confidence: 0.999 });
    expect(end.status.sampled?.walks).toBeGreaterThan(0);
    expect(end.status.sampled?.fetched).toBeGreaterThan(0);
    expect(coverageIn(store, truth)).toBeGreaterThanOrEqual(0.9);
  });

  it("can be checked from its log alone", async () => {
    const { web } = site(1200, 2);
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    const { status } = await run(store, web(), sampledBy(0.99));
    expect(status.sampled?.coverage).toBe(0.9);
    expect(certifyLog(store).sampled).toEqual(status.sampled);
  });

  it("shows nothing any more once a page was found changed, and begins a look with a new number", async () => {
    const { web } = site(1200, 2);
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    const { status } = await run(store, web(), sampledBy(0.99));
    const visits = [...store.visits()];
    const last = visits.at(-1)!.number;
    const page = visits.find(({ outcome }) => outcome === "downloaded")!;
    store.addVisit({ ...page, number: last + 1, title: "Changed" }, page.number);
    expect(certifyLog(store).sampled).toBeUndefined();
    expect(certifyLog(store.asOf(last)).sampled).toEqual(status.sampled);
    const looks = [...store.looks()].length;
    const again = await run(store, web(), sampledBy(0.99));
    expect(again.status.sampled?.coverage).toBe(0.9);
    expect([...store.looks()].map(({ number }) => number)).toEqual(Array.from({ length: looks + 1 }, (_, k) => k + 1));
    expect(certifyLog(store).sampled).toEqual(again.status.sampled);
  });

  it("tells from its log what was shown when: as much as the log up to then shows", async () => {
    const { web } = site(1200, 9);
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    await run(store, web(), sampledBy(0.99, { limits: { coverage: 0.6 } }));
    const { status } = await run(store, web(), sampledBy(0.99));
    const { claim, steps } = sampledTide(store);
    expect(claim).toEqual(status.sampled);
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.at(-1)?.coverage).toBe(0.9);
    for (const { pages, atMs, coverage } of steps) {
      const visit = [...store.visits()].filter(({ outcome }) => outcome === "downloaded")[pages - 1];
      expect(atMs).toBe(visit.atMs);
      expect(certifyLog(upTo(store, visit.number)).sampled?.coverage || null).toBe(coverage);
      const before = steps.findLast((step) => step.pages < pages)?.coverage ?? null;
      expect(certifyLog(upTo(store, visit.number - 1)).sampled?.coverage || null).toBe(before);
    }
  });

  it("continues its look when it is resumed, with the same dice", async () => {
    const { web } = site(1200, 3);
    const whole = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    await run(whole, web(), sampledBy(0.99));
    const [look] = whole.looks();
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    let pages = 50;
    for (let end = "page-limit"; end === "page-limit"; pages += 37) {
      const changes = sampledBy(0.99, { limits: { coverage: 0.9, pages } });
      end = (await run(store, web(), changes)).reason;
      store.crash();
    }
    // One look in all, however often the crawl was cut.
    expect([...store.looks()]).toEqual([look]);
    const { sampled } = certifyLog(store);
    expect(sampled).toMatchObject({ coverage: 0.9, confidence: 0.99 });
  });

  it("numbers its looks, each of which may err less, and voids those of other seeds", async () => {
    const { web } = site(1200, 4);
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    await run(store, web(), sampledBy(0.99));
    const higher = await run(store, web(), sampledBy(0.99, { limits: { coverage: 0.95 } }));
    expect(higher.reason).toBe("coverage-reached");
    expect(Array.from(store.looks(), ({ number, target }) => [number, target])).toEqual([
      [1, 0.9],
      [2, 0.95],
    ]);
    expect(certifyLog(store).sampled?.coverage).toBe(0.95);
    // Now that every page is there, walks from other seeds could be followed to their ends.
    const other = inlineSettings([`${SITE}3`, SITE], {});
    const crawl = await launchCrawl({ store, settings: other, fetcher: web(), readers: 0 });
    expect((await crawl.run()).reason).toBe("frontier-empty");
    expect(certifyLog(store).sampled).toBeUndefined();
  });

  it("has the same claim live and from its log where a limit cuts walks", async () => {
    const { web } = site(1200, 6);
    const changes = sampledBy(0.9, { limits: { coverage: 0.6, depth: 6 } });
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], changes)));
    const { status } = await run(store, web(), changes);
    expect([...store.cuts()].length).toBeGreaterThan(0);
    expect(status.sampled?.walks).toBeGreaterThan(0);
    expect(certifyLog(store).sampled).toEqual(status.sampled);
    const again = await run(store, web(), changes);
    expect(again.status.sampled).toEqual(status.sampled);
  });

  it("may get another target before its first walk, and its old seeds back", async () => {
    const { web } = site(1000, 7);
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    const settings = inlineSettings([SITE], sampledBy(0.99));
    const crawl = await launchCrawl({ store, settings, fetcher: web(), readers: 0 });
    crawl.changeLimits({ coverage: 0.8 });
    const changed = crawl.run();
    crawl.changeLimits({ coverage: 0.85 });
    expect((await changed).error).toBeUndefined();
    for (const seed of [`${SITE}3`, SITE, `${SITE}3`]) {
      const other = inlineSettings([seed], sampledBy(0.99, { limits: { coverage: 0.9, pages: 900 } }));
      const next = await launchCrawl({ store, settings: other, fetcher: web(), readers: 0 });
      expect((await next.run()).error).toBeUndefined();
    }
    const numbers = Array.from(store.looks(), ({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, k) => k + 1));
    // Every look has dice of its own, though all have the same --seed.
    expect(new Set(Array.from(store.looks(), ({ seed }) => seed)).size).toBe(numbers.length);
  });

  it("forgets what was sampled when a host turns out to block the crawler", async () => {
    // Every page links to members' pages, each of which is forbidden: nine first, many more later.
    const { links } = site(1500, 8);
    const isLate = (page: number): boolean => page > 400;
    const serve = ({ pathname }: URL) => {
      if (pathname.startsWith("/member")) return { status: 403 };
      const page = Number(pathname.slice(1) || "0");
      const members = Array.from({ length: 4 }, (_, k) => `/member${isLate(page) ? 4 * page + k : k}`);
      return [...(links[page] ?? []).map((to) => `/${to || ""}`), ...members]
        .map((url) => `<a href="${url}">x</a>`)
        .join("");
    };
    const changes = sampledBy(0.9, { limits: { coverage: 0.7 } });
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], changes)));
    const first = await run(store, new InlineWeb(serve), changes);
    expect(first.status.sampled?.coverage).toBe(0.7);
    expect(certifyLog(store).sampled).toEqual(first.status.sampled);
    // Nobody looks again, and in the end there is nothing left to walk to.
    const blocked: string[] = [];
    const settings = inlineSettings([SITE], { confidence: 0.9, seed: 7 });
    const onEvent = ({ name }: { readonly name: string }) => void (name === "host-blocked" && blocked.push(name));
    const crawl = await launchCrawl({ store, settings, fetcher: new InlineWeb(serve), readers: 0, onEvent });
    const { status } = await crawl.run();
    expect(blocked).not.toHaveLength(0);
    expect(status.sampled).toBeUndefined();
    expect(certifyLog(store).sampled).toBeUndefined();
    const shown = sampledTide(store).steps.map(({ coverage }) => coverage);
    expect(shown.slice(shown.lastIndexOf(0.7))).toEqual([0.7, null]);
  });

  it.each([
    ["shown", 400, 0.9],
    ["budget-spent", 1, 0.999],
  ])("says that a sample has stopped because of %s", async (stopped, budget, confidence) => {
    const { web } = site(1200, 10);
    const changes: SettingsChanges = { limits: { pages: 300 } };
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], changes)));
    await run(store, web(), changes);
    expect(await sampled(store, web(), { confidence, budget })).toBe(stopped);
  });

  it("says that a sample has nothing to start from, nothing to walk to, or was taken before", async () => {
    const { web } = site(300, 11);
    const none = new MemoryStore(JSON.stringify(inlineSettings([SITE], {})));
    expect(await sampled(none, web(), { confidence: 0.9, budget: 5 })).toBe("no-page");
    const all = new MemoryStore(JSON.stringify(inlineSettings([SITE], {})));
    await run(all, web(), {});
    expect(await sampled(all, web(), { confidence: 0.9, budget: 5 })).toBe("nothing-open");
    const half = new MemoryStore(JSON.stringify(inlineSettings([SITE], { limits: { pages: 100 } })));
    await run(half, web(), { limits: { pages: 100 } });
    expect(await sampled(half, web(), { confidence: 0.9, budget: 150 })).toBe("shown");
    expect(await sampled(half, web(), { confidence: 0.9, budget: 1 })).toBe("shown-before");
  });

  it("says that walks led to no page that may be fetched", async () => {
    const { web } = site(1200, 11);
    const changes: SettingsChanges = { limits: { depth: 2 } };
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], changes)));
    const { status } = await run(store, web(), changes);
    expect(status.frontier).toBeGreaterThan(0);
    expect(await sampled(store, web(), { confidence: 0.999, budget: 2 })).toBe("walks-spent");
  });

  it("walks politely: robots.txt holds for walks too, and nothing is requested twice", async () => {
    const { links } = site(2000, 5);
    const requested: string[] = [];
    const fetcher = new InlineWeb(({ href, pathname }) => {
      requested.push(href);
      if (pathname === "/robots.txt") {
        return { body: "User-agent: *\nDisallow: /9", headers: { "content-type": "text/plain" } };
      }
      return `${links[Number(pathname.slice(1) || "0")]?.map((to) => `<a href="/${to || ""}">x</a>`).join("")}`;
    });
    const store = new MemoryStore(JSON.stringify(inlineSettings([SITE], sampledBy(0.99))));
    const end = await run(store, fetcher, sampledBy(0.99));
    expect(end.reason).toBe("coverage-reached");
    expect(end.status.sampled?.walks).toBeGreaterThan(0);
    expect([...store.visits()].some(({ reason }) => reason === "robots")).toBe(true);
    expect(requested.filter((url) => /\/9/.test(url))).toEqual([]);
    expect(new Set(requested).size).toBe(requested.length);
  });

  it("requests a page once that a walk waits for, while the crawl comes to it in its turn", async () => {
    const { links } = site(1500, 9);
    const store = new MemoryStore("{}");
    let crawl: Crawl | undefined;
    let rounds = 0;
    const web = new TimedWeb({
      serve: ({ pathname }) =>
        links[Number(pathname.slice(1) || "0")]?.map((to) => `<a href="/${to || ""}">x</a>`).join(""),
      latencyMs: () => {
        const begun = [...store.rounds()].length;
        if (begun === rounds) return 10;
        rounds = begun;
        // The first request of a round is for a walk. Until it is answered, the crawl goes through all other pages.
        web.timers.after(0, () => crawl?.changeLimits({}));
        return 3_600_000;
      },
    });
    const politeness = { delayMs: 0, concurrency: 64, perHost: 64, perAddress: 64, crawlDelayMsMax: 0 };
    const changes = sampledBy(0.99, { limits: { coverage: 0.95 }, politeness });
    const { end } = await crawlTimed(web, [SITE], changes, store, { onLaunch: (launched) => (crawl = launched) });
    expect(rounds).toBeGreaterThan(0);
    expect(end).toMatchObject({ reason: "frontier-empty", status: { pages: links.length } });
    expect(new Set(web.requests.map(({ url }) => url)).size).toBe(web.requests.length);
  });
});
