/**
 * Numbers entries by their 64-bit fingerprints, from 0 without gaps, in order of arrival: a set of millions of URLs
 * without their text. Open addressing with linear probing; the fingerprints are in arrays of their own.
 *
 * Memory per entry: 8 bytes for its fingerprint and 5 to 11 for its slot. Two of n entries share a fingerprint with
 * probability n^2 / 2^65: one in four hundred thousand for ten million.
 */
import { assert } from "./errors.ts";
import { capacityFor, enlarged } from "./collections.ts";

/** The share of slots in use, at most: beyond it probing takes long. */
const LOAD_MAX = 0.75;

export class FingerprintTable {
  #high: Uint32Array;
  #low: Uint32Array;
  /** Number of an entry plus one; 0 for a free slot. */
  #slots: Uint32Array;
  #size = 0;

  constructor(capacity = 1024) {
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#slots = new Uint32Array(slotsFor(capacity));
  }

  get size(): number {
    return this.#size;
  }

  /** Makes room for this many entries at once. */
  reserve(capacity: number): void {
    if (capacity <= this.#high.length) return;
    this.#high = enlarged(this.#high, capacity);
    this.#low = enlarged(this.#low, capacity);
    const slots = slotsFor(capacity);
    if (slots > this.#slots.length) this.#resizeSlots(slots);
  }

  /** The number of an entry; -1 if it is unknown. */
  find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] - 1;
      if (number < 0) return -1;
      if (this.#low[number] === low && this.#high[number] === high) return number;
    }
  }

  /** The halves of the fingerprint of an entry. */
  fingerprintOf(number: number): readonly [high: number, low: number] {
    return [this.#high[number], this.#low[number]];
  }

  /** Adds an entry that is not in the table yet, and returns its number. */
  add(high: number, low: number): number {
    const number = this.#size++;
    assert(number < 2 ** 32 - 1, "fewer than 2^32 entries");
    if (number === this.#high.length) this.#growArrays();
    this.#high[number] = high;
    this.#low[number] = low;
    if (this.#size > LOAD_MAX * this.#slots.length) this.#resizeSlots(2 * this.#slots.length);
    else this.#place(number);
    return number;
  }

  #growArrays(): void {
    const capacity = capacityFor(this.#size, this.#high.length);
    this.#high = enlarged(this.#high, capacity);
    this.#low = enlarged(this.#low, capacity);
  }

  #resizeSlots(slots: number): void {
    this.#slots = new Uint32Array(slots);
    for (let number = 0; number < this.#size; number++) this.#place(number);
  }

  #place(number: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = this.#low[number] & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
  }
}

function slotsFor(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(16, capacity / LOAD_MAX)));
}
