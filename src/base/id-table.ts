/**
 * A table from few of very many ids to numbers: a hash table with open addressing on one typed array, since an array by
 * ids would take 4 bytes for each of them, and a `Map` forty for each entry.
 *
 * Multiplication spreads ids that follow each other over the table; an entry is in the first free slot from there on.
 * Removing one moves those behind it forward, so that no search ends at a gap too early. Ids and numbers are below
 * 2^32 - 1.
 *
 * Cost: 8 bytes per slot, of which three eighths to three quarters are taken.
 */
const SLOTS_LEAST = 16;
const LOAD_MAX = 0.75;
/** 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

export class IdTable {
  /** Per slot, one after the other: the id plus one, 0 if it is free; and its number. */
  #slots = new Uint32Array(2 * SLOTS_LEAST);
  #shift = 32 - Math.log2(SLOTS_LEAST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of an id; -1 if it has none. */
  get(id: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = (Math.imul(id, SPREAD) >>> this.#shift) << 1; slots[at] !== 0; at = (at + 2) & mask) {
      if (slots[at] === id + 1) return slots[at + 1];
    }
    return -1;
  }

  set(id: number, number: number): void {
    const at = this.#find(id);
    this.#slots[at + 1] = number;
    if (this.#slots[at] !== 0) return;
    this.#slots[at] = id + 1;
    if (2 * ++this.#size > LOAD_MAX * this.#slots.length) this.#enlarge();
  }

  /** Does nothing if the id has no number. */
  delete(id: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let gap = this.#find(id);
    if (slots[gap] === 0) return;
    this.#size--;
    for (let at = (gap + 2) & mask; slots[at] !== 0; at = (at + 2) & mask) {
      const home = (Math.imul(slots[at] - 1, SPREAD) >>> this.#shift) << 1;
      // It stays if it would come to stand before its home.
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      slots[gap] = slots[at];
      slots[gap + 1] = slots[at + 1];
      gap = at;
    }
    slots[gap] = 0;
  }

  /** Where the id is, or the free slot where it belongs. */
  #find(id: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = (Math.imul(id, SPREAD) >>> this.#shift) << 1;
    while (slots[at] !== 0 && slots[at] !== id + 1) at = (at + 2) & mask;
    return at;
  }

  #enlarge(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    this.#shift--;
    for (let at = 0; at < before.length; at += 2) {
      if (before[at] === 0) continue;
      const to = this.#find(before[at] - 1);
      this.#slots[to] = before[at];
      this.#slots[to + 1] = before[at + 1];
    }
  }
}
