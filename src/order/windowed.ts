/**
 * Windowed RankMass (Cho, Schonfeld: RankMass Crawler, Figure 6): the best w% of the waiting pages are downloaded as a
 * batch, then every downloaded page is pushed once, in order of download.
 *
 * The guarantee is the bound of the ledger at the end of the last round. At 100% the batches are the levels of
 * `lneighbor`.
 */
import { type HeapOptions, HeapOrder } from "./ledger-order.ts";

export class WindowedOrder extends HeapOrder {
  readonly name: string;
  /** Batches begun so far. */
  rounds = 0;
  readonly #percent: number;
  /** How many pages of the current round are still to be handed out. */
  #left = 0;
  #guaranteed = 0;

  constructor(options: HeapOptions & { readonly percent: number }) {
    super(options);
    this.name = `windowed:${options.percent}`;
    this.#percent = options.percent;
  }

  next(): number {
    if (this.#left === 0 || this.heap.size === 0) this.#startRound();
    const page = this.heap.pop();
    if (page < 0) return -1;
    this.#left--;
    return this.handOut(page);
  }

  override guaranteed(): number {
    return this.#guaranteed;
  }

  protected override returned(page: number): void {
    this.#left++;
    this.opened(page);
  }

  protected override fetched(): void {}

  #startRound(): void {
    this.propagateOnce();
    this.#guaranteed = Math.max(this.#guaranteed, this.ledger.bound());
    this.#left = Math.ceil((this.#percent * this.heap.size) / 100);
    if (this.#left > 0) this.rounds++;
  }
}
