/** The crawler and the simulator are the same thing: over the twin, page by page. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certify, ledgerOf } from "../../src/coverage/index.ts";
import { conclude, type CrawlSettings, defaultWebSettings, launchCrawl } from "../../src/crawl/index.ts";
import { twinOfGraph } from "../../src/fetch/index.ts";
import { GeneratedWeb, generateGraph, linksOf } from "../../src/graph/index.ts";
import { createOrder } from "../../src/order/index.ts";
import { pagerank } from "../../src/rank/index.ts";
import { createCrawl, type CrawlStore, MemoryStore } from "../../src/store/index.ts";

const PAGES = 2000;
const DAMPING = 0.85;
const web = new GeneratedWeb({ pages: PAGES, seed: 5 });
const { graph, hosts } = generateGraph({ pages: PAGES, seed: 5 });
const SEEDS = [0, 700, 1400];
const pageOf = new Map(Array.from({ length: PAGES }, (_, page) => [web.urlOf(page), page]));

function settingsFor(order: string, concurrency: number): CrawlSettings {
  const seeds = SEEDS.map((page) => ({ url: web.urlOf(page), weight: 1 / SEEDS.length }));
  return {
    web: defaultWebSettings({ kind: "any", seeds: seeds.map(({ url }) => url) }),
    seeds,
    order,
    damping: DAMPING,
    politeness: { delayMs: 0, concurrency, perHost: 4, perAddress: 1000, crawlDelayMsMax: 0 },
    limits: {},
    productToken: "tidemark",
  };
}

async function crawl(store: CrawlStore, order: string, concurrency: number): Promise<number[]> {
  const fetcher = twinOfGraph(graph, (page) => web.urlOf(page));
  const crawl = await launchCrawl({ store, settings: settingsFor(order, concurrency), fetcher, readers: 0 });
  const end = await crawl.run();
  expect(end.reason).toBe("frontier-empty");
  const origins = [...store.origins()];
  const urls = [...store.urls()].map(({ origin, path }) => origins[origin]! + path);
  return [...store.visits()].map(({ url }) => pageOf.get(urls[url]!)!);
}

/** The simulator's path, by the order alone. */
function simulated(name: string): number[] {
  const order = createOrder(name, {
    links: linksOf(graph),
    pages: graph.pages,
    damping: DAMPING,
    hostOf: (page) => hosts.hostOf[page],
  });
  for (const page of SEEDS) order.trusted(page, 1 / SEEDS.length);
  const path: number[] = [];
  for (let page = order.next(); page >= 0; page = order.next()) {
    order.downloaded(page);
    path.push(page);
  }
  return path;
}

describe("over the twin, with one connection and no delay", () => {
  const names = [
    "rankmass",
    "rankmass:literal",
    "windowed:10",
    "lneighbor",
    "fpr",
    "fpr@20",
    "opic",
    "backlink",
    "pagerank",
  ];
  it.each(names)("crawl --order %s downloads what simulate --order does, in the same order", async (name) => {
    expect(await crawl(new MemoryStore("{}"), name, 1)).toEqual(simulated(name));
  });

  it("leaves facts whose certificate is that of the pages and links themselves", async () => {
    const dir = mkdtempSync(join(tmpdir(), "tidemark-order-"));
    const settings = settingsFor("rankmass", 1);
    const store = createCrawl(join(dir, "crawl"), JSON.stringify(settings));
    try {
      const limited = { ...settings, limits: { pages: 300 } };
      const fetcher = twinOfGraph(graph, (page) => web.urlOf(page));
      const crawl = await launchCrawl({ store, settings: limited, fetcher, readers: 0 });
      const end = await crawl.run();
      expect(end.reason).toBe("page-limit");
      expect(end.status.pages).toBe(300);
      const downloaded = Uint32Array.from(simulated("rankmass").slice(0, 300));
      const trust: [number, number][] = SEEDS.map((page) => [page, 1 / SEEDS.length]);
      const expected = certify(
        ledgerOf({ graph, trust, downloaded, dead: new Uint32Array(0), damping: DAMPING }),
      );
      const { certificate, missing } = conclude(store);
      expect(certificate.coverage).toBeCloseTo(expected.coverage, 9);
      expect(certificate.downloaded).toBe(300);
      expect(missing.map(({ reason }) => reason)).toEqual(["not-fetched"]);
      expect(missing[0]!.mass).toBeCloseTo(1 - certificate.coverage, 9);
      expect(end.status.coverage).toBeLessThanOrEqual(certificate.coverage + 1e-12);
    } finally {
      store.close();
      rmSync(dir, { recursive: true });
    }
  });
});

describe("with many connections", () => {
  it("coverage stays within 2% of what the simulator has after as many downloads", async () => {
    const path = await crawl(new MemoryStore("{}"), "rankmass", 32);
    const reference = simulated("rankmass");
    const trust = new Float64Array(PAGES);
    for (const page of SEEDS) trust[page] = 1 / SEEDS.length;
    const { ranks } = pagerank(graph, { damping: DAMPING, trust });
    let live = 0;
    let alone = 0;
    for (const [k, page] of path.entries()) {
      live += ranks[page];
      alone += ranks[reference[k]!];
      if (k >= 50) expect(live).toBeGreaterThan(alone - 0.02);
    }
    expect(path.length).toBe(reference.length);
  });
});
