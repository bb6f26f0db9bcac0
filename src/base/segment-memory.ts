/**
 * The memory of several segments, which grow together: two arrays for all of them. Many small arrays of all sizes would
 * leave gaps in the heap; memory of a large one that was never written to costs nothing, and what is freed is returned.
 */

/** What the slots of a segment are made of (fingerprint-segment.ts). */
export interface SegmentArrays {
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
}

interface Movable {
  /** Goes on in other arrays, which are longer and empty. */
  move(arrays: SegmentArrays): void;
}

export class SegmentMemory {
  readonly #segments: Movable[] = [];

  add(segment: Movable): void {
    this.#segments.push(segment);
  }

  /** Gives every segment arrays for so many slots. */
  enlarge(slots: number): void {
    const words = new Uint32Array(2 * slots * this.#segments.length);
    const bytes = new Uint8Array(slots * this.#segments.length);
    for (const [k, segment] of this.#segments.entries()) {
      segment.move({
        words: words.subarray(2 * slots * k, 2 * slots * (k + 1)),
        bytes: bytes.subarray(slots * k, slots * (k + 1)),
      });
    }
  }
}

/** Where a segment is copied to while it is written anew, one at a time. */
export class SegmentCopy implements SegmentArrays {
  words = new Uint32Array(0);
  bytes = new Uint8Array(0);

  take({ words, bytes }: SegmentArrays): void {
    if (this.bytes.length < bytes.length) {
      this.words = new Uint32Array(2 * words.length);
      this.bytes = new Uint8Array(2 * bytes.length);
    }
    this.words.set(words);
    this.bytes.set(bytes);
  }
}
