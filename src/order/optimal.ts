/** The oracle of the papers' figures, for simulations: it knows all true ranks, and fetches the highest first. */
import { UsageError } from "../base/index.ts";
import { topPages } from "../rank/index.ts";
import type { CrawlOrder, OrderContext } from "./contract.ts";

export class OptimalOrder implements CrawlOrder {
  readonly name = "optimal";
  readonly pushes = 0;
  readonly #ranking: Uint32Array;
  readonly #ranks: Float64Array;
  #place = 0;
  readonly #returned: number[] = [];

  constructor(context: OrderContext) {
    const ranks = context.trueRanks;
    if (ranks === undefined) {
      throw new UsageError(
        "the order optimal needs the true rank of every page, which only a simulation knows. Use rankmass to crawl.",
      );
    }
    this.#ranking = ranks.length === 0 ? new Uint32Array(0) : topPages(ranks, ranks.length);
    this.#ranks = ranks;
  }

  next(): number {
    const returned = this.#returned.shift();
    if (returned !== undefined) return returned;
    // Pages of rank 0 are unreachable.
    const page = this.#ranking[this.#place];
    if (!(this.#ranks[page] > 0)) return -1;
    this.#place++;
    return page;
  }

  putBack(page: number): void {
    this.#returned.push(page);
  }

  guaranteed(): null {
    return null;
  }

  // It knows everything already.
  grow(): void {}
  known(): void {}
  trusted(): void {}
  downloaded(): void {}
  linksUnknown(): void {}
  dead(): void {}
  refused(): void {}
  redirected(): void {}
  received(): void {}
}
