/**
 * Chunks of bytes that never change again, in the order in which they became full.
 *
 * When all take more memory than the file says, if there is one, the oldest go into it. A chunk that cannot be written
 * stays in memory, and so do all later ones. What cannot be read any more throws whatever the file throws, every time.
 */
import { assert } from "./errors.ts";
import { type ChunkFile, type FoundBytes, SpilledChunks } from "./spilled-chunks.ts";

const CHUNKS_IN_MEMORY = 16;
const CHUNK_BITS_MIN = 6;
/** Blocks in which a file is read: of 64 KB for chunks of 1 MB. */
const BLOCKS_OF_CHUNK = 16;

export class FullChunks implements FoundBytes {
  /** What `find` has found in memory. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  /** Of those in the file nothing is left here. */
  readonly #chunks: (Uint8Array | undefined)[] = [];
  readonly #spilled: SpilledChunks | undefined;
  /** How many bytes are in memory, and how many may be. */
  #memoryBytes = 0;
  #memoryBytesMax: number;

  /** `file` takes what does not fit in memory (default: all chunks stay there). Chunks have so many bytes at most. */
  constructor(file: ChunkFile | undefined, chunkBytes: number) {
    this.#memoryBytesMax = file?.memoryBytes ?? Number.POSITIVE_INFINITY;
    this.#spilled = file && new SpilledChunks(file, chunkBytes / BLOCKS_OF_CHUNK);
  }

  get count(): number {
    return this.#chunks.length;
  }

  /** How many are in the file: the first ones. */
  get spilledCount(): number {
    return this.#spilled?.count ?? 0;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#memoryBytes += chunk.length;
    if (this.#spilled !== undefined) this.#spill(this.#spilled);
  }

  /** Moves the oldest chunks into the file, as long as they take too much memory. */
  #spill(spilled: SpilledChunks): void {
    for (let oldest = spilled.count; this.#memoryBytes > this.#memoryBytesMax; oldest++) {
      const chunk = this.#chunks[oldest];
      assert(chunk !== undefined, "chunks that are not in the file are in memory");
      if (!spilled.add(chunk)) {
        this.#memoryBytesMax = Number.POSITIVE_INFINITY;
        return;
      }
      this.#chunks[oldest] = undefined;
      this.#memoryBytes -= chunk.length;
    }
  }

  /** Finds so many bytes of a chunk, from this place on; fewer where it ends before. They stay until the next call. */
  find(chunk: number, at: number, count: number): FoundBytes {
    const bytes = this.#chunks[chunk];
    if (bytes === undefined) return this.#findSpilled(chunk, at, count);
    this.bytes = bytes;
    this.at = at;
    return this;
  }

  #findSpilled(chunk: number, at: number, count: number): FoundBytes {
    const spilled = this.#spilled;
    assert(spilled !== undefined, "a chunk that is not in memory is in the file");
    return spilled.find(chunk, at, count);
  }
}

/** How large chunks may be, as a power of two: a sixteenth of what the file leaves in memory. */
export function chunkBitsFor(file: ChunkFile | undefined): number {
  const memoryBytes = file?.memoryBytes ?? Number.POSITIVE_INFINITY;
  return Math.max(CHUNK_BITS_MIN, Math.floor(Math.log2(memoryBytes / CHUNKS_IN_MEMORY)));
}
