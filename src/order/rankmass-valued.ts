/**
 * RankMass for pages of different value (C10): what waits on a page counts as much as the page is expected to be worth
 * (`expected-values.ts`), by the values of the pages that were downloaded so far. Where no page has a value it is
 * `rankmass`.
 *
 * It finds pages of value sooner. A proof that nothing is missing takes as long or longer, since unseen pages count
 * fully there, whatever is expected of them: docs/benchmarks.md has the figures. The ledger knows nothing of values, so
 * the order's own guarantee is that of importance.
 *
 * Estimates change with the facts alone, not when pages are handed out or put back, so a crawl can be replayed from its
 * log.
 */
import type { OrderContext } from "./contract.ts";
import { ExpectedValues } from "./expected-values.ts";
import type { HeapOptions } from "./ledger-order.ts";
import { RankMassOrder } from "./rankmass.ts";

export class ValuedRankMassOrder extends RankMassOrder {
  override readonly name = "rankmass:valued";
  readonly #expected: ExpectedValues;
  /** Values of pages that are not downloaded yet. */
  readonly #told = new Map<number, number>();

  constructor(options: HeapOptions & Pick<OrderContext, "hostOf">) {
    super(options);
    this.#expected = new ExpectedValues(options.pages, options.hostOf);
  }

  valued(page: number, value: number): void {
    this.#told.set(page, value);
  }

  override grow(pages: number): void {
    super.grow(pages);
    this.#expected.grow(this.ledger.pages);
  }

  protected override keyOf(page: number, mass: number): number {
    return mass * this.#expected.of(page);
  }

  protected override fetched(page: number): void {
    const value = this.#told.get(page);
    if (value !== undefined) this.#learn(page, value);
    super.fetched(page);
  }

  #learn(page: number, value: number): void {
    const { links, waiting } = this.ledger;
    const { targets, start, end } = links.row(page);
    this.#told.delete(page);
    for (let k = start; k < end; k++) {
      const target = this.ledger.resolve(targets[k]);
      this.#expected.linked(target, value);
      if (this.heap.has(target)) this.heap.change(target, this.keyOf(target, waiting[target]));
    }
    if (this.#expected.learn(page, value)) this.heap.changeAll();
  }
}
