/**
 * FPR and FPR@M (Alam, Ha, Sim, Lee: The impact of inter-host links in crawling important pages early, Algorithms 1 and
 * 2).
 *
 * The fractional rank of a page is the mass that reached it from pages downloaded before it. The page with the greatest
 * is fetched next and hands on d times its rank. Mass sent to a downloaded page is dropped, which makes the order
 * cheap: each arc is used once. In FPR@M a link to another host carries M times what a link inside the host carries,
 * divided by the weight of all out-links of the page, including those to downloaded pages. FPR@1 is FPR.
 */
import { UsageError } from "../base/index.ts";
import type { OrderContext } from "./contract.ts";
import { ScoreOrder } from "./score-order.ts";

export class FprOrder extends ScoreOrder {
  readonly name: string = "fpr";

  protected override scoreOfTrust(weight: number): number {
    return (1 - this.context.damping) * weight;
  }

  protected override scoreOfReceived(mass: number): number {
    return mass;
  }

  protected override handOn(page: number, score: number): void {
    this.creditLinks(page, (this.context.damping * score) / this.linkCount(page));
  }
}

export class WeightedFprOrder extends FprOrder {
  override readonly name: string;
  readonly #weight: number;
  readonly #hostOf: (page: number) => number;

  constructor(context: OrderContext, weight: number) {
    super(context);
    if (context.hostOf === undefined) {
      throw new UsageError(
        `fpr@${weight} needs the host of every page, which comes from its URL; without URLs use fpr.`,
      );
    }
    this.name = `fpr@${weight}`;
    this.#weight = weight;
    this.#hostOf = context.hostOf;
  }

  protected override handOn(page: number, score: number): void {
    const { links, damping } = this.context;
    const { targets, start, end } = links.row(page);
    const host = this.#hostOf(page);
    let weights = 0;
    for (let k = start; k < end; k++) weights += this.#hostOf(targets[k]) === host ? 1 : this.#weight;
    const share = (damping * score) / weights;
    this.pushes += end - start;
    for (let k = start; k < end; k++) {
      const target = targets[k];
      this.credit(target, this.#hostOf(target) === host ? share : share * this.#weight);
    }
  }
}
