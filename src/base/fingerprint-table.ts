/**
 * Numbers entries by their 64-bit fingerprints, from 0 without gaps, in order of arrival: a set of millions of URLs
 * without their text. The first bits of a fingerprint choose one of 64 segments, which grow one at a time, an eighth
 * each time: so none of them is far from full, and no enlargement takes long.
 *
 * Memory per entry: 10 to 11.3 bytes (fingerprint-segment.ts). Two of n entries share a fingerprint with probability
 * n^2 / 2^65: one in four hundred thousand for ten million.
 */
import { assert } from "./errors.ts";
import { FingerprintSegment, NUMBER_BITS_MAX, SEGMENT_BITS, SegmentCopy } from "./fingerprint-segment.ts";

const SEGMENTS = 2 ** SEGMENT_BITS;

export class FingerprintTable {
  readonly #segments: FingerprintSegment[] = [];
  readonly #copy = new SegmentCopy();
  #size = 0;

  constructor(capacity = 1024) {
    for (let k = 0; k < SEGMENTS; k++) {
      this.#segments.push(new FingerprintSegment(k, Math.ceil(capacity / SEGMENTS), capacity));
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Makes room for this many entries at once. */
  reserve(capacity: number): void {
    for (const segment of this.#segments) segment.reserve(Math.ceil(capacity / SEGMENTS), capacity, this.#copy);
  }

  /** The number of an entry; -1 if it is unknown. */
  find(high: number, low: number): number {
    return this.#segments[low >>> (32 - SEGMENT_BITS)].find(low, high);
  }

  /** Adds an entry that is not in the table yet, and returns its number. */
  add(high: number, low: number): number {
    const number = this.#size++;
    assert(number < 2 ** NUMBER_BITS_MAX - 2, "fewer than 2^31 entries");
    this.#segments[low >>> (32 - SEGMENT_BITS)].add(low, high, number, this.#copy);
    return number;
  }
}
