/**
 * A crawl that was read again in rounds, written directly: page k links to the next ones and to some far away; in each
 * round, pages that are spread evenly change. Round 0 is the crawl itself, and each round is a day after the last.
 */
import { Random } from "../../src/base/index.ts";
import { makePlainTexts } from "../../src/content/index.ts";
import { defaultPoliteness } from "../../src/crawl/index.ts";
import { BLANK_VISIT } from "../../src/log/index.ts";
import { createCrawl, openCrawl, type SqliteStore } from "../../src/store/index.ts";
import { plainSettings } from "../../test/support/plain-settings.ts";

const SEED = "http://earlier.test/0";
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const WORDS = 5000;
const WORDS_PER_PAGE = 150;

export interface CrawlSize {
  readonly pages: number;
  readonly changedPerRound: number;
}

/** A time after a round and before the next. */
export function timeAfter(round: number): string {
  return new Date(START_MS + round * DAY_MS + DAY_MS / 2).toISOString();
}

export class WrittenCrawl {
  readonly #dir: string;
  readonly #size: CrawlSize;
  readonly #random = new Random(1);
  /** The visit that counts, of each page. */
  readonly #visits: Uint32Array;
  #rounds = 0;

  constructor(dir: string, size: CrawlSize) {
    this.#dir = dir;
    this.#size = size;
    this.#visits = new Uint32Array(size.pages);
    const politeness = { ...defaultPoliteness, delayMs: 0 };
    const settings = plainSettings([SEED], { politeness, limits: { pages: size.pages } });
    const store = createCrawl(dir, JSON.stringify(settings));
    store.addOrigin(0, new URL(SEED).origin);
    store.addUrl({ id: 0, origin: 0, path: "/0", depth: 0, source: "seed", discoveredAt: 0, reason: null });
    store.replaceTrust([{ url: 0, weight: 1 }]);
    for (let page = 0; page < size.pages; page++) {
      for (let id = store.urlCount; id < Math.min(size.pages, page + 11); id++) {
        const depth = Math.ceil(id / 10);
        store.addUrl({ id, origin: 0, path: `/${id}`, depth, source: "link", discoveredAt: page, reason: null });
      }
      this.#read(store, page);
    }
    store.close();
  }

  /** One more round. */
  readAgain(): void {
    const { pages, changedPerRound } = this.#size;
    const store = openCrawl(this.#dir);
    this.#rounds++;
    for (let k = 0; k < changedPerRound; k++) {
      this.#read(store, (this.#rounds + k * Math.floor(pages / changedPerRound)) % pages);
    }
    store.close();
  }

  #read(store: SqliteStore, page: number): void {
    const { pages } = this.#size;
    const number = store.nextVisit;
    const links = new Set<number>();
    for (let k = 1; k <= 10; k++) links.add(Math.min(pages - 1, page + k)).add((page * k * 7919) % (page + 1));
    const visit = {
      ...BLANK_VISIT,
      number,
      url: page,
      atMs: START_MS + this.#rounds * DAY_MS,
      status: 200,
      wireBytes: 1000,
      milliseconds: 1,
      contentType: "text/html",
      title: `Page ${page}, version ${this.#rounds}`,
      links: Uint32Array.from(links),
    };
    store.addVisit(visit, this.#visits[page] || undefined);
    store.addTexts(number, makePlainTexts(textOf(this.#random), ["text"]));
    this.#visits[page] = number;
    if (number % 10_000 === 0) store.commit();
  }
}

/** Few words are frequent, most are rare. */
function textOf(random: Random): string {
  return Array.from({ length: WORDS_PER_PAGE }, () => `word${Math.floor(WORDS * random.float() ** 3)}`).join(" ");
}
