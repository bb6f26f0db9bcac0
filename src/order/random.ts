/** A baseline: fetches any waiting page with equal chance, from a seed. */
import { RandomSet } from "../base/index.ts";
import type { OrderContext } from "./contract.ts";
import { type PagePool, ScoreOrder } from "./score-order.ts";

export class RandomOrder extends ScoreOrder {
  readonly name: string;

  constructor(context: OrderContext, seed: number) {
    super(context, new RandomPool(context.pages, seed));
    this.name = `random:${seed}`;
  }

  protected override scoreOfTrust(): number {
    return 0;
  }

  protected override handOn(page: number): void {
    this.creditLinks(page, 0);
  }
}

/** Waiting pages in no order. */
class RandomPool extends RandomSet implements PagePool {
  readonly topKey = 0;

  pop(): number {
    const page = this.draw();
    if (page >= 0) this.remove(page);
    return page;
  }

  key(): number {
    return 0;
  }
}
