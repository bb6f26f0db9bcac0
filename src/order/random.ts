/** The baseline that fetches any waiting page with equal chance, by a seed. */
import { Random } from "../base/index.ts";
import type { OrderContext } from "./contract.ts";
import { type PagePool, ScoreOrder } from "./score-order.ts";

export class RandomOrder extends ScoreOrder {
  readonly name: string;

  constructor(context: OrderContext, seed: number) {
    super(context, new RandomPool(new Random(seed)));
    this.name = `random:${seed}`;
  }

  protected override scoreOfTrust(): number {
    return 0;
  }

  protected override handOn(page: number): void {
    this.creditLinks(page, 0);
  }
}

class RandomPool implements PagePool {
  readonly topKey = 0;
  readonly #random: Random;
  readonly #pages: number[] = [];
  readonly #places = new Map<number, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  add(page: number): void {
    if (this.#places.has(page)) return;
    this.#places.set(page, this.#pages.length);
    this.#pages.push(page);
  }

  pop(): number {
    if (this.#pages.length === 0) return -1;
    const page = this.#pages[this.#random.below(this.#pages.length)]!;
    this.remove(page);
    return page;
  }

  remove(page: number): void {
    const place = this.#places.get(page);
    if (place === undefined) return;
    this.#places.delete(page);
    const last = this.#pages.pop()!;
    if (last === page) return;
    this.#pages[place] = last;
    this.#places.set(last, place);
  }

  key(): number {
    return 0;
  }

  grow(): void {}
}
