/** Typed arrays and sets of small numbers that grow, caches that do not, and counts by name. */
type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** A longer copy of a typed array, filled up with zeros. */
export function enlarged<T extends Numbers>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

/** At least twice the present capacity: reserved memory costs little, but every enlargement costs a copy. */
export function capacityFor(needed: number, present: number): number {
  return Math.max(needed, 2 * present);
}

/** A set of ids, one bit each: a set of objects would take forty bytes per id. */
export class IdSet {
  #bits = new Uint32Array(32);

  has(id: number): boolean {
    return (this.#bits[id >>> 5] & (1 << (id & 31))) !== 0;
  }

  add(id: number): void {
    const word = id >>> 5;
    if (word >= this.#bits.length) this.#bits = enlarged(this.#bits, capacityFor(word + 1, this.#bits.length));
    this.#bits[word] |= 1 << (id & 31);
  }

  delete(id: number): void {
    this.#bits[id >>> 5] &= ~(1 << (id & 31));
  }

  /** In ascending order. */
  forEach(visit: (id: number) => void): void {
    for (let word = 0; word < this.#bits.length; word++) {
      for (let bits = this.#bits[word]; bits !== 0; bits &= bits - 1) visit(32 * word + lowestBit(bits));
    }
  }

  /** Some of the ids, at most so many, from all parts of the set: none of them only where they are few. */
  sample(count: number): number[] {
    const ids: number[] = [];
    const step = Math.max(1, Math.ceil(this.#bits.length / count));
    for (let word = 0; word < this.#bits.length; word += step) {
      const bits = this.#bits[word];
      if (bits !== 0) ids.push(32 * word + lowestBit(bits));
    }
    return ids;
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Removes what was added first, until at most `sizeMax` entries are left. */
export function dropOldest<Key>(entries: Map<Key, unknown> | Set<Key>, sizeMax: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= sizeMax) return;
    entries.delete(oldest);
  }
}

export function zeroCounts<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
