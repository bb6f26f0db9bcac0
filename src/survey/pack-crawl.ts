/** Packs a crawl: its pages by what is proven of their importance, and the proof for those that were packed. */
import { counted, formatCount, type Progress, percentAtLeast, timeStamp, UsageError } from "../base/index.ts";
import { type CountTokens, loadTokenCounter, type Pack, packPages, TextReader } from "../content/index.ts";
import { certify, knownRanking, subsetShare } from "../coverage/index.ts";
import { type CrawlSettings, ledgerOfLog, parseSettings } from "../crawl/index.ts";
import { ContentDigests } from "../findings/index.ts";
import type { LogListener, Visit } from "../log/index.ts";
import { reading, type ReadOptions, type SqliteStore } from "../store/index.ts";
import { importanceInWords, momentInWords, noPagesInWords } from "../text/index.ts";
import { hostOfUrl } from "../web/index.ts";

export interface PackCrawlOptions extends ReadOptions {
  readonly tokensMax: number;
  /** How tokens are counted, and what the file says of that (default: the text as it is). */
  readonly tokens?: { readonly unit: string; readonly count: CountTokens };
  readonly progress: Progress;
  /** Awaited now and then. */
  readonly onStep: () => Promise<void>;
}

export interface PackedCrawl extends Pack {
  readonly universe: CrawlSettings["web"]["universe"];
}

export function packCrawl(dir: string, options: PackCrawlOptions): Promise<PackedCrawl> {
  return reading(dir, (store) => packStore(dir, store, options), { atMs: options.atMs });
}

async function packStore(dir: string, store: SqliteStore, options: PackCrawlOptions): Promise<PackedCrawl> {
  const { tokensMax, progress, onStep } = options;
  const { unit, count } = options.tokens ?? { unit: "o200k_base", count: await loadTokenCounter() };
  progress({ task: "certifying", done: 0, unit: "pages" });
  const visits = new Visits();
  const { ledger } = ledgerOfLog(store, visits);
  const certificate = certify(ledger);
  const pages = visits.digests.distinct(knownRanking(ledger));
  if (pages.length === 0) throw new UsageError(noPagesInWords(dir));
  const settings = parseSettings(store.settings());
  const { universe } = settings.web;
  const title = `Pages of ${seedsInWords(settings)}`;
  const whichEnded = `that ended on ${timeStamp(visits.lastMs).slice(0, 10)}`;
  const when = store.isNow ? whichEnded : `as it was known on ${momentInWords(store.untilMs)}`;
  const reader = new TextReader(dir, store);
  const pack = await packPages(
    {
      name: dir,
      pages,
      importanceOf: (page) => ledger.settled[page],
      coverageOf: (packed) =>
        packed.length === certificate.downloaded ? certificate.coverage : subsetShare(ledger, packed),
      about: (page) => pageOf(store, page),
      markdown: (page, url) => reader.read(page, url, "markdown"),
    },
    {
      tokensMax,
      count,
      head: ({ pages, tokens, coverage }) =>
        `# ${title}\n\nPacked by tidemark from a crawl ${when}: ${formatCount(pages)} of ` +
        `${counted(certificate.downloaded, "page")}, ${counted(tokens, "token")} (${unit}), by importance. ` +
        `These pages hold at least ${percentAtLeast(coverage)} of ${importanceInWords(universe)}.\n\n## Contents\n\n`,
      onStep: async (done) => {
        progress({ task: "counting tokens", done, total: pages.length, unit: "pages" });
        await onStep();
      },
    },
  );
  return { ...pack, universe };
}

/** What the log says besides links and states. */
class Visits implements LogListener {
  readonly digests = new ContentDigests();
  lastMs = 0;

  visited(visit: Visit): void {
    this.digests.visited(visit);
    this.lastMs = Math.max(this.lastMs, visit.atMs);
  }
}

function pageOf(store: SqliteStore, page: number): { readonly url: string; readonly title: string | null } {
  const row = store.page(page);
  if (row === undefined) throw new Error(`page ${page} is a sink`);
  return row;
}

function seedsInWords({ seeds }: CrawlSettings): string {
  const [first, ...others] = new Set(seeds.map(({ url }) => hostOfUrl(url)));
  return others.length === 0 ? first : `${first} and ${counted(others.length, "other host")}`;
}
