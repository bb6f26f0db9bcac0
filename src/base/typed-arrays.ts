type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** A longer copy of a typed array; what is new is 0. */
export function enlarged<T extends Numbers>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

/**
 * Room to make when `needed` elements must fit where `present` did: twice as much. Memory that was never touched takes no room, so what
 * is reserved in vain costs little; each enlargement costs a copy, and twice the memory until the old one is gone.
 */
export function capacityFor(needed: number, present: number): number {
  return Math.max(needed, 2 * present);
}
