/**
 * 50,000 tokens packed from documentation webs (Debian packages, one site each), compared with the same tokens of a
 * crawl breadth first: pages in the order of their distance from the front page, as long as there are tokens. The page
 * on which they run out counts fully, and headings and sources cost the peer nothing.
 *
 * The truth is the importance of pages in the whole site. Packs are made of the whole site and of a crawl that stopped
 * when half of all importance was certain.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packCrawl } from "../src/cli/output/pack.ts";
import { loadTokenCounter, TextReader } from "../src/content/index.ts";
import { certify, isDownloaded } from "../src/coverage/index.ts";
import { type CrawlSettings, defaultWebSettings, launchCrawl, ledgerOfLog } from "../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../src/fetch/index.ts";
import { createCrawl, openCrawlReadOnly } from "../src/store/index.ts";
import { type DocumentationSite, documentationSites } from "./crawl/documentation.ts";
import { generatedSites } from "./crawl/generated-sites.ts";

const PACKAGES = "python3.11-doc python-django-doc python-sqlalchemy-doc postgresql-doc-15 cmake-doc nim-doc".split(
  " ",
);
const TOKENS = 50_000;
const ORIGIN = "http://docs.test";

interface PackFigures {
  readonly site: string;
  readonly pages: number;
  readonly breadthFirst: { readonly pages: number; readonly actual: number };
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
    const sites = tiny ? generatedSites(join(dir, "sites")).slice(0, 1) : documentationSites(PACKAGES);
    for (const site of sites) figures.push(await compare(site, join(dir, site.name), tiny ? 2000 : TOKENS));
    return figures;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function compare(site: DocumentationSite, dir: string, tokensMax: number): Promise<PackFigures> {
  const [whole, half] = [`${dir}-whole`, `${dir}-half`];
  await crawl(site, whole, {});
  const downloaded = await crawl(site, half, { coverage: 0.5 });
  const { shares, breadthFirst } = truthIn(whole);
  const sum = (urls: readonly string[]): number => urls.reduce((total, url) => total + (shares.get(url) ?? 0), 0);
  const had = await cutAt(whole, breadthFirst, tokensMax);
  const actual = sum(had.map(({ url }) => url));
  const packed = async (from: string): Promise<PackedFigures> => {
    const startMs = performance.now();
    const pack = await packCrawl(from, { tokensMax, progress: () => {}, onStep: async () => {} });
    const seconds = (performance.now() - startMs) / 1000;
    const truly = sum(urlsOf(from, pack.ids));
    const { pages, tokens, coverage } = pack;
    return { pages, tokens, proven: coverage, actual: truly, ratio: truly / actual, seconds };
  };
  return {
    site: site.name,
    pages: shares.size,
    breadthFirst: { pages: had.length, actual },
    ofWhole: await packed(whole),
    ofHalf: { downloaded, ...(await packed(half)) },
  };
}

/** Returns how many pages were downloaded. */
async function crawl(site: DocumentationSite, dir: string, limits: CrawlSettings["limits"]): Promise<number> {
  const front = ["index.html", "contents.html"].find((page) => site.pages.includes(page)) ?? site.pages[0];
  const seed = `${ORIGIN}/${front}`;
  const settings: CrawlSettings = {
    seeds: [{ url: seed, weight: 1 }],
    order: "rankmass",
    damping: 0.85,
    politeness: { delayMs: 0, concurrency: 1, perHost: 1, perAddress: 1, crawlDelayMsMax: 0 },
    limits,
    productToken: "tidemark",
    texts: ["markdown"],
    web: defaultWebSettings({ kind: "host", seeds: [seed] }, 0),
  };
  const store = createCrawl(dir, JSON.stringify(settings));
  const run = await launchCrawl({ settings, store, fetcher: new FolderFetcher(site.root), readers: 0 });
  await run.run();
  const { downloadedCount } = ledgerOfLog(store).ledger;
  store.close();
  return downloadedCount;
}

/** The site as its server would serve it. */
class FolderFetcher implements Fetcher {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const path = join(this.#root, decodeURIComponent(new URL(url).pathname));
    const isPage = /\.html?$/.test(path) && existsSync(path);
    const body = isPage ? readFileSync(path) : new Uint8Array();
    setImmediate(() =>
      done({
        kind: "answer",
        status: isPage ? 200 : 404,
        headers: { "content-type": "text/html; charset=utf-8" },
        body,
        truncated: false,
        wireBytes: body.length,
        address: null,
        milliseconds: 1,
      }),
    );
  }

  async close(): Promise<void> {}
}

interface TruePages {
  /** By URL. */
  readonly shares: ReadonlyMap<string, number>;
  /** Ids in the order of a crawl breadth first. */
  readonly breadthFirst: readonly number[];
}

function truthIn(dir: string): TruePages {
  const store = openCrawlReadOnly(dir);
  const { ledger } = ledgerOfLog(store);
  certify(ledger);
  const { links, state, settled, whole } = ledger;
  const breadthFirst: number[] = Array.from(store.trust(), ({ url }) => url);
  const seen = new Set(breadthFirst);
  for (const page of breadthFirst) {
    for (let k = links.starts[page]; k < links.ends[page]; k++) {
      const target = ledger.resolve(links.targets[k]);
      if (!isDownloaded(state[target]) || seen.has(target)) continue;
      seen.add(target);
      breadthFirst.push(target);
    }
  }
  const shares = new Map(breadthFirst.map((page) => [store.page(page)?.url ?? "", settled[page] / whole]));
  store.close();
  return { shares, breadthFirst };
}

/** The pages of a crawl, in this order, until their texts have so many tokens. */
async function cutAt(dir: string, pages: readonly number[], tokensMax: number): Promise<{ readonly url: string }[]> {
  const count = await loadTokenCounter();
  const store = openCrawlReadOnly(dir);
  const reader = new TextReader(dir, store);
  const had: { readonly url: string }[] = [];
  let left = tokensMax;
  for (const page of pages) {
    if (left <= 0) break;
    const url = store.page(page)?.url ?? "";
    left -= count(reader.read(page, url, "markdown") ?? "", left) ?? left;
    had.push({ url });
  }
  store.close();
  return had;
}

function urlsOf(dir: string, ids: readonly number[]): string[] {
  const store = openCrawlReadOnly(dir);
  const urls = ids.map((id) => store.page(id)?.url ?? "");
  store.close();
  return urls;
}
