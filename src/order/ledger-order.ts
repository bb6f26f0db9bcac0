/**
 * Orders that keep the whole ledger of surfing probability, and so have a guarantee of their own: RankMass and its kin.
 * A page waits to be fetched with what waits on it in the ledger.
 */
import { assert, enlarged } from "../base/index.ts";
import {
  isSettling,
  type LedgerOptions,
  MassLedger,
  PageState,
  type RefusalReason,
} from "../coverage/index.ts";
import type { CrawlOrder } from "./contract.ts";

export abstract class LedgerOrder implements CrawlOrder {
  abstract readonly name: string;
  protected readonly ledger: MassLedger;
  /** 1 for pages that were handed out and of which no fact is known yet. */
  #underWay: Uint8Array;
  #guaranteed = 0;
  #underWayCount = 0;
  /** Of the final pages in their order, how many have made their links known. */
  #opened = 0;

  constructor(options: LedgerOptions) {
    this.ledger = new MassLedger({ ...options, keepsRanks: false });
    this.#underWay = new Uint8Array(options.pages);
  }

  abstract next(): number;
  /** The page waits again with what waits on it now. */
  protected abstract returned(page: number): void;
  /** What waits on an open page has grown, or the page was just heard of. */
  protected abstract opened(page: number): void;
  /** The page is not to be fetched (any more). */
  protected abstract closed(page: number): void;
  /** The page was fetched; its links are known. */
  protected abstract fetched(page: number): void;

  get pushes(): number {
    return this.ledger.pushes;
  }

  guaranteed(): number | null {
    // What was certain of fewer pages is certain of more.
    this.#guaranteed = Math.max(this.#guaranteed, this.ledger.bound());
    return this.#guaranteed;
  }

  protected isWaiting(page: number): boolean {
    return this.ledger.state[page] === PageState.Open && this.#underWay[page] === 0;
  }

  /** Whether what waits on the page can be settled. */
  protected isSettling(page: number): boolean {
    return isSettling(this.ledger.state[page]);
  }

  putBack(page: number): void {
    assert(this.#underWay[page] === 1, "only a page that was handed out is put back");
    this.#underWay[page] = 0;
    this.#underWayCount--;
    this.returned(page);
  }

  protected handOut(page: number): number {
    this.#underWay[page] = 1;
    this.#underWayCount++;
    return page;
  }

  protected get isAnyUnderWay(): boolean {
    return this.#underWayCount > 0;
  }

  /** Lets every final page hand on what waits on it, in the order in which pages became final. */
  protected propagateOnce(): void {
    const ledger = this.ledger;
    const { targets, starts, ends } = ledger.links;
    for (let k = 0; k < ledger.finalCount; k++) {
      const page = ledger.finalPages[k];
      // Links of a page on which nothing has ever waited, known from a sitemap, say, lead on all the same.
      if (ledger.waiting[page] === 0 && k < this.#opened) continue;
      ledger.push(page);
      if (ledger.state[page] !== PageState.Downloaded) continue;
      for (let a = starts[page]; a < ends[page]; a++) this.known(targets[a]);
    }
    this.#opened = ledger.finalCount;
  }

  grow(pages: number): void {
    this.ledger.grow(pages);
    if (this.ledger.pages === this.#underWay.length) return;
    this.#underWay = enlarged(this.#underWay, this.ledger.pages);
  }

  known(page: number): void {
    const end = this.ledger.resolve(page);
    if (this.isWaiting(end)) this.opened(end);
  }

  trusted(page: number, weight: number): void {
    this.ledger.trusted(page, weight);
    this.known(page);
  }

  downloaded(page: number): void {
    this.#close(page);
    this.ledger.downloaded(page);
    this.fetched(page);
  }

  downloadedPartly(page: number): void {
    this.#close(page);
    this.ledger.downloadedPartly(page);
    this.fetched(page);
    // The links that are known carry no mass, but they can be followed.
    const { targets, starts, ends } = this.ledger.links;
    for (let k = starts[page]; k < ends[page]; k++) this.known(targets[k]);
  }

  dead(page: number): void {
    this.#close(page);
    this.ledger.dead(page);
  }

  refused(page: number, reason: RefusalReason): void {
    this.#close(page);
    this.ledger.refused(page, reason);
  }

  redirected(page: number, target: number): void {
    this.#close(page);
    this.ledger.redirected(page, target);
    this.known(target);
  }

  #close(page: number): void {
    this.#underWayCount -= this.#underWay[page];
    this.#underWay[page] = 0;
    this.closed(page);
  }
}
