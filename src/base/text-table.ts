/**
 * Texts, numbered in the order in which they were added, and found again: the UTF-8 of all of them in one array, one
 * after the other, and a hash table of their numbers with open addressing. For many short texts that are seldom needed
 * as strings: a `Map` of strings takes a hundred bytes for each besides the string, which keeps what it was cut from.
 *
 * Two texts are the same if they have the same UTF-8. Hashes are a polynomial with a factor drawn for each table, so
 * nobody can make up names that all meet in one slot.
 *
 * Cost: the bytes of the text, 4 for where it ends, a quarter of both in reserve; 5 to 11 in the hash table.
 */
import { BYTES_PER_CHARACTER_MAX } from "./bytes.ts";
import { enlarged } from "./collections.ts";
import { assert } from "./errors.ts";
import { mix32, systemSeed } from "./random.ts";

const BYTES_MAX = 2 ** 32 - 1;
const LOAD_MAX = 0.75;

export class TextTable {
  #bytes = Buffer.alloc(1024);
  /** Where each text ends, and the next one begins. */
  #ends = new Uint32Array(32);
  /** Numbers of texts plus one; 0 if the slot is free. */
  #slots = new Uint32Array(64);
  #size = 0;
  readonly #factor = systemSeed() | 1;

  get size(): number {
    return this.#size;
  }

  /** The number of a text; -1 if it was never added. */
  find(text: string): number {
    return this.#slots[this.#slotOf(this.#write(text))] - 1;
  }

  /** The number of a text, which may be new. */
  add(text: string): number {
    const end = this.#write(text);
    const slot = this.#slotOf(end);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    const number = this.#size++;
    if (number === this.#ends.length) this.#ends = enlarged(this.#ends, withReserve(number));
    this.#ends[number] = end;
    this.#slots[slot] = number + 1;
    if (this.#size > LOAD_MAX * this.#slots.length) this.#enlarge();
    return number;
  }

  textOf(number: number): string {
    return this.#bytes.toString("utf8", this.#startOf(number), this.#ends[number]);
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1];
  }

  /** Writes a text behind all others, where the next one will be; returns where it ends. */
  #write(text: string): number {
    const start = this.#startOf(this.#size);
    const needed = start + BYTES_PER_CHARACTER_MAX * text.length;
    if (needed > this.#bytes.length) {
      assert(needed <= BYTES_MAX, "texts take less than 4 GB");
      const larger = Buffer.alloc(Math.min(BYTES_MAX, withReserve(needed)));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    return start + this.#bytes.write(text, start);
  }

  /** The slot of the text that was written last and ends here, or the free one where it belongs. */
  #slotOf(end: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const start = this.#startOf(this.#size);
    let slot = this.#hash(start, end) & mask;
    while (slots[slot] !== 0 && !this.#isSame(slots[slot] - 1, start, end)) slot = (slot + 1) & mask;
    return slot;
  }

  #isSame(number: number, start: number, end: number): boolean {
    const bytes = this.#bytes;
    const from = this.#startOf(number);
    if (this.#ends[number] - from !== end - start) return false;
    // From the end, since names begin alike.
    for (let k = end - start - 1; k >= 0; k--) if (bytes[from + k] !== bytes[start + k]) return false;
    return true;
  }

  #hash(start: number, end: number): number {
    const bytes = this.#bytes;
    const factor = this.#factor;
    let hash = end - start;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, factor) + bytes[at]) | 0;
    return mix32(hash);
  }

  #enlarge(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#hash(this.#startOf(number), this.#ends[number]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function withReserve(needed: number): number {
  return Math.ceil(1.25 * needed);
}
