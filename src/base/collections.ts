/** Typed arrays that grow, caches that do not, and counts by name. */
type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

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
