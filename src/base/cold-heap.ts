/**
 * An `IndexedHeap` for very many ids of which few will leave soon. Only the best, the hot ones, are in a heap. For a
 * cold id, one bit says that it waits; its owner knows its key.
 *
 * Invariant: an id that waits is hot if and only if it leaves before the level or is the level itself, which is one of
 * the ids with the key that it had. So any hot id leaves before any cold one, and ids leave in the very order of an
 * `IndexedHeap`, whatever the level. How it is chosen decides speed and memory only.
 *
 * When the last hot id has left, the best cold ones become hot: one pass over all ids, for a fixed share of those that
 * wait, so a few nanoseconds per id and hundreds per `pop`. When too many are hot, half of them or more become cold.
 * The level comes from a sample; up to `hotMin` ids all are hot, and there is no level.
 *
 * Memory: a bit per id, what `Arrivals` needs, and up to 60 bytes per hot id (hot-heap.ts). Up to 4 million ids each
 * has 4 bytes for its place instead, which makes pushes to hot ids a third faster.
 */
import { Arrivals } from "./arrivals.ts";
import { IdSet } from "./collections.ts";
import { HotHeap } from "./hot-heap.ts";
import { IndexedHeap } from "./indexed-heap.ts";

/** At most one of so many ids that wait is hot. */
const HOT_SHARE = 32;
const HOT_MIN = 1 << 16;
const IDS_MAX = 1 << 22;
/** The level is chosen among so many ids. */
const SAMPLE = 4096;

export interface ColdHeapOptions {
  /** Ids are below this; `grow` raises it. */
  readonly capacity: number;
  /** The present key of an id that waits. */
  readonly keyOf: (id: number) => number;
  /** Up to so many ids are hot, however few wait (default: 65536). */
  readonly hotMin?: number;
  /** Up to so many ids each has a place of its own, beyond only hot ones have (default: 4 million). */
  readonly idsMax?: number;
}

export class ColdHeap {
  readonly #keyOf: (id: number) => number;
  readonly #hotMin: number;
  readonly #arrivals: Arrivals;
  #hot: IndexedHeap | HotHeap;
  readonly #idsMax: number;
  readonly #cold = new IdSet();
  #coldCount = 0;
  #levelId = -1;
  #levelKey = Number.NEGATIVE_INFINITY;

  constructor({ capacity, keyOf, hotMin = HOT_MIN, idsMax = IDS_MAX }: ColdHeapOptions) {
    this.#keyOf = keyOf;
    this.#hotMin = hotMin;
    this.#arrivals = new Arrivals(capacity);
    this.#idsMax = idsMax;
    this.#hot = capacity > idsMax ? new HotHeap(this.#arrivals) : new IndexedHeap(capacity, this.#arrivals);
  }

  /** Makes room for ids below `capacity`. */
  grow(capacity: number): void {
    const hot = this.#hot;
    if (hot instanceof HotHeap) return;
    if (capacity <= this.#idsMax) return hot.grow(capacity);
    const sparse = new HotHeap(this.#arrivals);
    hot.filter((id, key) => {
      sparse.raise(id, key);
      return false;
    });
    this.#hot = sparse;
  }

  get size(): number {
    return this.#hot.size + this.#coldCount;
  }

  has(id: number): boolean {
    return this.#hot.has(id) || this.#cold.has(id);
  }

  /** The greatest key; -Infinity when no id waits. */
  get topKey(): number {
    this.#warm();
    return this.#hot.topKey;
  }

  /** An id waits from now on, or its key has risen to this. */
  raise(id: number, key: number): void {
    if (this.#isBelow(id, key)) {
      if (!this.#cold.has(id)) this.#chill(id);
      return;
    }
    if (this.#coldCount > 0 && this.#cold.has(id)) this.#unchill(id);
    this.#hot.raise(id, key);
    if (this.#hot.size > this.#hotMin && this.#isTooHot) this.#coolDown();
  }

  /** Sets the key of an id that waits, which may fall. */
  change(id: number, key: number): void {
    if (this.#cold.has(id)) return this.raise(id, key);
    if (!this.#isBelow(id, key)) return this.#hot.change(id, key);
    this.#hot.remove(id);
    this.#chill(id);
  }

  /** The keys of all ids have changed. */
  changeAll(): void {
    this.#hot.changeAll(this.#keyOf);
    this.#lowerLevel();
    this.#chillBelow();
    if (this.#isTooHot) this.#coolDown();
  }

  /** Takes out the id with the greatest key; -1 when none waits. */
  pop(): number {
    this.#warm();
    return this.#hot.pop();
  }

  /** Takes out an id; does nothing if it does not wait. */
  remove(id: number): void {
    if (this.#coldCount > 0 && this.#cold.has(id)) this.#unchill(id);
    else this.#hot.remove(id);
  }

  get #isTooHot(): boolean {
    return this.#hot.size > this.#hotMax;
  }

  get #hotMax(): number {
    return Math.max(this.#hotMin, this.size / HOT_SHARE);
  }

  #isBelow(id: number, key: number): boolean {
    if (key !== this.#levelKey) return key < this.#levelKey;
    // It may be new: then it comes after all that have arrived.
    this.#arrivals.note(id);
    return this.#arrivals.isEarlier(this.#levelId, id);
  }

  #chill(id: number): void {
    this.#arrivals.note(id);
    this.#cold.add(id);
    this.#coldCount++;
  }

  #unchill(id: number): void {
    this.#cold.delete(id);
    this.#coldCount--;
  }

  /** Lets the best cold ids in when no hot one is left. */
  #warm(): void {
    if (this.#hot.size === 0 && this.#coldCount > 0) this.#lowerLevel();
  }

  /** Chooses a level that the best cold ids are not below; these become hot. */
  #lowerLevel(): void {
    const ids = this.#cold.sample(SAMPLE);
    const wanted = this.#hotMax / 2;
    // Where they are too few for a sample, there is room for all.
    this.#setLevel(wanted >= this.#coldCount || ids.length === 0 ? -1 : this.#best(ids, wanted / this.#coldCount));
    this.#cold.forEach((id) => {
      const key = this.#keyOf(id);
      if (this.#isBelow(id, key)) return;
      this.#unchill(id);
      this.#hot.raise(id, key);
    });
  }

  #coolDown(): void {
    this.#setLevel(this.#best(this.#hot.sample(SAMPLE), this.#hotMax / 2 / this.#hot.size));
    this.#chillBelow();
  }

  /** Hot ids that are below the level become cold. */
  #chillBelow(): void {
    this.#hot.filter((id, key) => {
      const isKept = !this.#isBelow(id, key);
      if (!isKept) this.#chill(id);
      return isKept;
    });
  }

  /** The id that ends this share of the ids, the greatest keys first. */
  #best(ids: number[], share: number): number {
    const keys = new Map(ids.map((id) => [id, this.#keyOf(id)]));
    ids.sort((a, b) => keys.get(b)! - keys.get(a)! || (this.#arrivals.isEarlier(a, b) ? -1 : 1));
    return ids[Math.floor(share * ids.length)];
  }

  #setLevel(id: number): void {
    this.#levelId = id;
    this.#levelKey = id < 0 ? Number.NEGATIVE_INFINITY : this.#keyOf(id);
  }
}
