/**
 * Finds the first of many 64-bit hashes that differs from another in at most 3 bits.
 *
 * If at most 3 bits differ, one of four blocks of 16 bits is the same (Manku, Jain and Das Sarma, WWW 2007, section 3,
 * with four tables). So there are four tables, in which leaders stand by the value of a block. Beside its number stands
 * the half of its hash to which the block does not belong: it rules out nearly all of them without a look elsewhere.
 *
 * Memory: 40 bytes per hash, and 2 MB. Cost: a million random hashes make buckets of 15, so 60 comparisons each. Where
 * many hashes have a block in common, only the first leaders of a bucket are compared, so that the cost stays linear.
 * Then a hash may become a leader though it is near one.
 */
import type { HashColumn } from "./hash-column.ts";

/** Bits in which two near-duplicates differ, at most. */
export const DISTANCE_MAX = 3;
/** Leaders of one bucket that are compared. Ten million random hashes make buckets of 150. */
export const BUCKET_MAX = 250;

const BLOCKS = 4;
const BLOCK_VALUES = 1 << 16;

/** Hashes, numbered from 0 in the order in which they were added. */
export class Leaders {
  size = 0;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  /** Where each bucket starts, block by block, and where it ends so far. */
  readonly #starts = new Uint32Array(BLOCKS * BLOCK_VALUES + 1);
  readonly #ends: Uint32Array;
  /** The numbers of the leaders in the buckets, in ascending order, and the other halves of their hashes. */
  readonly #numbers: Uint32Array;
  readonly #others: Uint32Array;

  /** With room for the hashes of the given pages. */
  constructor(pages: Uint32Array, { high, low }: HashColumn) {
    this.#high = new Uint32Array(pages.length);
    this.#low = new Uint32Array(pages.length);
    for (const page of pages) {
      for (let block = 0; block < BLOCKS; block++) this.#starts[bucketOf(block, high[page], low[page]) + 1]++;
    }
    for (let bucket = 0; bucket < BLOCKS * BLOCK_VALUES; bucket++) this.#starts[bucket + 1] += this.#starts[bucket];
    this.#ends = this.#starts.slice();
    this.#numbers = new Uint32Array(BLOCKS * pages.length);
    this.#others = new Uint32Array(BLOCKS * pages.length);
  }

  /** Returns its number. */
  add(high: number, low: number): number {
    const number = this.size++;
    this.#high[number] = high;
    this.#low[number] = low;
    for (let block = 0; block < BLOCKS; block++) {
      const at = this.#ends[bucketOf(block, high, low)]++;
      this.#numbers[at] = number;
      this.#others[at] = otherHalf(block, high, low);
    }
    return number;
  }

  /** The number of the first that is near; -1 if none is. */
  first(high: number, low: number): number {
    let first = this.size;
    for (let block = 0; block < BLOCKS; block++) {
      const bucket = bucketOf(block, high, low);
      const other = otherHalf(block, high, low);
      const start = this.#starts[bucket];
      const end = Math.min(this.#ends[bucket], start + BUCKET_MAX);
      for (let at = start; at < end; at++) {
        if (distance(this.#others[at] ^ other, 0) > DISTANCE_MAX) continue;
        const number = this.#numbers[at];
        if (number >= first) break;
        if (distance(this.#high[number] ^ high, this.#low[number] ^ low) <= DISTANCE_MAX) first = number;
      }
    }
    return first === this.size ? -1 : first;
  }
}

function bucketOf(block: number, high: number, low: number): number {
  const half = block < 2 ? high : low;
  return block * BLOCK_VALUES + (block % 2 === 0 ? half >>> 16 : half & 0xffff);
}

function otherHalf(block: number, high: number, low: number): number {
  return block < 2 ? low : high;
}

/** How many bits differ, of two hashes whose halves were combined with `^`. */
export function distance(high: number, low: number): number {
  return ones(high) + ones(low);
}

function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
