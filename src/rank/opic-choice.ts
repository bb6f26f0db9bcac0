/**
 * Which page OPIC reads next (OPIC, section 2): GREEDY takes the one with the most cash, RANDOM any with equal chance,
 * CYCLE one after another in order of ids. All of them read every page again and again.
 */
import { assert, enlarged, IndexedHeap, RandomSet, UsageError } from "../base/index.ts";

export const OPIC_CHOICES = ["greedy", "random", "cycle"] as const;
/** How OPIC chooses the page to read next: the one with the most cash, any with equal chance, or one after another. */
export type OpicChoice = (typeof OPIC_CHOICES)[number];

export interface PageChoice {
  grow(pages: number): void;
  /** A page may be chosen from now on, by this key. */
  enter(page: number, key: number): void;
  /** The key of a page that may be chosen has risen. */
  rise(page: number, key: number): void;
  leave(page: number): void;
  /** A page that may be chosen, and stays so. */
  next(): number;
}

export function createChoice(choice: OpicChoice, pages: number, seed: number): PageChoice {
  switch (choice) {
    case "greedy":
      return new Greedy(pages);
    case "random":
      return new AnyPage(pages, seed);
    case "cycle":
      return new Cycle(pages);
    default:
      throw new UsageError(`unknown page choice "${String(choice)}", expected one of ${OPIC_CHOICES.join(", ")}`);
  }
}

class Greedy implements PageChoice {
  readonly #heap: IndexedHeap;

  constructor(pages: number) {
    this.#heap = new IndexedHeap(pages);
  }

  grow(pages: number): void {
    this.#heap.grow(pages);
  }

  enter(page: number, key: number): void {
    this.#heap.raise(page, key);
  }

  rise(page: number, key: number): void {
    this.#heap.raise(page, key);
  }

  leave(page: number): void {
    this.#heap.remove(page);
  }

  next(): number {
    const key = this.#heap.topKey;
    const page = this.#heap.pop();
    this.#heap.raise(page, key);
    return page;
  }
}

class AnyPage implements PageChoice {
  readonly #pages: RandomSet;

  constructor(pages: number, seed: number) {
    this.#pages = new RandomSet(pages, seed);
  }

  grow(pages: number): void {
    this.#pages.grow(pages);
  }

  enter(page: number): void {
    this.#pages.add(page);
  }

  rise(): void {
    // Cash makes no difference.
  }

  leave(page: number): void {
    this.#pages.remove(page);
  }

  next(): number {
    return this.#pages.draw();
  }
}

class Cycle implements PageChoice {
  #isMember: Uint8Array;
  #last = -1;

  constructor(pages: number) {
    this.#isMember = new Uint8Array(pages);
  }

  grow(pages: number): void {
    this.#isMember = enlarged(this.#isMember, pages);
  }

  enter(page: number): void {
    this.#isMember[page] = 1;
  }

  rise(): void {
    // Cash makes no difference.
  }

  leave(page: number): void {
    this.#isMember[page] = 0;
  }

  next(): number {
    const pages = this.#isMember.length;
    for (let step = 1; step <= pages; step++) {
      const page = (this.#last + step) % pages;
      if (this.#isMember[page] > 0) {
        this.#last = page;
        return page;
      }
    }
    assert(false, "some page may be chosen");
    return -1;
  }
}
