/**
 * OPIC as a crawl order (Abiteboul, Preda, Cobena: Computing web page importance without storing the graph of the web),
 * page choice GREEDY: the page with the most cash is fetched next and hands on all of it, undamped. Cash sent to a
 * downloaded page stays there, and a page without links keeps its own.
 */
import { ScoreOrder } from "./score-order.ts";

export class OpicOrder extends ScoreOrder {
  readonly name = "opic";

  protected override scoreOfTrust(weight: number): number {
    return weight;
  }

  protected override scoreOfReceived(mass: number): number {
    return mass;
  }

  protected override handOn(page: number, score: number): void {
    this.creditLinks(page, score / this.linkCount(page));
  }
}
