/**
 * Numbers of URLs in the log of a shard, found by their numbers in the engine: counted from 0 in the order in which
 * they were added. Open addressing with linear probing. Memory: 9 to 15 bytes per entry.
 */
import { capacityFor, enlarged, mix32 } from "../base/index.ts";

const LOAD_MAX = 0.75;

export class NumberTable {
  #ids = new Uint32Array(64);
  /** Number of an entry plus one; 0 for a free slot. */
  #slots = new Uint32Array(128);
  size = 0;

  /** -1 if it was not added. */
  find(id: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = mix32(id) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1;
      if (number < 0 || this.#ids[number] === id) return number;
    }
  }

  /** The next number is that of this one, which must not have been added before. */
  add(id: number): number {
    const number = this.size++;
    if (number === this.#ids.length) this.#ids = enlarged(this.#ids, capacityFor(number + 1, number));
    this.#ids[number] = id;
    if (this.size <= LOAD_MAX * this.#slots.length) this.#place(number);
    else {
      this.#slots = new Uint32Array(2 * this.#slots.length);
      for (let each = 0; each < this.size; each++) this.#place(each);
    }
    return number;
  }

  idOf(number: number): number {
    return this.#ids[number];
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = mix32(this.#ids[number]) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }
}
