/**
 * A baseline: fetches by the PageRank of the known part of the web, recomputed each time that part has grown by 10%
 * (Cho, Garcia-Molina, Page: Efficient crawling through URL ordering, 1998).
 *
 * As in that paper the surfer jumps to any known page with equal chance. Pages discovered since the last computation
 * have rank 0. Ranks are pushed from below to within 1% of what is missing, which is enough to choose by.
 */
import { enlarged, IndexedHeap } from "../base/index.ts";
import { type LedgerOptions, MassLedger, PageState, tighten } from "../coverage/index.ts";
import { LedgerOrder } from "./ledger-order.ts";

const GROWTH = 1.1;
const PRECISION = 0.01;

export class PageRankOrder extends LedgerOrder {
  readonly name = "pagerank";
  /** Every page that was ever discovered. */
  readonly #discovered: number[] = [];
  #isDiscovered = new Uint8Array(0);
  readonly #redirects: (readonly [page: number, target: number])[] = [];
  #ranked = 0;
  #waiting: IndexedHeap;
  #rankPushes = 0;
  /** Ranks of the pages in flight. */
  readonly #inFlight = new Map<number, number>();

  constructor(options: LedgerOptions) {
    super(options);
    this.#waiting = new IndexedHeap(options.pages);
  }

  override get pushes(): number {
    return this.#rankPushes;
  }

  override guaranteed(): null {
    return null;
  }

  next(): number {
    if (this.#discovered.length > 0 && this.#discovered.length >= GROWTH * this.#ranked) this.#rank();
    const rank = this.#waiting.topKey;
    const page = this.#waiting.pop();
    if (page < 0) return -1;
    this.#inFlight.set(page, rank);
    return this.handOut(page);
  }

  override grow(pages: number): void {
    super.grow(pages);
    this.#waiting.grow(this.ledger.pages);
  }

  override redirected(page: number, target: number): void {
    super.redirected(page, target);
    this.#redirects.push([page, target]);
  }

  protected override returned(page: number): void {
    this.#waiting.raise(page, this.#inFlight.get(page) ?? 0);
    this.#inFlight.delete(page);
  }

  protected override opened(page: number): void {
    if (page >= this.#isDiscovered.length) this.#isDiscovered = enlarged(this.#isDiscovered, this.ledger.pages);
    if (this.#isDiscovered[page] === 1) return;
    this.#isDiscovered[page] = 1;
    this.#discovered.push(page);
    this.#waiting.raise(page, 0);
  }

  protected override closed(page: number): void {
    this.#waiting.remove(page);
    this.#inFlight.delete(page);
  }

  protected override fetched(page: number): void {
    const { targets, start, end } = this.ledger.links.row(page);
    for (let k = start; k < end; k++) this.known(targets[k]);
  }

  #rank(): void {
    const { links, pages, damping, finalPages, finalCount, state } = this.ledger;
    const known = new MassLedger({ links, pages, damping });
    for (const [page, target] of this.#redirects) known.redirected(page, target);
    for (const page of this.#discovered) known.trusted(page, 1 / this.#discovered.length);
    for (let k = 0; k < finalCount; k++) {
      if (state[finalPages[k]] === PageState.Downloaded) known.downloaded(finalPages[k]);
    }
    tighten(known, { relativeGap: PRECISION });
    this.#rankPushes += known.pushes;
    this.#ranked = this.#discovered.length;
    this.#waiting = new IndexedHeap(pages);
    for (const page of this.#inFlight.keys()) this.#inFlight.set(page, known.waiting[page]);
    for (const page of this.#discovered) {
      if (this.isWaiting(page)) this.#waiting.raise(page, known.waiting[page]);
    }
  }
}
