/** Orders with a ledger of surfing probability, and so a guarantee of their own. Pages go by what waits on them. */
import { assert, ColdHeap, enlarged } from "../base/index.ts";
import {
  isSettling,
  type KnownPages,
  type LedgerOptions,
  MassLedger,
  PageState,
  type RefusalReason,
} from "../coverage/index.ts";
import type { CrawlOrder } from "./contract.ts";

export const MARK = 128;

export abstract class LedgerOrder implements CrawlOrder {
  abstract readonly name: string;
  protected readonly ledger: MassLedger;
  /** `MARK` for pages that were handed out and have no fact yet; orders use it as they like once the page has one. */
  protected marks: Uint8Array;
  #guaranteed = 0;
  #inFlightCount = 0;
  /** How many of the final pages, in their order, have made their links known. */
  #opened = 0;

  constructor(options: LedgerOptions) {
    this.ledger = new MassLedger({ ...options, keepsRanks: false });
    this.marks = new Uint8Array(options.pages);
  }

  abstract next(): number;
  /** What waits on an open page has grown, or the page was just discovered. */
  protected abstract opened(page: number): void;
  /** The page will not be fetched (any more). */
  protected abstract closed(page: number): void;
  /** The page was fetched; its links are known. */
  protected abstract fetched(page: number): void;
  /** More waits on a page that was fetched before. Orders that propagate in rounds do so in their next one. */
  protected replenished(_page: number): void {}

  /** Something else was reported than trust and whole pages. */
  protected deviated(): void {}

  /** The page was given back and waits again, with what waits on it now. */
  protected returned(page: number): void {
    this.opened(page);
  }

  /** What the order knows of the pages: another ledger that is told each fact after it may follow. */
  get knownPages(): KnownPages {
    return this.ledger.knownPages;
  }

  get pushes(): number {
    return this.ledger.pushes;
  }

  guaranteed(): number | null {
    // What was proved for fewer pages holds for more.
    this.#guaranteed = Math.max(this.#guaranteed, this.ledger.bound());
    return this.#guaranteed;
  }

  arrived(page: number): number {
    return this.ledger.waiting[page];
  }

  protected isWaiting(page: number): boolean {
    return this.ledger.state[page] === PageState.Open && this.marks[page] === 0;
  }

  /** Whether what waits on the page can be settled. */
  protected isSettling(page: number): boolean {
    return isSettling(this.ledger.state[page]);
  }

  putBack(page: number): void {
    assert(this.marks[page] === MARK, "only a page that was handed out is put back");
    this.#land(page);
    this.returned(page);
  }

  protected handOut(page: number): number {
    this.marks[page] = MARK;
    this.#inFlightCount++;
    return page;
  }

  protected get isAnyInFlight(): boolean {
    return this.#inFlightCount > 0;
  }

  /** Pushes every final page once, in the order in which they became final. */
  protected propagateOnce(): void {
    const ledger = this.ledger;
    for (let k = 0; k < ledger.finalCount; k++) {
      const page = ledger.finalPages[k];
      // A page on which nothing has ever waited, such as one from a sitemap, still has links to follow.
      if (ledger.waiting[page] === 0 && k < this.#opened) continue;
      ledger.push(page);
      if (ledger.state[page] !== PageState.Downloaded) continue;
      const { targets, start, end } = ledger.links.row(page);
      for (let a = start; a < end; a++) this.known(targets[a]);
    }
    this.#opened = ledger.finalCount;
  }

  grow(pages: number): void {
    this.ledger.grow(pages);
    if (this.ledger.pages > this.marks.length) this.marks = enlarged(this.marks, this.ledger.pages);
  }

  known(page: number): void {
    const end = this.ledger.resolve(page);
    if (this.isWaiting(end)) this.opened(end);
  }

  trusted(page: number, weight: number): void {
    this.ledger.trusted(page, weight);
    this.known(page);
  }

  received(page: number, sender: number, total: number): void {
    this.deviated();
    this.ledger.received(page, sender, total);
    const end = this.ledger.resolve(page);
    if (this.isSettling(end)) this.replenished(end);
    else this.known(end);
  }

  downloaded(page: number): void {
    this.#close(page);
    this.ledger.downloaded(page);
    this.fetched(page);
  }

  linksUnknown(page: number): void {
    this.deviated();
    this.#close(page);
    this.ledger.linksUnknown(page);
    this.fetched(page);
    // Its known links carry no mass, but can be followed.
    const { targets, start, end } = this.ledger.links.row(page);
    for (let k = start; k < end; k++) this.known(targets[k]);
  }

  dead(page: number): void {
    this.deviated();
    this.#close(page);
    this.ledger.dead(page);
  }

  refused(page: number, reason: RefusalReason): void {
    this.deviated();
    this.#close(page);
    this.ledger.refused(page, reason);
  }

  redirected(page: number, target: number): void {
    this.deviated();
    this.#close(page);
    this.ledger.redirected(page, target);
    this.known(target);
  }

  #close(page: number): void {
    if (this.marks[page] === MARK) this.#land(page);
    this.closed(page);
  }

  #land(page: number): void {
    this.marks[page] = 0;
    this.#inFlightCount--;
  }
}

/** What an order knows of the pages; undefined for one without a ledger. */
export function knownPagesOf(order: CrawlOrder): KnownPages | undefined {
  return order instanceof LedgerOrder ? order.knownPages : undefined;
}

/** With fewer pages, four bytes per known URL are nothing beside what else a crawl takes. */
const ROUNDS_FROM = 2 ** 17;

export interface HeapOptions extends LedgerOptions {
  /** Up to so many pages are hot, however few wait (default: 65536). It changes memory and speed, nothing else. */
  readonly hotMin?: number;
  /** From so many downloaded pages on, what waits is kept in single precision (default: 131072). */
  readonly roundsFrom?: number;
}

/**
 * Pages wait in a heap, by what waits on them in the ledger, or by a key that rises with it. In a large crawl the
 * ledger is rounded: the order stays a function of the facts alone, and its own guarantee true.
 */
export abstract class HeapOrder extends LedgerOrder {
  protected readonly heap: ColdHeap;
  readonly #roundsFrom: number;

  constructor({ hotMin, roundsFrom = ROUNDS_FROM, ...options }: HeapOptions) {
    super(options);
    this.#roundsFrom = roundsFrom;
    const keyOf = (page: number): number => this.keyOf(page, this.ledger.waiting[page]);
    this.heap = new ColdHeap({ capacity: options.pages, keyOf, ...(hotMin === undefined ? {} : { hotMin }) });
  }

  override grow(pages: number): void {
    super.grow(pages);
    this.heap.grow(this.ledger.pages);
  }

  override downloaded(page: number): void {
    if (!this.ledger.isRounded && this.ledger.downloadedCount >= this.#roundsFrom) {
      this.ledger.round();
      this.heap.changeAll();
    }
    super.downloaded(page);
  }

  best(): number {
    return this.heap.topKey;
  }

  protected override opened(page: number): void {
    this.heap.raise(page, this.keyOf(page, this.ledger.waiting[page]));
  }

  /** By what a page waits in the heap, on which this much waits in the ledger. */
  protected keyOf(_page: number, mass: number): number {
    return mass;
  }

  protected override closed(page: number): void {
    this.heap.remove(page);
  }
}
