/**
 * Numbers entries by their 64-bit fingerprints, from 0 without gaps, in order of arrival: a set of millions of URLs
 * without their text. The first bits of the lower half choose one of 64 segments, which grow one at a time, a tenth
 * each time: so most of the slots are in use at any size, and no enlargement takes long. Fingerprints are taken to be
 * spread evenly; where they are not, the table stays right, and entries that have no room are in a map.
 *
 * Memory per entry: 10.5 bytes (fingerprint-segment.ts). Two of n entries share a fingerprint with probability
 * n^2 / 2^65: one in four hundred thousand for ten million.
 */
import { assert } from "./errors.ts";
import { FingerprintSegment, NUMBER_BITS_MAX, type Room, SEGMENT_BITS } from "./fingerprint-segment.ts";
import { SegmentCopy, SegmentMemory } from "./segment-memory.ts";

const SEGMENTS = 2 ** SEGMENT_BITS;
/** Segments that have their memory together: it doubles at once, and is copied then. */
const SEGMENTS_TOGETHER = 16;

export class FingerprintTable {
  readonly #segments: FingerprintSegment[] = [];
  #size = 0;

  constructor(capacity = 1024) {
    const room = { ...roomFor(capacity), copy: new SegmentCopy() };
    while (this.#segments.length < SEGMENTS) {
      const memory = new SegmentMemory();
      for (let k = 0; k < SEGMENTS_TOGETHER; k++) {
        this.#segments.push(new FingerprintSegment(this.#segments.length, { memory, ...room }));
      }
      memory.enlarge(Math.max(...this.#segments.map(({ slots }) => slots)));
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Makes room for this many entries at once. */
  reserve(capacity: number): void {
    const room = roomFor(capacity);
    for (const segment of this.#segments) segment.reserve(room);
  }

  /** The number of an entry; -1 if it is unknown. */
  find(high: number, low: number): number {
    return this.#segments[low >>> (32 - SEGMENT_BITS)].find(low, high);
  }

  /** Adds an entry that is not in the table yet, and returns its number. */
  add(high: number, low: number): number {
    const number = this.#size++;
    assert(number < 2 ** NUMBER_BITS_MAX - 2, "fewer than 2^31 entries");
    this.#segments[low >>> (32 - SEGMENT_BITS)].add(low, high, number);
    return number;
  }
}

function roomFor(size: number): Room {
  return { count: Math.ceil(size / SEGMENTS), size };
}
