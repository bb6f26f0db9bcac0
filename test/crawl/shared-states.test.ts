/** Logs of crawls, read with a watch that follows the order, and with one that has states of its own. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certifyLog, CrawlModel, type CrawlSettings, Fingerprinter, launchCrawl } from "../../src/crawl/index.ts";
import { CoverageWatch } from "../../src/coverage/index.ts";
import { LogFeed } from "../../src/log/index.ts";
import { createOrder, knownPagesOf } from "../../src/order/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { cases, LEAST_OF_LONG } from "../support/cases.ts";
import { inlineSettings, InlineWeb, type Served } from "../support/inline-web.ts";

const SITE = "http://a.example";
const PAGES = 40;
const ROBOTS = "User-agent: *\nDisallow: /9";

/** A page with links, or what becomes of it else: most are pages. */
const served = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.nat(PAGES - 1), { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.nat(PAGES - 1).map((to) => ({ redirect: `/${to}` })) },
  // Some are sent to one place out of the scope, or many are forbidden: then the host blocks the crawler, and what it
  // forbade before counts after all, several URLs at once.
  { weight: 3, arbitrary: fc.constantFrom({ status: 403 }, { status: 404 }, { redirect: "http://b.example/door" }) },
);
const site = fc.record({
  pages: fc.array(served, { minLength: PAGES, maxLength: PAGES }),
  universe: fc.constantFrom("web" as const, "allowed" as const),
  order: fc.constantFrom("rankmass", "windowed:20", "lneighbor"),
});
type Site = typeof site extends fc.Arbitrary<infer T> ? T : never;

function webOf({ pages }: Site): InlineWeb {
  return new InlineWeb(({ host, pathname }): Served | undefined => {
    if (host !== "a.example") return undefined;
    if (pathname === "/robots.txt") return { body: ROBOTS, headers: { "content-type": "text/plain" } };
    const page = pathname === "/" ? Array.from({ length: PAGES }, (_, k) => k) : pages[Number(pathname.slice(1))];
    return Array.isArray(page) ? page.map((to) => `<a href="/${to}">${to}</a>`).join("") : page;
  });
}

function settingsOf({ universe, order }: Site): CrawlSettings {
  const settings = inlineSettings([`${SITE}/`], {});
  return { ...settings, order, web: { ...settings.web, universe } };
}

/** Crawls a site, and returns the log. */
async function logOf(site: Site): Promise<MemoryStore> {
  const settings = settingsOf(site);
  const store = new MemoryStore(JSON.stringify(settings));
  const crawl = await launchCrawl({ store, settings, fetcher: webOf(site), readers: 0 });
  const { status } = await crawl.run();
  expect(status.coverage).toBeLessThanOrEqual(certifyLog(store).certificate.coverage + 1e-9);
  return store;
}

/** Reads a log with an order and a watch, and says what they know after each visit. */
function toldBy(store: MemoryStore, { universe, order: name }: Site, follows: boolean): unknown[] {
  const origins = Array.from(store.urls(), ({ origin }) => origin);
  const feed = new LogFeed((url) => origins[url]);
  const context = { links: feed.links, pages: 1024, damping: 0.85 };
  const order = createOrder(name, context);
  const shared = follows ? { follows: knownPagesOf(order) } : {};
  const watch = new CoverageWatch({
    ...context,
    ...shared,
    universe: universe === "web" ? "everything" : universe,
    goal: 0.9,
  });
  const told: unknown[] = [];
  let blocking = 0;
  feed.add(order, watch, {
    hostBlocked: () => blocking++,
    visited: ({ number }) => {
      const isReached = number % 7 === 0 ? watch.check() : watch.reached();
      const waiting = origins.map((_, url) => [order.arrived?.(url), watch.waitingOn(url)]);
      const proofs = [watch.certified, watch.strict, watch.bound(), watch.flowForbidden, watch.ceiling];
      told.push([number, isReached, proofs, order.guaranteed(), order.pushes, waiting, blocking]);
    },
  });
  feed.readAll(store);
  const states = [...watch.state.subarray(0, origins.length)];
  return [...told, states, watch.check(), Array.from(origins, () => order.next())];
}

describe("a crawl whose watch follows its order", () => {
  it("knows and proves what it does with states of its own, also where hosts block the crawler", async () => {
    await fc.assert(
      fc.asyncProperty(site, async (site) => {
        const store = await logOf(site);
        expect(toldBy(store, site, true)).toEqual(toldBy(store, site, false));
      }),
      { numRuns: cases(60, LEAST_OF_LONG) },
    );
  });

  it("has the states of its pages once; one with another order, or one that is brought, has its own", async () => {
    const make = async (order: string, isBrought = false): Promise<CrawlModel> => {
      const settings = inlineSettings([`${SITE}/`], {});
      return new CrawlModel({
        settings: { ...settings, order },
        store: new MemoryStore(JSON.stringify(settings)),
        fingerprinter: await Fingerprinter.create(0),
        ...(isBrought ? { makeOrder: (context) => createOrder(order, context) } : {}),
      });
    };
    const { order, watch } = await make("rankmass");
    expect(watch.knownPages).toBe(knownPagesOf(order));
    for (const each of [await make("rankmass", true), await make("opic")]) {
      expect(knownPagesOf(each.order)).toBeUndefined();
      expect(each.watch.pages).toBeGreaterThan(0);
    }
  });
});
