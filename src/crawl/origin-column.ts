/**
 * The origin of each URL, by its number. It never changes once it is known, so the column only grows at its end: chunks
 * that are full keep as many bytes per URL as their greatest origin needs, and the oldest may go into a file
 * (base/full-chunks.ts).
 *
 * The file is read in blocks, for whoever reads URLs in their order. A crawl reads those that it handles at random, but
 * the same ones again and again: a page that is held for its host is put back and handed out some ten times. So what
 * was read last is kept by URL.
 *
 * Cost: 1 to 4 bytes per URL, up to what the file leaves in memory; then two thousandths of a byte. 64 KB for the last
 * URLs, and a megabyte for those that were read from the file.
 */
import { assert, type ChunkFile, chunkBitsFor, FullChunks } from "../base/index.ts";

/** Chunks of 64 KB before bytes are left out, so 16,384 URLs. */
const CHUNK_BITS_MAX = 16;
/** How many URLs are kept of those that were read from the file. */
const RECENT = 2 ** 17;

export class OriginColumn {
  /** How many URLs a chunk has, as a power of two. */
  readonly #bits: number;
  readonly #mask: number;
  readonly #full: FullChunks;
  /** Bytes per URL of the full chunks. */
  readonly #widths: number[] = [];
  /** Of the URLs behind the full chunks. */
  readonly #last: Uint32Array;
  #size = 0;
  /** URLs that were read from the file, plus one, each in the slot that its number implies; and their origins. */
  readonly #recentUrls: Uint32Array;
  readonly #recentOrigins: Uint32Array;

  /** `file` takes what does not fit in memory (default: all origins stay there). */
  constructor(file?: ChunkFile) {
    const chunkBits = Math.min(CHUNK_BITS_MAX, chunkBitsFor(file));
    this.#bits = chunkBits - 2;
    this.#mask = 2 ** this.#bits - 1;
    this.#full = new FullChunks(file, 2 ** chunkBits);
    this.#last = new Uint32Array(2 ** this.#bits);
    // What is never written to takes no memory.
    const recent = file === undefined ? 0 : RECENT;
    this.#recentUrls = new Uint32Array(recent);
    this.#recentOrigins = new Uint32Array(recent);
  }

  /** The origin of the next URL. */
  add(origin: number): void {
    assert(origin < 2 ** 31, "fewer than 2^31 origins");
    const at = this.#size++ & this.#mask;
    this.#last[at] = origin;
    if (at < this.#mask) return;
    const chunk = packed(this.#last);
    this.#widths.push(chunk.length >>> this.#bits);
    this.#full.add(chunk);
  }

  of(url: number): number {
    const chunk = url >>> this.#bits;
    if (chunk >= this.#full.count) return this.#last[url & this.#mask];
    if (chunk >= this.#full.spilledCount) return this.#read(chunk, url);
    const slot = url & (RECENT - 1);
    if (this.#recentUrls[slot] !== url + 1) {
      this.#recentOrigins[slot] = this.#read(chunk, url);
      this.#recentUrls[slot] = url + 1;
    }
    return this.#recentOrigins[slot];
  }

  #read(chunk: number, url: number): number {
    const width = this.#widths[chunk];
    const { bytes, at } = this.#full.find(chunk, width * (url & this.#mask), width);
    let origin = bytes[at];
    for (let byte = 1; byte < width; byte++) origin |= bytes[at + byte] << (8 * byte);
    return origin;
  }
}

/** The same numbers in as many bytes as the greatest of them needs, the lowest first. */
function packed(numbers: Uint32Array): Uint8Array {
  let bits = 1;
  for (let k = 0; k < numbers.length; k++) bits |= numbers[k];
  const width = Math.ceil((32 - Math.clz32(bits)) / 8);
  const bytes = new Uint8Array(width * numbers.length);
  for (let k = 0, at = 0; k < numbers.length; k++) {
    for (let rest = numbers[k], end = at + width; at < end; rest >>>= 8) bytes[at++] = rest;
  }
  return bytes;
}
