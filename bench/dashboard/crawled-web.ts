/**
 * A crawl directory of any size, as the crawler would leave it: a generated web, fetched by `rankmass` and written to
 * the store without a network. Every fiftieth page is dead.
 */
import { copiedRow, GeneratedWeb, GrowingLinks } from "../../src/graph/index.ts";
import { createOrder } from "../../src/order/index.ts";
import { createCrawl, type SqliteStore } from "../../src/store/index.ts";
import { plainSettings } from "../../test/support/plain-settings.ts";
import { BLANK_VISIT, type Outcome } from "../../src/log/index.ts";
import { splitUrl } from "../../src/web/index.ts";
import { defaultWebSettings } from "../../src/crawl/index.ts";

export interface CrawledWebOptions {
  readonly dir: string;
  /** Pages of the web, and how many of them are fetched. */
  readonly pages: number;
  readonly visits: number;
  /** Links per page (default: that of generated webs). */
  readonly averageDegree?: number;
}

/** Pages per host, on average. */
const PAGES_PER_HOST = 500;

const SEED = 7;
const COMMIT_EVERY = 50_000;
const STARTED_MS = 1_760_000_000_000;

export function makeCrawledWeb(options: CrawledWebOptions): void {
  const web = new CrawledWeb(options);
  web.crawl();
  web.store.close();
}

class CrawledWeb {
  readonly store: SqliteStore;
  readonly #options: CrawledWebOptions;
  readonly #web: GeneratedWeb;
  readonly #links: GrowingLinks;
  /** The number of each page as a URL, in order of discovery, from 1; 0 for a page not discovered. */
  readonly #numbers: Uint32Array;
  readonly #pages: number[] = [];
  readonly #origins = new Map<string, number>();
  #visits = 0;

  constructor(options: CrawledWebOptions) {
    this.#options = options;
    const { pages, dir, averageDegree } = options;
    const hosts = Math.ceil(pages / PAGES_PER_HOST);
    this.#web = new GeneratedWeb({
      pages,
      seed: SEED,
      hosts,
      ...(averageDegree === undefined ? {} : { averageDegree }),
    });
    this.#links = linksOf(this.#web);
    this.#numbers = new Uint32Array(pages);
    this.store = createCrawl(dir, settingsOf(this.#web.urlOf(0)));
  }

  crawl(): void {
    const { visits, pages } = this.#options;
    const links = new GrowingLinks();
    const order = createOrder("rankmass", { links, pages, damping: 0.85 });
    const seed = this.#discover(0, 0, "seed");
    order.trusted(seed, 1);
    this.store.replaceTrust([{ url: seed, weight: 1 }]);
    for (let url = order.next(); url >= 0 && this.#visits < visits; url = order.next()) {
      const page = this.#pages[url];
      if (url > 0 && page % 50 === 1) {
        this.#visit(url, "dead", null);
        order.dead(url);
        continue;
      }
      const row = this.#rowOf(page);
      this.#visit(url, "downloaded", row);
      links.set(url, row);
      order.downloaded(url);
    }
  }

  #rowOf(page: number): Uint32Array {
    return copiedRow(this.#links, page).map((target) => this.#discover(target, this.#visits + 1, "link"));
  }

  #discover(page: number, discoveredAt: number, source: "seed" | "link"): number {
    if (this.#numbers[page] > 0) return this.#numbers[page] - 1;
    const { origin, path } = splitUrl(this.#web.urlOf(page));
    const id = this.#pages.push(page) - 1;
    this.#numbers[page] = id + 1;
    this.store.addUrl({
      id,
      origin: this.#originId(origin),
      path,
      depth: Math.min(255, Math.ceil(Math.log2(id + 1))),
      source,
      discoveredAt,
      reason: null,
    });
    return id;
  }

  #originId(origin: string): number {
    let id = this.#origins.get(origin);
    if (id === undefined) {
      this.#origins.set(origin, (id = this.#origins.size));
      this.store.addOrigin(id, origin);
    }
    return id;
  }

  #visit(url: number, outcome: Outcome, links: Uint32Array | null): void {
    const number = ++this.#visits;
    const page = this.#pages[url];
    this.store.addVisit({
      ...BLANK_VISIT,
      number,
      url,
      atMs: STARTED_MS + 100 * number,
      outcome,
      status: outcome === "dead" ? 404 : 200,
      wireBytes: 8000 + (page % 4000),
      milliseconds: 20 + (page % 100),
      contentType: "text/html",
      title: outcome === "dead" ? null : `Article ${page} of section ${page % 97}`,
      links,
    });
    if (number % COMMIT_EVERY === 0) this.store.commit();
  }
}

function linksOf(web: GeneratedWeb): GrowingLinks {
  const links = new GrowingLinks();
  web.forEachRow((page, targets, count) => links.set(page, targets.subarray(0, count)));
  return links;
}

function settingsOf(url: string): string {
  return JSON.stringify({
    ...plainSettings([url], { web: defaultWebSettings({ kind: "any", seeds: [url] }), limits: { coverage: 0.95 } }),
    network: {
      userAgent: "tidemark/bench",
      allowPrivate: false,
      resolve: [],
      ca: null,
      proxy: null,
      warc: false,
    },
  });
}
