import { type ArrivalOrder, Arrivals } from "./arrivals.ts";
import { capacityFor, enlarged } from "./collections.ts";
import { assert } from "./errors.ts";

/**
 * A priority queue of integer ids whose keys may change, mostly rise, while they wait: an indexed 4-ary max-heap.
 *
 * Equal keys leave in the order in which their ids were first added, so that every run is deterministic. An id that
 * leaves and comes back keeps its place in that order.
 *
 * Keys are stored in heap order, so the four children of a node share one or two cache lines; with millions of ids this
 * decides the speed. Memory: 4 bytes per id and those of `Arrivals`, and 12 to 24 per id in the
 * heap. `add` and `raise` cost O(log n), in practice O(1), since most rises are too small to pass the parent; `pop`
 * costs O(log n).
 */
export class IndexedHeap {
  #ids: Uint32Array;
  #keys: Float64Array;
  /** Place in the heap plus one; 0 for an id that is not in the heap. */
  #places: Uint32Array;
  readonly #order: ArrivalOrder;
  #size = 0;

  /** `order` says which of two ids with equal keys leaves first (default: the one that came first). */
  constructor(capacity: number, order: ArrivalOrder = new Arrivals(capacity)) {
    this.#order = order;
    const entries = Math.min(capacity, ENTRIES_MIN);
    this.#ids = new Uint32Array(entries);
    this.#keys = new Float64Array(entries);
    this.#places = new Uint32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** Makes room for ids below `capacity`. */
  grow(capacity: number): void {
    if (capacity > this.#places.length) this.#places = enlarged(this.#places, capacity);
  }

  has(id: number): boolean {
    return this.#places[id] > 0;
  }

  /** The key of an id; 0 if it is not in the heap. */
  key(id: number): number {
    return this.has(id) ? this.#keys[this.#places[id] - 1] : 0;
  }

  /** The id with the greatest key; -1 when the heap is empty. */
  get top(): number {
    return this.#size === 0 ? -1 : this.#ids[0];
  }

  /** The greatest key; -Infinity when the heap is empty. */
  get topKey(): number {
    return this.#size === 0 ? Number.NEGATIVE_INFINITY : this.#keys[0];
  }

  /** Adds a non-negative amount to the key of an id; an id that is not in the heap enters with that amount. */
  add(id: number, amount: number): void {
    const place = this.#places[id];
    if (place > 0) this.#rise(place - 1, id, this.#keys[place - 1] + amount);
    else this.#enter(id, amount);
  }

  /** Sets the key of an id; it must not be below its present key. */
  raise(id: number, key: number): void {
    const place = this.#places[id];
    if (place > 0) this.#rise(place - 1, id, key);
    else this.#enter(id, key);
  }

  /** Sets the key of an id that is in the heap, which may fall. */
  change(id: number, key: number): void {
    assert(this.has(id), "the id is in the heap");
    this.#settle(this.#places[id] - 1, id, key);
  }

  /** Sets the keys of all ids in the heap. */
  changeAll(keyOf: (id: number) => number): void {
    for (let place = 0; place < this.#size; place++) this.#keys[place] = keyOf(this.#ids[place]);
    this.#arrange();
  }

  /** Makes a heap of what stands in no order. */
  #arrange(): void {
    for (let place = (this.#size - 2) >> 2; place >= 0; place--) {
      this.#sink(place, this.#ids[place], this.#keys[place]);
    }
  }

  /** Takes out the id with the greatest key; -1 when the heap is empty. */
  pop(): number {
    if (this.#size === 0) return -1;
    const top = this.#ids[0];
    this.#takeOut(0);
    return top;
  }

  /** Takes out an id, wherever it is; does nothing if it is not in the heap. */
  remove(id: number): void {
    if (this.has(id)) this.#takeOut(this.#places[id] - 1);
  }

  /** Keeps the ids of which this is true, and takes out all others. */
  filter(isKept: (id: number, key: number) => boolean): void {
    const size = this.#size;
    this.#size = 0;
    for (let place = 0; place < size; place++) {
      const id = this.#ids[place];
      const key = this.#keys[place];
      if (!isKept(id, key)) {
        this.#places[id] = 0;
        continue;
      }
      this.#ids[this.#size] = id;
      this.#keys[this.#size] = key;
      this.#places[id] = ++this.#size;
    }
    this.#arrange();
  }

  /** Some of the ids in the heap, at most so many, from all parts of it. */
  sample(count: number): number[] {
    const ids: number[] = [];
    const step = Math.max(1, Math.ceil(this.#size / count));
    for (let place = 0; place < this.#size; place += step) ids.push(this.#ids[place]);
    return ids;
  }

  #enter(id: number, key: number): void {
    assert(id < this.#places.length, "there is room for the id: grow first");
    this.#order.note(id);
    if (this.#size === this.#ids.length) {
      const entries = capacityFor(this.#size + 1, this.#size);
      this.#ids = enlarged(this.#ids, entries);
      this.#keys = enlarged(this.#keys, entries);
    }
    this.#rise(this.#size++, id, key);
  }

  #takeOut(place: number): void {
    const gone = this.#ids[place];
    const last = --this.#size;
    this.#places[gone] = 0;
    if (place === last) return;
    this.#settle(place, this.#ids[last], this.#keys[last]);
  }

  /** Puts an id where it belongs, from a place on that is free for it. */
  #settle(place: number, id: number, key: number): void {
    const parent = (place - 1) >> 2;
    if (place > 0 && this.#before(id, key, this.#ids[parent], this.#keys[parent])) this.#rise(place, id, key);
    else this.#sink(place, id, key);
  }

  #rise(from: number, id: number, key: number): void {
    const ids = this.#ids;
    const keys = this.#keys;
    const places = this.#places;
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 2;
      const parentKey = keys[parent];
      if (parentKey > key) break;
      const parentId = ids[parent];
      if (parentKey === key && this.#order.isEarlier(parentId, id)) break;
      ids[place] = parentId;
      keys[place] = parentKey;
      places[parentId] = place + 1;
      place = parent;
    }
    ids[place] = id;
    keys[place] = key;
    places[id] = place + 1;
  }

  #sink(from: number, id: number, key: number): void {
    const ids = this.#ids;
    const keys = this.#keys;
    const places = this.#places;
    const size = this.#size;
    let place = from;
    for (;;) {
      const first = 4 * place + 1;
      if (first >= size) break;
      const end = first + 4 < size ? first + 4 : size;
      let best = first;
      for (let child = first + 1; child < end; child++) {
        if (keys[child] > keys[best]) best = child;
        else if (keys[child] === keys[best] && this.#order.isEarlier(ids[child], ids[best])) best = child;
      }
      if (this.#before(id, key, ids[best], keys[best])) break;
      ids[place] = ids[best];
      keys[place] = keys[best];
      places[ids[place]] = place + 1;
      place = best;
    }
    ids[place] = id;
    keys[place] = key;
    places[id] = place + 1;
  }

  #before(id: number, key: number, otherId: number, otherKey: number): boolean {
    return key > otherKey || (key === otherKey && this.#order.isEarlier(id, otherId));
  }
}

/** Room for so many ids in the heap at first. */
const ENTRIES_MIN = 1024;
