/**
 * An account for each of some pages, of which there are more and more: 3 bits per page tell which have one and where it
 * is, and an account takes 8 bytes. For every 32 pages there is a word of bits, and the number of accounts before them;
 * so the account of a page is found by counting the bits before its own, in the order of page ids.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import type { LinkRow } from "../graph/index.ts";

/** What `slotOf` says of a page without an account. */
export const NO_SLOT = -1;

export class PageAccounts {
  /** What is in each account, by its slot. */
  values = new Float64Array(64);
  /** How many accounts there are. */
  count = 0;
  /** Per 32 pages, one after the other: their bits, and the number of accounts before them. */
  #words = new Uint32Array(2);
  /** The bits of all pages that are to have an account. */
  #chosen = new Uint32Array(1);

  /** From the next `open` on, the page has an account. */
  choose(page: number): void {
    const word = page >>> 5;
    if (word >= this.#chosen.length) this.#chosen = enlarged(this.#chosen, capacityFor(word + 1, this.#chosen.length));
    this.#chosen[word] |= 1 << (page & 31);
  }

  /** Opens an account for every page that was chosen; all are empty. All ids are below `pages`. */
  open(pages: number): void {
    const length = (pages + 31) >>> 5;
    if (length > this.#chosen.length) this.#chosen = enlarged(this.#chosen, length);
    const chosen = this.#chosen;
    if (this.#words.length < 2 * chosen.length) this.#words = new Uint32Array(2 * chosen.length);
    const words = this.#words;
    let count = 0;
    for (let word = 0; word < chosen.length; word++) {
      words[2 * word] = chosen[word];
      words[2 * word + 1] = count;
      count += bitCount(chosen[word]);
    }
    if (count > this.values.length) this.values = new Float64Array(capacityFor(count, this.values.length));
    else this.values.fill(0, 0, count);
    this.count = count;
  }

  slotOf(page: number): number {
    const at = (page >>> 5) << 1;
    if (at >= this.#words.length) return NO_SLOT;
    const bits = this.#words[at];
    return (bits & (1 << (page & 31))) === 0 ? NO_SLOT : this.#words[at + 1] + bitCount(bits & ~(-1 << (page & 31)));
  }

  /** What is in the account of a page; 0 if it has none. */
  get(page: number): number {
    const slot = this.slotOf(page);
    return slot === NO_SLOT ? 0 : this.values[slot];
  }

  /** Adds to the account of a page, if it has one. */
  add(page: number, amount: number): void {
    const slot = this.slotOf(page);
    if (slot !== NO_SLOT) this.values[slot] += amount;
  }

  /** Adds the same to the account of each page that is linked to and has one. */
  spread({ targets, start, end }: LinkRow, amount: number): void {
    const words = this.#words;
    const { values } = this;
    for (let k = start; k < end; k++) {
      const page = targets[k];
      const at = (page >>> 5) << 1;
      const bits = words[at];
      if ((bits & (1 << (page & 31))) === 0) continue;
      values[words[at + 1] + bitCount(bits & ~(-1 << (page & 31)))] += amount;
    }
  }

  /** Writes down the slots of pages that are linked to, of those that have an account, and returns where they end. */
  writeSlots({ targets, start, end }: LinkRow, into: Uint32Array, from: number): number {
    const words = this.#words;
    let to = from;
    for (let k = start; k < end; k++) {
      const page = targets[k];
      const at = (page >>> 5) << 1;
      const bits = words[at];
      if ((bits & (1 << (page & 31))) === 0) continue;
      into[to++] = words[at + 1] + bitCount(bits & ~(-1 << (page & 31)));
    }
    return to;
  }

  /** Visits all pages that have an account, in ascending order. */
  forEach(visit: (page: number, value: number) => void): void {
    const words = this.#words;
    for (let at = 0, slot = 0; slot < this.count; at += 2) {
      for (let bits = words[at]; bits !== 0; bits &= bits - 1) {
        visit(16 * at + 31 - Math.clz32(bits & -bits), this.values[slot++]);
      }
    }
  }
}

/** The number of bits of a word of 32: pairs, fours and bytes are added up side by side. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
