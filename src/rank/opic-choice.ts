/**
 * Which page OPIC reads next (OPIC, section 2): GREEDY the one with the most cash, RANDOM any with equal chance, CYCLE one after the
 * other in the order of ids. All of them read every page again and again.
 */
import { IndexedHeap, Random, UsageError, assert, enlarged } from "../base/index.ts";

export const OPIC_CHOICES = ["greedy", "random", "cycle"] as const;
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
      throw new UsageError(
        `unknown page choice "${String(choice)}", expected one of ${OPIC_CHOICES.join(", ")}`,
      );
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

/** Pages that may be chosen, without gaps: a page that leaves is replaced by the last. */
class AnyPage implements PageChoice {
  readonly #random: Random;
  #members: Uint32Array;
  /** Place among the members plus one; 0 for a page that may not be chosen. */
  #places: Uint32Array;
  #size = 0;

  constructor(pages: number, seed: number) {
    this.#random = new Random(seed);
    this.#members = new Uint32Array(pages);
    this.#places = new Uint32Array(pages);
  }

  grow(pages: number): void {
    this.#members = enlarged(this.#members, pages);
    this.#places = enlarged(this.#places, pages);
  }

  enter(page: number): void {
    if (this.#places[page] > 0) return;
    this.#members[this.#size] = page;
    this.#places[page] = ++this.#size;
  }

  rise(): void {
    // Cash makes no difference.
  }

  leave(page: number): void {
    const place = this.#places[page];
    if (place === 0) return;
    const last = this.#members[--this.#size];
    this.#members[place - 1] = last;
    this.#places[last] = place;
    this.#places[page] = 0;
  }

  next(): number {
    return this.#members[this.#random.below(this.#size)];
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
