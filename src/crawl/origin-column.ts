/**
 * The origin of each URL, by its number. It never changes once it is known, so the column only grows at its end: chunks
 * that are full keep as many bytes per URL as their greatest origin needs, and the oldest may go into a file
 * (base/full-chunks.ts). Whoever reads them in the order of URLs reads each block of the file once; whoever reads a few
 * here and there, again and again, mostly finds their blocks in memory.
 *
 * Cost: 1 to 4 bytes per URL, up to what the file leaves in memory; then a thousandth of a byte, and a megabyte of
 * blocks. 64 KB for the last URLs.
 */
import { assert, type ChunkFile, chunkBitsFor, FullChunks } from "../base/index.ts";

/** Chunks of 64 KB before bytes are left out, so 16,384 URLs, and blocks of 4 KB. */
const CHUNK_BITS_MAX = 16;
const BLOCKS_OF_CHUNK = 16;
/** Of the file, those that are kept. */
const BLOCKS = 256;

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

  /** `file` takes what does not fit in memory (default: all origins stay there). */
  constructor(file?: ChunkFile) {
    const chunkBits = Math.min(CHUNK_BITS_MAX, chunkBitsFor(file));
    this.#bits = chunkBits - 2;
    this.#mask = 2 ** this.#bits - 1;
    this.#full = new FullChunks(file, { blockBytes: 2 ** chunkBits / BLOCKS_OF_CHUNK, blocks: BLOCKS });
    this.#last = new Uint32Array(2 ** this.#bits);
  }

  /** The origin of the next URL. */
  add(origin: number): void {
    assert(origin < 2 ** 31, "fewer than 2^31 origins");
    const at = this.#size++ & this.#mask;
    this.#last[at] = origin;
    if (at === this.#mask) this.#fill();
  }

  #fill(): void {
    const width = bytesOf(this.#last.reduce((most, origin) => Math.max(most, origin)));
    const chunk = new Uint8Array(width * this.#last.length);
    for (const [k, origin] of this.#last.entries()) {
      for (let byte = 0; byte < width; byte++) chunk[width * k + byte] = origin >>> (8 * byte);
    }
    this.#widths.push(width);
    this.#full.add(chunk);
  }

  of(url: number): number {
    const chunk = url >>> this.#bits;
    const place = url & this.#mask;
    if (chunk >= this.#full.count) return this.#last[place];
    const width = this.#widths[chunk];
    const { bytes, at } = this.#full.find(chunk, width * place, width);
    let origin = bytes[at];
    for (let byte = 1; byte < width; byte++) origin |= bytes[at + byte] << (8 * byte);
    return origin;
  }
}

function bytesOf(number: number): number {
  return Math.ceil((32 - Math.clz32(number | 1)) / 8);
}
