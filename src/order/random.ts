/** The baseline that fetches any waiting page with equal chance, by a seed. */
import { enlarged, Random } from "../base/index.ts";
import type { OrderContext } from "./contract.ts";
import { type PagePool, ScoreOrder } from "./score-order.ts";

export class RandomOrder extends ScoreOrder {
  readonly name: string;

  constructor(context: OrderContext, seed: number) {
    super(context, new RandomPool(context.pages, new Random(seed)));
    this.name = `random:${seed}`;
  }

  protected override scoreOfTrust(): number {
    return 0;
  }

  protected override handOn(page: number): void {
    this.creditLinks(page, 0);
  }
}

/** Waiting pages side by side in no order: a page is taken out by moving the last one into its place. */
class RandomPool implements PagePool {
  readonly topKey = 0;
  readonly #random: Random;
  #pages: Uint32Array;
  /** Place among the pages plus one; 0 for a page that is not here. */
  #places: Uint32Array;
  #size = 0;

  constructor(capacity: number, random: Random) {
    this.#random = random;
    this.#pages = new Uint32Array(capacity);
    this.#places = new Uint32Array(capacity);
  }

  add(page: number): void {
    if (this.#places[page] !== 0) return;
    this.#pages[this.#size++] = page;
    this.#places[page] = this.#size;
  }

  pop(): number {
    if (this.#size === 0) return -1;
    const page = this.#pages[this.#random.below(this.#size)];
    this.remove(page);
    return page;
  }

  remove(page: number): void {
    const place = this.#places[page];
    if (place === 0) return;
    const last = this.#pages[--this.#size];
    this.#pages[place - 1] = last;
    this.#places[last] = place;
    this.#places[page] = 0;
  }

  key(): number {
    return 0;
  }

  grow(capacity: number): void {
    if (capacity <= this.#pages.length) return;
    this.#pages = enlarged(this.#pages, capacity);
    this.#places = enlarged(this.#places, capacity);
  }
}
