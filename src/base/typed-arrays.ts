type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** A longer copy of a typed array; what is new is 0. */
export function enlarged<T extends Numbers>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

const LARGE = 1_000_000;

/**
 * Room to make when `needed` elements must fit where `present` did: half as much again, or an eighth where arrays are large and memory
 * counts more than copying.
 */
export function capacityFor(needed: number, present: number): number {
  return Math.max(needed, Math.ceil(present * (present < LARGE ? 1.5 : 1.125)));
}
