type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** A longer copy of a typed array; what is new is 0. */
export function enlarged<T extends Numbers>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
