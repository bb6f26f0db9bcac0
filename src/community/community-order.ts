/**
 * FINDGLOBALPR (global-pagerank.ts) as an order of crawling, so that any crawler can run it, live or simulated. The
 * trusted pages are the community. Those without an outcome are handed out first; then rounds of pages outside it, each
 * chosen when the one before has ended.
 *
 * A page that cannot be had (dead, forbidden, failed) is dismissed, and another is chosen for it in a later round. It
 * ends when as many pages were had as were wanted, when nothing is left to choose, or after so many tries per page.
 *
 * What was chosen is reported before any of it is handed out. A crawl that died is given it again, by URLs, because the
 * numbers of URLs that were not committed are lost. So it goes on with the rounds that it had begun.
 */
import type { CrawlOrder } from "../order/index.ts";
import type { RefusalReason } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";
import { CommunityFacts } from "./community-facts.ts";
import { type Distances, distancesBetween } from "./distances.ts";
import type { CommunityEstimate, EstimatorOptions } from "./global-pagerank.ts";

/** A round of a crawl around a community. */
export interface CommunityRound {
  /** The URLs that were chosen, best first. */
  readonly chosen: readonly string[];
  /** Those of them that were drawn at random. */
  readonly drawn: readonly string[];
  /** Pages that were had in this round and those before; null if it has not ended. */
  crawled: number | null;
  /** How much it has changed the estimate; null if it has not ended, or ended in another run than it began. */
  change: Distances | null;
}

export interface CommunityOrderOptions extends EstimatorOptions {
  readonly links: LinkTable;
  readonly urlOf: (page: number) => string;
  /** -1 for a URL that is not known. */
  readonly pageOf: (url: string) => number;
  /** Whether a URL is no page of the community. */
  readonly isOutside: (url: string) => boolean;
  /** T and k of the paper: together as many outside pages as are wanted. */
  readonly rounds: number;
  readonly pagesPerRound: number;
  /** What earlier runs have chosen. */
  readonly earlier?: readonly CommunityRound[];
  /** All rounds so far: called before the first page of a round is handed out, and when the last one has ended. */
  readonly onRound?: (rounds: readonly CommunityRound[]) => void;
}

/** What a crawl around a community has found. */
export interface CommunityResult extends CommunityEstimate {
  /** The pages of the community that were had, ascending. */
  readonly local: Uint32Array;
  /** Their PageRank without any other page, 1 in sum. */
  readonly localRanks: Float64Array;
}

/** Of so many URLs that are tried, one must be a page on average; otherwise it ends. */
const TRIES_PER_PAGE = 2;

export class CommunityOrder implements CrawlOrder {
  readonly name = "community";
  readonly pushes = 0;
  readonly #options: CommunityOrderOptions;
  readonly #facts: CommunityFacts;
  readonly #rounds: CommunityRound[];
  readonly #queue: number[] = [];
  /** Handed out or in the queue, without an outcome. */
  readonly #awaited = new Set<number>();
  /** Chosen, or where a chosen one led, and had. */
  readonly #crawled = new Set<number>();
  /** What earlier runs have chosen and not had. */
  #unsettled: readonly string[];
  #hasBegun = false;
  #hasEnded = false;
  /** The estimate when the present round began; undefined if that was in another run. */
  #before: Float64Array | undefined;

  constructor(options: CommunityOrderOptions) {
    const { links, urlOf, isOutside, earlier = [], seed = 1 } = options;
    this.#options = options;
    this.#rounds = earlier.map((round) => ({ ...round }));
    this.#unsettled = earlier.flatMap(({ chosen }) => chosen);
    // Draws of a run that is resumed are not those of the run before.
    const estimator = { ...options, seed: (seed + earlier.length) >>> 0 };
    this.#facts = new CommunityFacts({ links, isOutside: (page) => isOutside(urlOf(page)), estimator });
  }

  /** Rounds so far. */
  get rounds(): number {
    return this.#rounds.length;
  }

  /** Pages that were chosen and had. */
  get crawled(): number {
    return this.#crawled.size;
  }

  /** URLs that were chosen. */
  get tried(): number {
    return this.#rounds.reduce((sum, { chosen }) => sum + chosen.length, 0);
  }

  /** Whether it has ended, or will, because too many of the URLs that were tried are no pages. */
  get isOutOfTries(): boolean {
    return this.crawled < this.#wanted && this.tried >= TRIES_PER_PAGE * this.#wanted;
  }

  get roundsSoFar(): readonly CommunityRound[] {
    return this.#rounds;
  }

  /** Undefined if no page of the community was had, or some are not fetched yet. */
  result(): CommunityResult | undefined {
    if (this.#facts.openLocal().length > 0) return undefined;
    if (!this.#hasBegun) this.#begin();
    const { estimator, local, localRanks } = this.#facts;
    return estimator && { local, localRanks, ...estimator.estimate() };
  }

  next(): number {
    for (;;) {
      const page = this.#queue.shift();
      if (page === undefined) {
        if (this.#awaited.size > 0 || !this.#goOn()) return -1;
      } else if (this.#awaited.has(page)) return page;
    }
  }

  putBack(page: number): void {
    this.#queue.push(page);
  }

  guaranteed(): null {
    return null;
  }

  known(): void {}

  grow(): void {}

  received(): void {}

  trusted(page: number): void {
    this.#facts.trusted(page);
  }

  downloaded(page: number): void {
    if (this.#awaited.delete(page) && this.#hasBegun) this.#crawled.add(page);
    this.#facts.had(page);
  }

  linksUnknown(page: number): void {
    this.downloaded(page);
  }

  dead(page: number): void {
    this.#awaited.delete(page);
    this.#facts.lost(page);
  }

  refused(page: number, _reason: RefusalReason): void {
    this.dead(page);
  }

  redirected(page: number, target: number): void {
    const wasAwaited = this.#awaited.delete(page);
    this.#facts.redirected(page, target);
    const isWanted = this.#hasBegun ? this.#facts.isCandidate(target) : this.#facts.isOpen(target);
    if (wasAwaited && isWanted) this.#await([target]);
  }

  get #wanted(): number {
    return this.#options.rounds * this.#options.pagesPerRound;
  }

  /** Whether there is more to hand out, now that nothing is awaited. */
  #goOn(): boolean {
    if (!this.#hasBegun) {
      if (this.#await(this.#facts.openLocal())) return true;
      this.#begin();
    }
    return this.#settle() || this.#startRound();
  }

  #begin(): void {
    const known = (urls: readonly string[]): number[] => urls.map(this.#options.pageOf).filter((page) => page >= 0);
    this.#hasBegun = true;
    const drawn = this.#rounds.flatMap((round) => round.drawn);
    this.#facts.begin((estimator) => {
      estimator.recall({ chosen: this.tried, draws: drawn.length, drawn: known(drawn) });
    });
    const isLocal = new Set(this.#facts.local);
    for (const page of known(this.#unsettled).map((each) => this.#facts.endOf(each))) {
      if (this.#facts.isHad(page) && !isLocal.has(page)) this.#crawled.add(page);
    }
    if (this.#rounds.every(({ crawled }) => crawled !== null)) this.#before = this.#facts.estimator?.estimate().ranks;
  }

  /** Goes on with what earlier runs have chosen. What led to a URL may have been lost, and is fetched before it. */
  #settle(): boolean {
    const { pageOf } = this.#options;
    const pages = this.#unsettled.map((url) => [url, pageOf(url)] as const);
    this.#unsettled = pages.filter(([, page]) => page < 0).map(([url]) => url);
    const open = pages.map(([, page]) => (page < 0 ? page : this.#facts.endOf(page)));
    const isWaiting = this.#await(open.filter((page) => page >= 0 && this.#facts.isCandidate(page)));
    if (!isWaiting) this.#unsettled = [];
    return isWaiting;
  }

  #startRound(): boolean {
    const { pagesPerRound, urlOf } = this.#options;
    const { estimator } = this.#facts;
    if (estimator === undefined || this.#hasEnded) return false;
    this.#endRound();
    const wanted = this.#wanted;
    const count = Math.min(pagesPerRound, wanted - this.crawled, TRIES_PER_PAGE * wanted - this.tried);
    const chosen = count > 0 ? [...estimator.choose(count)] : [];
    this.#hasEnded = chosen.length === 0;
    if (!this.#hasEnded) {
      const drawn = chosen.filter((page) => estimator.isDrawn(page)).map(urlOf);
      this.#rounds.push({ chosen: chosen.map(urlOf), drawn, crawled: null, change: null });
    }
    this.#options.onRound?.(this.#rounds);
    return this.#await(chosen);
  }

  #endRound(): void {
    const round = this.#rounds.at(-1);
    if (round === undefined || round.crawled !== null) return;
    round.crawled = this.crawled;
    const after = this.#facts.estimator!.estimate().ranks;
    if (this.#before !== undefined) round.change = distancesBetween(this.#before, after);
    this.#before = after;
  }

  #await(pages: readonly number[]): boolean {
    for (const page of pages) {
      if (this.#awaited.has(page)) continue;
      this.#awaited.add(page);
      this.#queue.push(page);
    }
    return pages.length > 0;
  }
}
