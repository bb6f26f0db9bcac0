/**
 * RankMass with a cheap virtual crawl: the default order (Cho, Schonfeld: RankMass Crawler, Figure 5).
 *
 * The page not downloaded on which the most probability waits is fetched next. Between two downloads, the paper hands
 * on everything larger than that ("virtual crawl"). Here a downloaded page is pushed again only if it pays off: what
 * waits there, divided by the square root of its number of links, must be worth as much as the pages now being fetched.
 * A page of a hundred links costs a hundred updates and brings each target a hundredth; the square root balances that
 * cost and the benefit. On cnr-2000, for the same number of downloads, this needs a third of the updates of the paper's
 * rule and chooses pages as well: the exact certificate (which a `CoverageWatch` computes) reaches 0.98 within 0.1% of
 * the downloads of a crawl that pushes everything before each download.
 *
 * The threshold depends only on the facts, not on when `next` was called, so a crawl can be replayed from its log.
 * Pages below the threshold are reviewed each time it has fallen by half.
 *
 * Cost: 14 bytes per page; 4 less once the ledger is rounded, and 4 less beyond 4 million pages; more while it is hot
 * (base/cold-heap.ts); a few microseconds per download while pages are worth proving, and up to 25 sweeps over all
 * links if the whole web is crawled to its last page.
 */
import { IntQueue } from "../base/index.ts";
import { PageState } from "../coverage/index.ts";
import { HeapOrder, MARK } from "./ledger-order.ts";

/** How fast the level of "pages now being fetched" may fall: a single odd page must not lower it. */
const FALL = 1 / 16;
/** How much must wait on a downloaded page of one link to make a push worth it, as a share of that level. */
const WORTH = 0.3;
/** Less than this is never worth a push, however little waits on the pages now being fetched. */
const NEGLIGIBLE = 1e-15;

export class RankMassOrder extends HeapOrder {
  readonly name: string = "rankmass";
  readonly #toPush = new IntQueue();
  #threshold = 0;
  #lastReview = Number.POSITIVE_INFINITY;

  next(): number {
    const page = this.heap.pop();
    return page < 0 ? -1 : this.handOut(page);
  }

  protected override fetched(page: number): void {
    const { links, waiting } = this.ledger;
    this.#threshold = Math.max(waiting[page], (1 - FALL) * this.#threshold, NEGLIGIBLE);
    this.marks[page] = Math.min(MANY, 1 + Math.max(0, links.count(page)));
    this.#enqueue(page);
    if (this.#threshold < this.#lastReview / 2) this.#review();
    this.#pushAll();
  }

  protected override replenished(page: number): void {
    this.#consider(page);
    this.#pushAll();
  }

  #pushAll(): void {
    while (this.#toPush.size > 0) this.#push(this.#toPush.shift());
  }

  #enqueue(page: number): void {
    this.marks[page] |= MARK;
    this.#toPush.push(page);
  }

  /** Reviews every page: what was not worth a push may be worth it now. */
  #review(): void {
    this.#lastReview = this.#threshold;
    const { finalPages, finalCount } = this.ledger;
    for (let k = 0; k < finalCount; k++) this.#consider(finalPages[k]);
  }

  #consider(page: number): void {
    const mass = this.ledger.waiting[page];
    if (mass >= this.#threshold * EFFORTS[this.marks[page]]) this.#considerLinks(page, mass);
  }

  /** A byte does not tell how many links a page has that has many. */
  #considerLinks(page: number, mass: number): void {
    const { links } = this.ledger;
    const isWorth = this.marks[page] < MANY || mass >= this.#threshold * effort(links.count(page));
    if (isWorth) this.#enqueue(page);
  }

  /** The hot loop: pushes a page, then updates every page that received some of it. */
  #push(page: number): void {
    this.marks[page] &= ~MARK;
    const ledger = this.ledger;
    ledger.push(page);
    const { state, waiting, links } = ledger;
    if (state[page] !== PageState.Downloaded) return;
    const { targets, start, end } = links.row(page);
    const { marks } = this;
    const threshold = this.#threshold;
    for (let k = start; k < end; k++) {
      let target = targets[k];
      if (state[target] === PageState.Redirected) target = ledger.resolve(target);
      const mass = waiting[target];
      if (state[target] === PageState.Downloaded) {
        if (mass >= threshold * EFFORTS[marks[target]]) this.#considerLinks(target, mass);
      } else if (this.isWaiting(target)) {
        this.heap.raise(target, this.keyOf(target, mass));
      }
    }
  }
}

function effort(links: number): number {
  return Math.fround(WORTH * Math.sqrt(Math.max(1, links)));
}

/** From here on, a mark does not tell how many. */
const MANY = 127;
/**
 * What must wait on a final page, as a share of the threshold, by its mark: one more than the number of its links where
 * these are known, and nothing for dead pages. A page that is queued, with `MARK`, is not queued again.
 */
const EFFORTS = Float64Array.from({ length: 2 * MARK }, (_, mark) => {
  if (mark >= MARK) return Number.POSITIVE_INFINITY;
  return mark === 0 ? 0 : effort(Math.min(mark, MANY) - 1);
});
