/** A crawl around a community, from the crawl of it to its estimated global rank, on webs whose truth is known. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boundsInside } from "../../src/cli/community/live-output.ts";
import { CommunityOrder, type CommunityOrderOptions, restrictedTo } from "../../src/community/index.ts";
import { type CrawlOptions, crawl, launchCrawl, parseSettings } from "../../src/crawl/index.ts";
import type { Fetcher } from "../../src/fetch/index.ts";
import { GraphFetcher } from "../../src/fetch/index.ts";
import { type Graph, generateGraph, successors } from "../../src/graph/index.ts";
import { startAround } from "../../src/import/index.ts";
import { l1Distance, pagerank } from "../../src/rank/index.ts";
import { openCrawl, reading, type SqliteStore } from "../../src/store/index.ts";
import { fatesIn, InlineWeb, type Served } from "../support/inline-web.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { readDirectory } from "./importing.ts";

/** Crawls a community into `DIR/own`. */
async function ownCrawl(fetcher: Fetcher, urls: readonly string[], options: CrawlOptions): Promise<string> {
  const dir = join(temporaryDirectory(), "own");
  const pages = crawl(urls, { dir, fetcher, readers: 0, delay: 0, sitemaps: false, ...options });
  for await (const _ of pages);
  expect(pages.end?.reason).toBe("frontier-empty");
  return dir;
}

/** Makes the directory around it, of all its downloaded pages. */
async function around(dir: string, { again = false } = {}): Promise<{ out: string; notStored: number }> {
  const out = `${dir}-community`;
  const settings = await reading(dir, (store) => parseSettings(store.settings()));
  const { fates } = readDirectory(dir);
  const local = [...fates].flatMap(([url, { outcome }]) => (outcome === "downloaded" ? [url] : []));
  const result = await startAround({ dir, out, settings, local, damping: 0.85, again, finish: () => {} });
  return { out, ...result };
}

interface Live {
  readonly order: CommunityOrder;
  readonly store: SqliteStore;
}

/** Runs rounds of it, and looks at what came of it. */
async function live<T>(
  out: string,
  fetcher: Fetcher,
  options: Partial<CommunityOrderOptions>,
  look: (live: Live) => T | Promise<T>,
): Promise<T> {
  const store = openCrawl(out);
  try {
    const settings = parseSettings(store.settings());
    let order: CommunityOrder | undefined;
    const run = await launchCrawl({
      store,
      settings,
      fetcher,
      readers: 0,
      makeOrder: (context) =>
        (order = new CommunityOrder({
          ...context,
          select: "auto",
          rounds: 5,
          pagesPerRound: 20,
          isOutside: (url) => !url.startsWith("http://own.test/"),
          ...options,
        })),
    });
    const end = await run.run();
    expect(end.error).toBeUndefined();
    store.commit();
    return await look({ order: order!, store });
  } finally {
    store.close();
  }
}

/** A generated web of ten hosts of 150 pages; one is the community. */
function twin(seed: number): { web: Graph; local: Uint32Array; urlOf: (page: number) => string; fetcher(): Fetcher } {
  const { graph: web } = generateGraph({ pages: 1500, seed });
  const hostOf = (page: number): number => Math.floor(page / 30) % 10;
  const urlOf = (page: number): string => `http://${hostOf(page) === 3 ? "own" : `h${hostOf(page)}`}.test/p${page}`;
  const local = Uint32Array.from({ length: web.pages }, (_, page) => page).filter((page) => hostOf(page) === 3);
  const pageOf = (url: string): number => Number(/\/p(\d+)$/.exec(url)?.[1] ?? -1);
  const rowOf = (page: number): Uint32Array => successors(web, page);
  return { web, local, urlOf, fetcher: () => new GraphFetcher({ urlOf, pageOf, rowOf }) };
}

describe("a crawl around a community", () => {
  it.each([
    ["auto", 4],
    ["auto", 9],
    ["leak", 1],
  ] as const)(
    "estimates global ranks better than local ones are, and proves bounds (%s, web %i)",
    async (select, seed) => {
      const { web, local, urlOf, fetcher } = twin(seed);
      const dir = await ownCrawl(fetcher(), Array.from(local, urlOf), { store: ["html"] });
      const { out, notStored } = await around(dir);
      expect(notStored).toBe(0);
      await live(out, fetcher(), { select, rounds: 10, pagesPerRound: 30 }, async ({ order, store }) => {
        const result = order.result()!;
        expect(result.local.length).toBe(local.length);
        expect(order.crawled).toBe(300);
        const { known } = readDirectory(out);
        const urls = [...known];
        const pages = Uint32Array.from(result.local, (id) => Number(urls[id].split("/p")[1]));
        const truth = restrictedTo(pages, pagerank(web, { dangling: "uniform" }).ranks);
        const [before, after] = [result.localRanks, result.ranks].map((ranks) => l1Distance(ranks, truth));
        expect(after).toBeLessThan(0.6 * before);
        // Surfers who start at the community: the bounds hold for each page, and are worth something.
        const trust = new Float64Array(web.pages);
        for (const page of local) trust[page] = 1 / local.length;
        const seen = restrictedTo(pages, pagerank(web, { trust, stopping: { tolerance: 1e-13 } }).ranks);
        const { low, high, share } = await boundsInside(store, result.local);
        expect(share).toBeGreaterThan(0.1);
        for (const [i, rank] of seen.entries()) {
          expect(low[i]).toBeLessThanOrEqual(rank);
          expect(high[i]).toBeGreaterThanOrEqual(rank);
        }
        expect(low.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0.1);
      });
    },
  );
});

/** own.test has / and /a, which redirects to /b. Outside are pages, a dead one, a moved one, a forbidden one. */
const SITES: Readonly<Record<string, Served>> = {
  "http://own.test/":
    '<a href="/a">a</a> <a href="/gone">g</a> <a href="http://one.test/">1</a> <a href="http://one.test/dead">d</a>' +
    '<a href="http://two.test/old">o</a> <a href="http://secret.test/x">s</a> ' +
    '<a rel="nofollow" href="http://ad.test/">n</a>',
  "http://own.test/a": { redirect: "/b" },
  "http://own.test/b": '<meta charset="iso-8859-1"><a href="/">home</a> <a href="http://three.test/\u00e9">3</a>',
  "http://one.test/": '<a href="http://own.test/b">b</a>',
  "http://two.test/old": { redirect: "http://two.test/new" },
  "http://two.test/new": '<a href="http://own.test/">home</a> <a href="http://own.test/unlinked">u</a>',
  "http://secret.test/robots.txt": { body: "User-agent: *\nDisallow: /", headers: { "content-type": "text/plain" } },
  "http://secret.test/x": "secret",
  "http://three.test/%C3%A9": "end",
};
const site = (): InlineWeb => new InlineWeb(({ href }) => SITES[href]);

const OWN = ["http://own.test/", "http://own.test/b"];
const OUTSIDE = ["http://one.test/", "http://one.test/dead", "http://secret.test/x", "http://three.test/%C3%A9"];

describe("the directory of a crawl around a community", () => {
  it.each<[how: string, options: CrawlOptions]>([
    ["stored HTML", { store: ["html"] }],
    ["an archive", { warc: true }],
    ["a log of the whole web", { scope: "any" }],
  ])("has the links that leave the site, read from %s", async (_how, options) => {
    const isWide = options.scope === "any";
    const own = isWide
      ? new InlineWeb(({ href, host }) => (host === "own.test" ? SITES[href] : { status: 403 }))
      : site();
    const dir = await ownCrawl(own, ["http://own.test/"], options);
    const { out, notStored } = await around(dir);
    expect(notStored).toBe(0);
    const { outcomes, linksOf, known } = readDirectory(out);
    expect(outcomes).toEqual({
      "http://own.test/": "downloaded",
      "http://own.test/a": "redirected",
      "http://own.test/b": "downloaded",
      "http://own.test/gone": "dead",
    });
    expect(linksOf("http://own.test/b")).toEqual(["http://own.test/", "http://three.test/%C3%A9"]);
    expect(linksOf("http://own.test/")).toEqual([
      "http://ad.test",
      "http://one.test/",
      "http://one.test/dead",
      "http://own.test/a",
      "http://own.test/gone",
      "http://secret.test/x",
      "http://two.test/old",
    ]);
    expect([...known].filter((url) => !url.includes("own.test")).sort()).toEqual(
      [...OUTSIDE, "http://two.test/old"].sort(),
    );
  });

  it("is fetched politely: robots.txt is obeyed, and what is dead, moved or forbidden does no harm", async () => {
    const dir = await ownCrawl(site(), ["http://own.test/"], { store: ["html"] });
    const { out } = await around(dir);
    const web = site();
    await live(out, web, { select: "leak", rounds: 9, pagesPerRound: 9 }, ({ order, store }) => {
      const fates = fatesIn(store);
      expect(fates.get("http://secret.test/x")?.why).toContain("robots");
      expect(fates.get("http://one.test/dead")?.outcome).toBe("dead");
      expect(order.crawled).toBe(3);
      const { ranks, localRanks } = order.result()!;
      // Two pages that link to each other, and each of which has one link from outside.
      expect([...localRanks]).toEqual([expect.closeTo(0.5, 8), expect.closeTo(0.5, 8)]);
      expect(ranks[0] + ranks[1]).toBeCloseTo(1, 10);
    });
    const pages = web.requested.filter((url) => !url.endsWith("/robots.txt"));
    expect(pages.sort()).toEqual(
      [...OUTSIDE.filter((url) => !url.includes("secret")), "http://two.test/new", "http://two.test/old"].sort(),
    );
    // Of every host the rules were read first.
    for (const url of pages) {
      const rules = new URL("/robots.txt", url).href;
      expect(web.requested.indexOf(rules)).toBeGreaterThanOrEqual(0);
      expect(web.requested.indexOf(rules)).toBeLessThan(web.requested.indexOf(url));
    }
  });

  it("may fetch the community again, where nothing was stored", async () => {
    const dir = await ownCrawl(site(), ["http://own.test/"], {});
    await expect(around(dir)).rejects.toThrow("crawl with --store html or --warc (or --scope any), or give --again");
    const { out } = await around(dir, { again: true });
    const web = site();
    await live(out, web, { rounds: 9, pagesPerRound: 9 }, ({ order }) => {
      expect(order.result()?.local.length).toBe(2);
      expect(order.crawled).toBe(3);
    });
    const requested = web.requested.filter((url) => !url.endsWith("/robots.txt"));
    expect(requested.slice(0, 2).sort()).toEqual(OWN);
    expect(requested).not.toContain("http://own.test/unlinked");
  });

  it("says how many pages were not stored, and knows that they may have more links", async () => {
    const dir = join(temporaryDirectory(), "own");
    const options = { dir, readers: 0, delay: 0, sitemaps: false };
    for await (const _ of crawl(OWN[0], { ...options, fetcher: site(), maxPages: 1 }));
    for await (const _ of crawl(OWN[0], { ...options, fetcher: site(), maxPages: 9, store: ["html"] }));
    const { out, notStored } = await around(dir);
    expect(notStored).toBe(1);
    const { outcomes, linksOf } = readDirectory(out);
    expect(OWN.map((url) => outcomes[url])).toEqual(["links-unknown", "downloaded"]);
    // Links inside the scope are in the log.
    expect(linksOf(OWN[0])).toEqual(["http://own.test/a", "http://own.test/gone"]);
    expect(linksOf(OWN[1])).toContain("http://three.test/%C3%A9");
  });
});
