import { enlarged } from "./collections.ts";
import { assert } from "./errors.ts";

/**
 * Seeded pseudo-random numbers: sfc32 (Chris Doty-Humphrey's small fast counter generator, 128 bits of state, passes
 * PractRand), seeded through splitmix32 so that neighbouring seeds give unrelated streams.
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

/** A set of ids from which any member is drawn with equal chance. The last member replaces one that leaves. */
export class RandomSet {
  readonly #random: Random;
  #members: Uint32Array;
  /** Place among the members plus one; 0 for an id that is not in the set. */
  #places: Uint32Array;
  #size = 0;

  constructor(capacity: number, seed: number) {
    this.#random = new Random(seed);
    this.#members = new Uint32Array(capacity);
    this.#places = new Uint32Array(capacity);
  }

  /** Makes room for ids below `capacity`. */
  grow(capacity: number): void {
    if (capacity <= this.#members.length) return;
    this.#members = enlarged(this.#members, capacity);
    this.#places = enlarged(this.#places, capacity);
  }

  add(id: number): void {
    if (this.#places[id] !== 0) return;
    this.#members[this.#size++] = id;
    this.#places[id] = this.#size;
  }

  remove(id: number): void {
    const place = this.#places[id];
    if (place === 0) return;
    const last = this.#members[--this.#size];
    this.#members[place - 1] = last;
    this.#places[last] = place;
    this.#places[id] = 0;
  }

  /** Any member, which stays in the set; -1 when it is empty. */
  draw(): number {
    return this.#size === 0 ? -1 : this.#members[this.#random.below(this.#size)];
  }
}

/** So many of the values, or all if there are fewer: any with equal chance, in any order (Fisher-Yates). */
export function sampleOf(values: Uint32Array, count: number, random: Random): Uint32Array {
  assert(count >= 0, "a sample has no fewer than 0 values");
  const sample = values.slice();
  const size = Math.min(count, sample.length);
  for (let i = 0; i < size; i++) {
    const other = i + random.below(sample.length - i);
    [sample[i], sample[other]] = [sample[other], sample[i]];
  }
  return sample.slice(0, size);
}

/** Scrambles 32-bit integers, one to one (splitmix32's finaliser). */
export function mix32(value: number): number {
  let z = (value + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}

/** A 32-bit seed from the system that nobody can guess. Callers pass it on, so that tests can use their own. */
export function systemSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
