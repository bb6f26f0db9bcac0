/**
 * The greatest total that was seen for each page and sender: a hash table with open addressing on typed arrays,
 * because workers receive a total for every few links.
 *
 * Cost: 16 bytes per slot, and at most three quarters of the slots are taken.
 */

const SLOTS_LEAST = 64;
const LOAD_MAX = 0.75;

export class PairTotals {
  /** Slot k holds the greatest total of a page and a sender; a total of 0 marks a free slot. */
  #pages = new Uint32Array(SLOTS_LEAST);
  #senders = new Uint32Array(SLOTS_LEAST);
  #totals = new Float64Array(SLOTS_LEAST);
  #used = 0;

  /** Takes a total and returns by how much it exceeds the greatest so far: 0 if it does not. */
  raise(page: number, sender: number, total: number): number {
    const slot = this.#slotOf(page, sender);
    const before = this.#totals[slot];
    if (!(total > before)) return 0;
    this.#totals[slot] = total;
    if (before === 0) {
      this.#pages[slot] = page;
      this.#senders[slot] = sender;
      this.#used++;
      if (this.#used > LOAD_MAX * this.#totals.length) this.#enlarge();
    }
    return total - before;
  }

  forEach(visit: (page: number, total: number) => void): void {
    for (let slot = 0; slot < this.#totals.length; slot++) {
      if (this.#totals[slot] > 0) visit(this.#pages[slot], this.#totals[slot]);
    }
  }

  copyFrom(other: PairTotals): void {
    this.#pages = other.#pages.slice();
    this.#senders = other.#senders.slice();
    this.#totals = other.#totals.slice();
    this.#used = other.#used;
  }

  /** Where the pair is, or the free slot where it belongs. */
  #slotOf(page: number, sender: number): number {
    const pages = this.#pages;
    const mask = pages.length - 1;
    let slot = hashOf(page, sender) & mask;
    while (this.#totals[slot] !== 0 && (pages[slot] !== page || this.#senders[slot] !== sender)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #enlarge(): void {
    const [pages, senders, totals] = [this.#pages, this.#senders, this.#totals];
    const slots = 2 * totals.length;
    this.#pages = new Uint32Array(slots);
    this.#senders = new Uint32Array(slots);
    this.#totals = new Float64Array(slots);
    for (let k = 0; k < totals.length; k++) {
      if (totals[k] === 0) continue;
      const slot = this.#slotOf(pages[k], senders[k]);
      this.#pages[slot] = pages[k];
      this.#senders[slot] = senders[k];
      this.#totals[slot] = totals[k];
    }
  }
}

/** Multiplication spreads neighbouring numbers; the high bits are the best mixed, so they are folded into the low. */
function hashOf(page: number, sender: number): number {
  const mixed = Math.imul(page ^ Math.imul(sender + 1, 0x85ebca6b), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
