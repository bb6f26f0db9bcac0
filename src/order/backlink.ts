/** A baseline: fetches the page with the most in-links seen so far (Cho, Garcia-Molina, Page 1998). */
import { ScoreOrder } from "./score-order.ts";

export class BacklinkOrder extends ScoreOrder {
  readonly name = "backlink";

  protected override scoreOfTrust(): number {
    return 0;
  }

  protected override handOn(page: number): void {
    this.creditLinks(page, 1);
  }
}
