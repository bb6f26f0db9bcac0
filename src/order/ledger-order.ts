/** Orders with a ledger of surfing probability, and so a guarantee of their own. Pages go by what waits on them. */
import { assert, enlarged, IndexedHeap } from "../base/index.ts";
import { isSettling, type LedgerOptions, MassLedger, PageState, type RefusalReason } from "../coverage/index.ts";
import type { CrawlOrder } from "./contract.ts";

export abstract class LedgerOrder implements CrawlOrder {
  abstract readonly name: string;
  protected readonly ledger: MassLedger;
  /** 1 for pages that were handed out and have no fact yet. */
  #inFlight: Uint8Array;
  #guaranteed = 0;
  #inFlightCount = 0;
  /** How many of the final pages, in their order, have made their links known. */
  #opened = 0;

  constructor(options: LedgerOptions) {
    this.ledger = new MassLedger({ ...options, keepsRanks: false });
    this.#inFlight = new Uint8Array(options.pages);
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
    return this.ledger.state[page] === PageState.Open && this.#inFlight[page] === 0;
  }

  /** Whether what waits on the page can be settled. */
  protected isSettling(page: number): boolean {
    return isSettling(this.ledger.state[page]);
  }

  putBack(page: number): void {
    assert(this.#inFlight[page] === 1, "only a page that was handed out is put back");
    this.#inFlight[page] = 0;
    this.#inFlightCount--;
    this.returned(page);
  }

  protected handOut(page: number): number {
    this.#inFlight[page] = 1;
    this.#inFlightCount++;
    return page;
  }

  protected get isAnyInFlight(): boolean {
    return this.#inFlightCount > 0;
  }

  /** Pushes every final page once, in the order in which they became final. */
  protected propagateOnce(): void {
    const ledger = this.ledger;
    const { targets, starts, ends } = ledger.links;
    for (let k = 0; k < ledger.finalCount; k++) {
      const page = ledger.finalPages[k];
      // A page on which nothing has ever waited, such as one from a sitemap, still has links to follow.
      if (ledger.waiting[page] === 0 && k < this.#opened) continue;
      ledger.push(page);
      if (ledger.state[page] !== PageState.Downloaded) continue;
      for (let a = starts[page]; a < ends[page]; a++) this.known(targets[a]);
    }
    this.#opened = ledger.finalCount;
  }

  grow(pages: number): void {
    this.ledger.grow(pages);
    if (this.ledger.pages === this.#inFlight.length) return;
    this.#inFlight = enlarged(this.#inFlight, this.ledger.pages);
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
    const { targets, starts, ends } = this.ledger.links;
    for (let k = starts[page]; k < ends[page]; k++) this.known(targets[k]);
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
    this.#inFlightCount -= this.#inFlight[page];
    this.#inFlight[page] = 0;
    this.closed(page);
  }
}

/** Pages wait in a heap, by what waits on them in the ledger, or by a key that rises with it. */
export abstract class HeapOrder extends LedgerOrder {
  protected readonly heap: IndexedHeap;

  constructor(options: LedgerOptions) {
    super(options);
    this.heap = new IndexedHeap(options.pages);
  }

  override grow(pages: number): void {
    super.grow(pages);
    this.heap.grow(this.ledger.pages);
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
