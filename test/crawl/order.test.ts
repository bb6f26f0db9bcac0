/** The crawler and the simulator are the same thing: over the twin, page by page. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certify, ledgerOf } from "../../src/coverage/index.ts";
import {
  certifyLog,
  type CrawlSettings,
  defaultWebSettings,
  launchCrawl,
  type StopReason,
} from "../../src/crawl/index.ts";
import { type Fetcher, fetcherOfGraph } from "../../src/fetch/index.ts";
import { GeneratedWeb, type Graph, generateGraph, type Hosts, linksOf } from "../../src/graph/index.ts";
import { createOrder } from "../../src/order/index.ts";
import { pagerank } from "../../src/rank/index.ts";
import { createCrawl, type CrawlStore, MemoryStore } from "../../src/store/index.ts";

const DAMPING = 0.85;
const SEEDS = [0, 200, 400];

/** A generated web, to be crawled over the twin and to be simulated. */
class SmallWeb {
  readonly graph: Graph;
  readonly #hosts: Hosts;
  readonly #urls: readonly string[];

  constructor(pages: number) {
    const web = new GeneratedWeb({ pages, seed: 5 });
    const { graph, hosts } = generateGraph({ pages, seed: 5 });
    this.graph = graph;
    this.#hosts = hosts;
    this.#urls = Array.from({ length: pages }, (_, page) => web.urlOf(page));
  }

  settings(order: string, concurrency: number): CrawlSettings {
    const seeds = SEEDS.map((page) => ({ url: this.#urls[page], weight: 1 / SEEDS.length }));
    return {
      web: defaultWebSettings({ kind: "any", seeds: seeds.map(({ url }) => url) }, 0),
      seeds,
      order,
      damping: DAMPING,
      politeness: { delayMs: 0, concurrency, perHost: concurrency, perAddress: 1000, crawlDelayMsMax: 0 },
      limits: {},
      productToken: "tidemark",
    };
  }

  twin(): Fetcher {
    return fetcherOfGraph(this.graph, (page) => this.#urls[page]);
  }

  /** Crawls everything, and answers the pages in the order of their downloads. */
  async crawl(store: CrawlStore, order: string, concurrency: number): Promise<number[]> {
    return this.crawlTo("frontier-empty", { store, settings: this.settings(order, concurrency) });
  }

  async crawlTo(
    reason: StopReason,
    options: Pick<Parameters<typeof launchCrawl>[0], "store" | "settings" | "valueOfPage">,
  ): Promise<number[]> {
    const crawl = await launchCrawl({ ...options, fetcher: this.twin(), readers: 0 });
    expect((await crawl.run()).reason).toBe(reason);
    const { store } = options;
    const pageOf = new Map(this.#urls.map((url, page) => [url, page]));
    const origins = [...store.origins()];
    const pages = [...store.urls()].map(({ origin, path }) => pageOf.get(origins[origin] + path)!);
    return [...store.visits()].map(({ url }) => pages[url]);
  }

  /** The simulator's path, by the order alone. */
  simulated(name: string, valueOf?: (url: string) => number): number[] {
    const order = createOrder(name, {
      links: linksOf(this.graph),
      pages: this.graph.pages,
      damping: DAMPING,
      hostOf: (page) => this.#hosts.hostOf[page],
    });
    for (const page of SEEDS) order.trusted(page, 1 / SEEDS.length);
    const path: number[] = [];
    for (let page = order.next(); page >= 0; page = order.next()) {
      if (valueOf !== undefined) order.valued?.(page, valueOf(this.#urls[page]));
      order.downloaded(page);
      path.push(page);
    }
    return path;
  }
}

const NAMES = [
  "rankmass",
  "rankmass:valued",
  "rankmass:literal",
  "windowed:10",
  "lneighbor",
  "fpr",
  "fpr@20",
  "opic",
  "backlink",
  "pagerank",
];

describe("over the twin, with one connection and no delay", () => {
  const web = new SmallWeb(600);

  it.each(NAMES)("crawl --order %s downloads what simulate --order does, in the same order", async (name) => {
    expect(await web.crawl(new MemoryStore("{}"), name, 1)).toEqual(web.simulated(name));
  });

  it("follows values as simulate does, also where the crawl is interrupted and resumed", async () => {
    const valueOf = (url: string): number => (url.length % 3) / 2;
    const simulated = web.simulated("rankmass:valued", valueOf);
    expect(simulated).not.toEqual(web.simulated("rankmass"));
    const store = new MemoryStore("{}");
    const settings = web.settings("rankmass:valued", 1);
    const valueOfPage = ({ url }: { readonly url: string }): number => valueOf(url);
    for (const pages of [1, 40, 300]) {
      const path = await web.crawlTo("page-limit", {
        store,
        settings: { ...settings, limits: { pages } },
        valueOfPage,
      });
      expect(path).toEqual(simulated.slice(0, pages));
    }
    expect(await web.crawlTo("frontier-empty", { store, settings, valueOfPage })).toEqual(simulated);
  });

  it("leaves facts whose certificate is that of the pages and links themselves", async () => {
    const dir = mkdtempSync(join(tmpdir(), "tidemark-order-"));
    const settings = { ...web.settings("rankmass", 1), limits: { pages: 300 } };
    const store = createCrawl(join(dir, "crawl"), JSON.stringify(settings));
    try {
      const crawl = await launchCrawl({ store, settings, fetcher: web.twin(), readers: 0 });
      const end = await crawl.run();
      expect(end.reason).toBe("page-limit");
      expect(end.status.pages).toBe(300);
      const downloaded = Uint32Array.from(web.simulated("rankmass").slice(0, 300));
      const trust: [number, number][] = SEEDS.map((page) => [page, 1 / SEEDS.length]);
      const { graph } = web;
      const dead = new Uint32Array(0);
      const expected = certify(ledgerOf({ graph, trust, downloaded, dead, damping: DAMPING }));
      const { certificate, missing } = certifyLog(store);
      expect(certificate.coverage).toBeCloseTo(expected.coverage, 9);
      expect(certificate.downloaded).toBe(300);
      expect(missing.map(({ reason }) => reason)).toEqual(["not-fetched"]);
      expect(missing[0].mass).toBeCloseTo(1 - certificate.coverage, 9);
      expect(end.status.coverage).toBeLessThanOrEqual(certificate.coverage + 1e-12);
    } finally {
      store.close();
      rmSync(dir, { recursive: true });
    }
  });
});

describe("with 32 connections", () => {
  it("coverage stays within 2% of what the simulator has after as many downloads", async () => {
    const large = new SmallWeb(5000);
    const path = await large.crawl(new MemoryStore("{}"), "rankmass", 32);
    const reference = large.simulated("rankmass");
    expect(path.length).toBe(reference.length);
    const trust = new Float64Array(large.graph.pages);
    for (const page of SEEDS) trust[page] = 1 / SEEDS.length;
    const { ranks } = pagerank(large.graph, { damping: DAMPING, trust });
    let live = 0;
    let alone = 0;
    let worst = 0;
    for (const [k, page] of path.entries()) {
      live += ranks[page];
      alone += ranks[reference[k]];
      // At the very start the 32 pages under way are all there is.
      if (k >= 10 * 32) worst = Math.max(worst, alone - live);
    }
    expect(worst).toBeLessThan(0.02);
  });
});
