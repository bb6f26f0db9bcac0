/**
 * In which order ids came first. As long as each new one is greater than all before, the id itself tells, and it takes
 * a bit per id; from the first that is not, 4 bytes more.
 */
import { capacityFor, enlarged, IdSet } from "./collections.ts";

/** Which of two ids is the earlier one. */
export interface ArrivalOrder {
  /** An id has come, perhaps not for the first time. */
  note(id: number): void;
  isEarlier(id: number, otherId: number): boolean;
}

export class Arrivals implements ArrivalOrder {
  readonly #known = new IdSet();
  /** When an id came; kept only once ids have come out of ascending order. */
  #places: Uint32Array | undefined;
  #count = 0;
  readonly #capacity: number;
  /** The greatest id so far. */
  #latest = -1;

  /** Ids will probably be below `capacity`. */
  constructor(capacity = 0) {
    this.#capacity = capacity;
  }

  note(id: number): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    if (this.#places === undefined && id < this.#latest) {
      this.#count = this.#latest + 1;
      this.#places = new Uint32Array(Math.max(this.#capacity, this.#count));
      for (let k = 0; k < this.#count; k++) this.#places[k] = k;
    }
    if (id > this.#latest) this.#latest = id;
    if (this.#places === undefined) return;
    if (id >= this.#places.length) this.#places = enlarged(this.#places, capacityFor(id + 1, this.#places.length));
    this.#places[id] = this.#count++;
  }

  /** Both have come. */
  isEarlier(id: number, otherId: number): boolean {
    const places = this.#places;
    return places === undefined ? id < otherId : places[id] < places[otherId];
  }
}
