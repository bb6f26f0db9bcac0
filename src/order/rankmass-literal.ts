/**
 * RankMass to the letter (Cho, Schonfeld: RankMass Crawler, Figure 5): of all pages, downloaded or not, the one on
 * which the most probability waits is pushed next, and downloaded first if necessary. It is here for comparison:
 * `rankmass` chooses equally good pages at a fraction of the cost.
 *
 * Invariant: pages to fetch, and downloaded pages on which something waits, are in one heap with that as their key.
 * Departure: what waits on a downloaded page is left there once it is below 1e-18; the paper would continue for ever
 * when no page is left to fetch.
 */
import { PageState } from "../coverage/index.ts";
import { type HeapOptions, HeapOrder } from "./ledger-order.ts";

const NEGLIGIBLE = 1e-18;

export class LiteralRankMassOrder extends HeapOrder {
  readonly name = "rankmass:literal";

  /** All are hot: of a downloaded page the heap may have another key than its own, because it was trusted late. */
  constructor(options: HeapOptions) {
    super({ ...options, hotMin: Number.POSITIVE_INFINITY });
  }

  next(): number {
    for (;;) {
      const page = this.heap.pop();
      if (page < 0) return -1;
      if (this.isWaiting(page)) return this.handOut(page);
      this.#push(page);
    }
  }

  protected override fetched(page: number): void {
    this.#push(page);
  }

  protected override replenished(page: number): void {
    this.#raise(page);
  }

  #push(page: number): void {
    const ledger = this.ledger;
    ledger.push(page);
    if (ledger.state[page] !== PageState.Downloaded) return;
    const { targets, start, end } = ledger.links.row(page);
    for (let k = start; k < end; k++) this.#raise(ledger.resolve(targets[k]));
  }

  #raise(page: number): void {
    const mass = this.ledger.waiting[page];
    if (this.isWaiting(page)) this.heap.raise(page, mass);
    else if (mass > NEGLIGIBLE && this.isSettling(page)) this.heap.raise(page, mass);
  }
}
