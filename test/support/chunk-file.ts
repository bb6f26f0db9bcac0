import type { ChunkFile } from "../../src/graph/index.ts";

/** A file of chunks in memory, which can be full and can be broken; also a scratch file for a store. */
export class ChunksInMemory implements ChunkFile {
  readonly memoryBytes: number;
  /** How many bytes it takes in all. */
  bytesMax = Number.POSITIVE_INFINITY;
  /** What a read throws. */
  failure: Error | undefined;
  /** How many bytes each read has asked for. */
  readonly reads: number[] = [];
  length = 0;
  /** How often somebody has tried to append. */
  attempts = 0;
  #bytes = new Uint8Array(256);

  constructor(memoryBytes: number) {
    this.memoryBytes = memoryBytes;
  }

  append(bytes: Uint8Array): boolean {
    this.attempts++;
    if (this.length + bytes.length > this.bytesMax) return false;
    if (this.length + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.length + bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return true;
  }

  read(bytes: Uint8Array, place: number): void {
    if (this.failure !== undefined) {
      // As a read that was interrupted halfway.
      bytes.fill(0);
      throw this.failure;
    }
    if (place + bytes.length > this.length) throw new Error(`bytes behind the end of ${this.length} were read`);
    this.reads.push(bytes.length);
    bytes.set(this.#bytes.subarray(place, place + bytes.length));
  }

  close(): void {}
}
