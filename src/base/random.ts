/**
 * Seeded pseudo-random numbers: sfc32 (Chris Doty-Humphrey's small fast counter generator, 128 bits of state,
 * passes PractRand), seeded through splitmix32 so that neighbouring seeds give unrelated streams.
 *
 * The same seed gives the same numbers on every machine: only 32-bit integer operations are used.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** `stream` separates independent sequences of one seed, for instance one per page. */
  constructor(seed: number, stream = 0) {
    this.#a = mix32(seed);
    this.#b = mix32(seed + 0x9e3779b9 + mix32(stream));
    this.#c = mix32(stream ^ 0x85ebca6b);
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** A whole number in [0, 2^32). */
  uint32(): number {
    const t = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** A number in [0, 1) with 53 random bits. */
  float(): number {
    return ((this.uint32() >>> 5) * 0x4000000 + (this.uint32() >>> 6)) / 0x20000000000000;
  }

  /** A whole number in [0, bound), for bound up to 2^32. The bias is below bound / 2^53. */
  below(bound: number): number {
    return Math.floor(this.float() * bound);
  }
}

/** Scrambles 32-bit integers, one to one (splitmix32's finaliser). */
export function mix32(value: number): number {
  let z = (value + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}
