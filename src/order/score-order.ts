/**
 * Orders that give each waiting page a score and fetch the greatest first. The score of a page grows until the page is
 * handed out. It is then handed on to the page's links, and dropped if a target was already taken (FPR, Algorithm 1).
 */
import { assert, capacityFor, enlarged, IndexedHeap } from "../base/index.ts";
import { ReceivedTotals, Redirects } from "../coverage/index.ts";
import type { CrawlOrder, OrderContext } from "./contract.ts";

/** Where pages wait until one is chosen: a heap, or something that chooses in another way. */
export interface PagePool {
  readonly topKey: number;
  add(page: number, score: number): void;
  pop(): number;
  remove(page: number): void;
  key(page: number): number;
  grow(capacity: number): void;
}

const TAKEN = 1;
const REDIRECTED = 2;
const IN_FLIGHT = 3;

export abstract class ScoreOrder implements CrawlOrder {
  abstract readonly name: string;
  pushes = 0;
  protected readonly context: OrderContext;
  readonly #waiting: PagePool;
  readonly #redirects = new Redirects();
  readonly #received = new ReceivedTotals();
  /** 0 for pages that may wait; `TAKEN` or `REDIRECTED` for pages that never wait again; or `IN_FLIGHT`. */
  #gone: Uint8Array;
  /** Scores of pages in flight. */
  readonly #inFlight = new Map<number, number>();

  constructor(context: OrderContext, pool: PagePool = new IndexedHeap(context.pages)) {
    this.context = context;
    this.#waiting = pool;
    this.#gone = new Uint8Array(context.pages);
  }

  /** The initial score of a trusted page. */
  protected abstract scoreOfTrust(weight: number): number;
  /** The score of what arrived from pages of another process; orders that count something else ignore it. */
  protected scoreOfReceived(_mass: number): number {
    return 0;
  }
  /** Hands the score of a downloaded page on to its links, with `credit`. */
  protected abstract handOn(page: number, score: number): void;

  protected credit(page: number, score: number): void {
    const end = this.#gone[page] === REDIRECTED ? this.#redirects.resolve(page) : page;
    if (this.#gone[end] === 0) this.#waiting.add(end, score);
    else if (this.#gone[end] === IN_FLIGHT) this.#inFlight.set(end, this.#inFlight.get(end)! + score);
  }

  /** Adds the same amount to the score of every page that this one links to. */
  protected creditLinks(page: number, each: number): void {
    const { targets, start, end } = this.context.links.row(page);
    this.pushes += end - start;
    for (let k = start; k < end; k++) this.credit(targets[k], each);
  }

  protected linkCount(page: number): number {
    return Math.max(0, this.context.links.count(page));
  }

  next(): number {
    const score = this.#waiting.topKey;
    const page = this.#waiting.pop();
    if (page >= 0) {
      this.#gone[page] = IN_FLIGHT;
      this.#inFlight.set(page, score);
    }
    return page;
  }

  putBack(page: number): void {
    assert(this.#gone[page] === IN_FLIGHT, "only a page that was handed out is put back");
    this.#gone[page] = 0;
    this.#waiting.add(page, this.#inFlight.get(page)!);
    this.#inFlight.delete(page);
  }

  guaranteed(): null {
    return null;
  }

  grow(pages: number): void {
    if (pages <= this.#gone.length) return;
    const capacity = capacityFor(pages, this.#gone.length);
    this.#gone = enlarged(this.#gone, capacity);
    this.#waiting.grow(capacity);
  }

  known(page: number): void {
    this.credit(page, 0);
  }

  trusted(page: number, weight: number): void {
    this.credit(page, this.scoreOfTrust(weight));
  }

  received(page: number, sender: number, total: number): void {
    this.credit(page, this.scoreOfReceived(this.#received.raise(page, sender, total)));
  }

  downloaded(page: number): void {
    this.handOn(page, this.#close(page));
  }

  linksUnknown(page: number): void {
    this.handOn(page, this.#close(page));
  }

  dead(page: number): void {
    this.#close(page);
  }

  refused(page: number): void {
    this.#close(page);
  }

  redirected(page: number, target: number): void {
    const score = this.#close(page);
    if (!this.#redirects.add(page, target)) return;
    this.#gone[page] = REDIRECTED;
    this.credit(page, score);
  }

  /** Removes a page for good and returns its score. */
  #close(page: number): number {
    const score = this.#inFlight.get(page) ?? this.#waiting.key(page);
    this.#inFlight.delete(page);
    this.#waiting.remove(page);
    this.#gone[page] = TAKEN;
    return score;
  }
}
