/**
 * An `IndexedHeap` of few of very many ids. Each id that is in it has a number of its own, below the number of those that
 * were in it at a time; the heap is one of these numbers. A hash table leads from an id to its number, and is asked once
 * per call: what moves within the heap are numbers.
 *
 * Memory: nothing for an id that is not in it; 20 to 40 bytes for one that is, and 11 to 21 for the hash table.
 */
import type { ArrivalOrder } from "./arrivals.ts";
import { capacityFor, enlarged } from "./collections.ts";
import { IdTable } from "./id-table.ts";
import { IndexedHeap } from "./indexed-heap.ts";

const NUMBERS_MIN = 64;

export class HotHeap {
  readonly #numbers = new IdTable();
  /** The id of each number; of a free number, the next free one plus one. */
  #ids = new Uint32Array(NUMBERS_MIN);
  /** A free number plus one; 0 if none was freed. */
  #free = 0;
  #used = 0;
  readonly #heap: IndexedHeap;

  /** `order` says which of two ids with equal keys leaves first. */
  constructor(order: ArrivalOrder) {
    this.#heap = new IndexedHeap(NUMBERS_MIN, {
      note: (number) => order.note(this.#ids[number]),
      isEarlier: (number, other) => order.isEarlier(this.#ids[number], this.#ids[other]),
    });
  }

  get size(): number {
    return this.#heap.size;
  }

  get topKey(): number {
    return this.#heap.topKey;
  }

  has(id: number): boolean {
    return this.#numbers.get(id) >= 0;
  }

  /** An id enters with this key, or its key has risen to it. */
  raise(id: number, key: number): void {
    const number = this.#numbers.get(id);
    this.#heap.raise(number < 0 ? this.#take(id) : number, key);
  }

  /** Sets the key of an id that is in the heap. */
  change(id: number, key: number): void {
    this.#heap.change(this.#numbers.get(id), key);
  }

  changeAll(keyOf: (id: number) => number): void {
    this.#heap.changeAll((number) => keyOf(this.#ids[number]));
  }

  /** Takes out the id with the greatest key; -1 when the heap is empty. */
  pop(): number {
    const number = this.#heap.pop();
    return number < 0 ? -1 : this.#give(number);
  }

  /** Does nothing if the id is not in the heap. */
  remove(id: number): void {
    const number = this.#numbers.get(id);
    if (number < 0) return;
    this.#heap.remove(number);
    this.#give(number);
  }

  /** Keeps the ids of which this is true, and takes out all others. */
  filter(isKept: (id: number, key: number) => boolean): void {
    this.#heap.filter((number, key) => {
      if (isKept(this.#ids[number], key)) return true;
      this.#give(number);
      return false;
    });
  }

  /** Some of the ids in the heap, at most so many. */
  sample(count: number): number[] {
    return this.#heap.sample(count).map((number) => this.#ids[number]);
  }

  #take(id: number): number {
    let number = this.#free - 1;
    if (number >= 0) this.#free = this.#ids[number];
    else {
      number = this.#used++;
      if (number === this.#ids.length) {
        this.#ids = enlarged(this.#ids, capacityFor(number + 1, number));
        this.#heap.grow(this.#ids.length);
      }
    }
    this.#ids[number] = id;
    this.#numbers.set(id, number);
    return number;
  }

  /** Frees a number, and returns the id that had it. */
  #give(number: number): number {
    const id = this.#ids[number];
    this.#numbers.delete(id);
    this.#ids[number] = this.#free;
    this.#free = number + 1;
    return id;
  }
}
