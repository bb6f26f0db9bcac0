/** Which page OPIC reads next (OPIC, section 2). All choices read every page again and again. */
import { assert, enlarged, IndexedHeap, RandomSet, UsageError } from "../base/index.ts";

export const OPIC_CHOICES = ["greedy", "random", "cycle"] as const;
/** How OPIC chooses the page to read next: the one with the most cash, any with equal chance, or one after another. */
export type OpicChoice = (typeof OPIC_CHOICES)[number];

export interface PageChoice {
  grow(pages: number): void;
  /** A page may be chosen from now on, by this key; or its key has risen to this. */
  raise(page: number, key: number): void;
  remove(page: number): void;
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

class Greedy extends IndexedHeap implements PageChoice {
  next(): number {
    const key = this.topKey;
    const page = this.pop();
    this.raise(page, key);
    return page;
  }
}

class AnyPage extends RandomSet implements PageChoice {
  raise(page: number): void {
    this.add(page);
  }

  next(): number {
    return this.draw();
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

  raise(page: number): void {
    this.#isMember[page] = 1;
  }

  remove(page: number): void {
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
