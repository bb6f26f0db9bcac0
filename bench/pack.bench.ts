/**
 * 50,000 tokens packed from documentation webs (Debian packages, one site each), compared with the same tokens of a
 * crawl breadth first: pages in the order of their distance from the front page, as long as there are tokens. The page
 * on which they run out counts fully, and headings and sources cost the peer nothing.
 *
 * The truth is the importance of pages in the whole site. Packs are made of the whole site and of a crawl that stopped
 * when half of all importance was certain.
 *
 * The last web is that of the `crawl` bench, a quarter million pages whose sites are joined by hubs. Of it, 20,000
 * pages have texts: those that a crawl by importance fetches first.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert } from "../src/base/index.ts";
import { packCrawl } from "../src/survey/index.ts";
import { loadTokenCounter, TextReader } from "../src/content/index.ts";
import { certify, isDownloaded } from "../src/coverage/index.ts";
import { type CrawlSettings, defaultWebSettings, launchCrawl, ledgerOfLog } from "../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../src/fetch/index.ts";
import { copiedRow } from "../src/graph/index.ts";
import { createCrawl, openCrawlReadOnly } from "../src/store/index.ts";
import { plainSettings } from "../test/support/plain-settings.ts";
import { type DocumentationSite, documentationSites } from "./crawl/documentation.ts";
import { generatedSites } from "./crawl/generated-sites.ts";
import { hub } from "./crawl/local-web.ts";

const PACKAGES = "python3.11-doc python-django-doc python-sqlalchemy-doc postgresql-doc-15 cmake-doc nim-doc".split(
  " ",
);
const TOKENS = 50_000;
const TEXTS_OF_LARGE = 20_000;
const originOf = ({ name }: DocumentationSite): string => `http://${name.replaceAll(/[^a-z0-9-]/g, "-")}.docs.test`;

interface PackWeb {
  readonly sites: readonly DocumentationSite[];
  /** Whether a page at "/" of each site leads to all others, and the crawl starts at the first (default: false). */
  readonly hasHubs?: boolean;
  /** How many pages are crawled with their texts (default: all). */
  readonly textsMax?: number;
}

interface PackFigures {
  readonly web: string;
  readonly pages: number;
  readonly breadthFirst: { readonly pages: number; readonly actual: number };
  /** No choice of pages holds more in as many tokens, even if headings and sources cost nothing. */
  readonly atMost: number;
  readonly ofWhole: PackedFigures;
  readonly ofHalf: PackedFigures & { readonly downloaded: number };
}

interface PackedFigures {
  readonly pages: number;
  readonly tokens: number;
  readonly proven: number;
  readonly actual: number;
  /** What it truly holds, compared with the crawl breadth first. */
  readonly ratio: number;
  readonly seconds: number;
}

export async function benchPack({ tiny }: { readonly tiny: boolean }): Promise<PackFigures[]> {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-pack-"));
  const figures: PackFigures[] = [];
  try {
    for (const [k, web] of (tiny ? tinyWebs(dir) : websOfDebian()).entries()) {
      figures.push(await compare(web, join(dir, `${k}`), tiny ? 2000 : TOKENS));
    }
    return figures;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function tinyWebs(dir: string): PackWeb[] {
  const sites = generatedSites(join(dir, "sites"));
  return [{ sites: sites.slice(0, 1) }, { sites, hasHubs: true, textsMax: 20 }];
}

function websOfDebian(): PackWeb[] {
  const sites = documentationSites(PACKAGES);
  const large = { sites: documentationSites(), hasHubs: true, textsMax: TEXTS_OF_LARGE };
  return [...sites.map((site) => ({ sites: [site] })), { sites }, large];
}

async function compare(web: PackWeb, dir: string, tokensMax: number): Promise<PackFigures> {
  const { sites, textsMax } = web;
  const [all, most, half] = [`${dir}-all`, `${dir}-most`, `${dir}-half`];
  await crawl(web, all, textsMax === undefined ? { texts: ["markdown"] } : {});
  if (textsMax !== undefined) await crawl(web, most, { texts: ["markdown"], limits: { pages: textsMax } });
  const whole = textsMax === undefined ? all : most;
  const downloaded = await crawl(web, half, { texts: ["markdown"], limits: { coverage: 0.5 } });
  const { shares, breadthFirst } = truthIn(all);
  const sum = (urls: readonly string[]): number => urls.reduce((total, url) => total + (shares.get(url) ?? 0), 0);
  const texts = await textsOf(whole, breadthFirst);
  const had = pagesWithin(texts, tokensMax);
  assert(had.at(-1) === breadthFirst[had.length - 1], "the first pages in breadth have texts");
  const actual = sum(had);
  const packed = async (from: string): Promise<PackedFigures> => {
    const startMs = performance.now();
    const pack = await packCrawl(from, { tokensMax, progress: () => {}, onStep: async () => {} });
    const seconds = (performance.now() - startMs) / 1000;
    const truly = sum(urlsOf(from, pack.ids));
    const { pages, tokens, coverage } = pack;
    return { pages, tokens, proven: coverage, actual: truly, ratio: truly / actual, seconds };
  };
  return {
    web:
      sites.length === 1 ? sites[0].name : `${sites.length} sites, ${web.hasHubs === true ? "joined" : "a seed each"}`,
    pages: shares.size,
    breadthFirst: { pages: had.length, actual },
    atMost: mostWithin(texts, shares, tokensMax),
    ofWhole: await packed(whole),
    ofHalf: { downloaded, ...(await packed(half)) },
  };
}

/** From the front page of each site, or from the first hub. Returns how many pages were downloaded. */
async function crawl(
  web: PackWeb,
  dir: string,
  { texts = [], limits = {} }: Partial<Pick<CrawlSettings, "texts" | "limits">>,
): Promise<number> {
  const { sites, hasHubs = false } = web;
  const fronts = sites.map((site) => {
    const front = ["index.html", "contents.html"].find((page) => site.pages.includes(page)) ?? site.pages[0];
    return `${originOf(site)}/${front}`;
  });
  const seeds = hasHubs ? [`${originOf(sites[0])}/`] : fronts;
  const settings = plainSettings(seeds, {
    politeness: { delayMs: 0, concurrency: 1, perHost: 1, perAddress: 1, crawlDelayMsMax: 0 },
    limits,
    texts,
    web: defaultWebSettings({ kind: hasHubs ? "domain" : "host", seeds }, 0),
  });
  const store = createCrawl(dir, JSON.stringify(settings));
  const run = await launchCrawl({ settings, store, fetcher: new FolderFetcher(web), readers: 0 });
  await run.run();
  const { downloadedCount } = ledgerOfLog(store).ledger;
  store.close();
  return downloadedCount;
}

/** The sites as their servers would serve them. */
class FolderFetcher implements Fetcher {
  readonly #hasHubs: boolean;
  readonly #sites: ReadonlyMap<string, DocumentationSite>;

  constructor({ sites, hasHubs = false }: PackWeb) {
    this.#sites = new Map(sites.map((site) => [originOf(site), site]));
    this.#hasHubs = hasHubs;
  }

  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const body = this.#pageAt(new URL(url));
    setImmediate(() =>
      done({
        kind: "answer",
        status: body === undefined ? 404 : 200,
        headers: { "content-type": "text/html; charset=utf-8" },
        body: body ?? new Uint8Array(),
        truncated: false,
        wireBytes: body?.length ?? 0,
        address: null,
        milliseconds: 1,
      }),
    );
  }

  #pageAt({ origin, pathname }: URL): Uint8Array | undefined {
    const site = this.#sites.get(origin);
    if (site === undefined) return undefined;
    if (this.#hasHubs && pathname === "/") return Buffer.from(hub(site, [...this.#sites.keys()]));
    if (!/\.html?$/.test(pathname)) return undefined;
    try {
      return readFileSync(join(site.root, decodeURIComponent(pathname)));
    } catch {
      // No such file, or a link that is no name of one.
      return undefined;
    }
  }

  async close(): Promise<void> {}
}

interface TruePages {
  /** By URL. */
  readonly shares: ReadonlyMap<string, number>;
  /** In the order of a crawl breadth first. */
  readonly breadthFirst: readonly string[];
}

function truthIn(dir: string): TruePages {
  const store = openCrawlReadOnly(dir);
  const { ledger } = ledgerOfLog(store);
  certify(ledger);
  const { links, state, settled, whole } = ledger;
  const breadthFirst: number[] = Array.from(store.trust(), ({ url }) => url);
  const seen = new Set(breadthFirst);
  for (const page of breadthFirst) {
    for (const link of copiedRow(links, page)) {
      const target = ledger.resolve(link);
      if (!isDownloaded(state[target]) || seen.has(target)) continue;
      seen.add(target);
      breadthFirst.push(target);
    }
  }
  const shares = new Map(breadthFirst.map((page) => [store.page(page)?.url ?? "", settled[page] / whole]));
  store.close();
  return { shares, breadthFirst: [...shares.keys()] };
}

interface Text {
  readonly url: string;
  readonly tokens: number;
}

/** Of those of these pages that a crawl has. */
async function textsOf(dir: string, urls: readonly string[]): Promise<Text[]> {
  const count = await loadTokenCounter();
  const store = openCrawlReadOnly(dir);
  const reader = new TextReader(dir, store);
  const { state } = ledgerOfLog(store).ledger;
  const ids = new Map<string, number>();
  for (let id = 0; id < store.urlCount; id++) if (isDownloaded(state[id])) ids.set(store.page(id)?.url ?? "", id);
  const texts = urls.flatMap((url) => {
    const id = ids.get(url);
    if (id === undefined) return [];
    return [{ url, tokens: count(reader.read(id, url, "markdown") ?? "", Number.POSITIVE_INFINITY) ?? 0 }];
  });
  store.close();
  return texts;
}

/** Pages in this order until their texts have so many tokens. */
function pagesWithin(texts: readonly Text[], tokensMax: number): string[] {
  let left = tokensMax;
  return texts
    .filter(({ tokens }) => {
      const isHad = left > 0;
      left -= tokens;
      return isHad;
    })
    .map(({ url }) => url);
}

/** By importance per token, the last page as far as it goes. */
function mostWithin(texts: readonly Text[], shares: ReadonlyMap<string, number>, tokensMax: number): number {
  const share = ({ url }: Text): number => shares.get(url) ?? 0;
  const density = (text: Text): number => share(text) / Math.max(1, text.tokens);
  let left = tokensMax;
  let most = 0;
  for (const text of texts.toSorted((a, b) => density(b) - density(a))) {
    most += Math.min(1, left / Math.max(1, text.tokens)) * share(text);
    left = Math.max(0, left - text.tokens);
  }
  return most;
}

function urlsOf(dir: string, ids: readonly number[]): string[] {
  const store = openCrawlReadOnly(dir);
  const urls = ids.map((id) => store.page(id)?.url ?? "");
  store.close();
  return urls;
}
