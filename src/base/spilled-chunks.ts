/**
 * Chunks of bytes that were moved out of memory into a file, one after the other, and that never change again.
 *
 * The file is read in blocks, of which the last ones used are kept: whoever reads all rows from the first to the last
 * reads the file in large pieces, and whoever reads a few rows here and there often finds them in memory. What crosses
 * the end of a block is read by itself.
 */
import { capacityFor } from "./collections.ts";
import { assert } from "./errors.ts";

/**
 * A file that is appended to and read, for bytes that would take too much memory. The code that fills it opens no
 * files: whoever runs a crawl provides one.
 */
export interface ChunkFile {
  /** How many bytes stay in memory, the newest ones, before the first go into the file. */
  readonly memoryBytes: number;
  /** Writes bytes behind those that are there. False where that is not possible: then what is there stays as it was. */
  append(bytes: Uint8Array): boolean;
  /** Fills `bytes` with what was appended, from this place on. Throws where it cannot be read: then all is lost. */
  read(bytes: Uint8Array, place: number): void;
}

/** Blocks that are kept. */
const BLOCKS = 16;

/** Where something was found: in these bytes, from this place on. */
export interface FoundBytes {
  readonly bytes: Uint8Array;
  readonly at: number;
}

export class SpilledChunks implements FoundBytes {
  /** What `find` has found. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  readonly #file: ChunkFile;
  readonly #blockBytes: number;
  /** Where each chunk begins in the file, and where the last one ends. */
  readonly #begins = [0];
  /** The blocks that are kept, each in the slot that its number implies, and their numbers; -1 where there is none. */
  readonly #blocks: Uint8Array[] = [];
  readonly #numbers = new Int32Array(BLOCKS).fill(-1);
  /** The block that was found last, and where it begins in the file; nowhere before the first. */
  #block: Uint8Array = new Uint8Array(0);
  #start = Number.POSITIVE_INFINITY;
  #crossing = new Uint8Array(0);

  constructor(file: ChunkFile, blockBytes: number) {
    this.#file = file;
    this.#blockBytes = blockBytes;
  }

  /** How many chunks there are. */
  get count(): number {
    return this.#begins.length - 1;
  }

  get #end(): number {
    return this.#begins[this.count];
  }

  /** Moves the next chunk into the file. False where that is not possible: then it stays in memory. */
  add(chunk: Uint8Array): boolean {
    if (!this.#file.append(chunk)) return false;
    this.#begins.push(this.#end + chunk.length);
    return true;
  }

  /** Finds so many bytes of a chunk, from this place on; fewer where the file ends before. They stay until the next. */
  find(chunk: number, at: number, count: number): FoundBytes {
    const from = this.#begins[chunk] + at;
    const offset = from - this.#start;
    if (offset >= 0 && offset + count <= this.#block.length) {
      this.bytes = this.#block;
      this.at = offset;
    } else this.#findElsewhere(from, Math.min(from + count, this.#end));
    return this;
  }

  #findElsewhere(from: number, to: number): void {
    assert(to > from, "what is looked for is in the file");
    const size = this.#blockBytes;
    const number = Math.floor(from / size);
    const start = number * size;
    if (to > start + size || start + size > this.#end) return this.#readAlone(from, to);
    this.#load(number);
    this.bytes = this.#block;
    this.at = from - start;
  }

  #load(number: number): void {
    const slot = number % this.#numbers.length;
    const block = (this.#blocks[slot] ??= new Uint8Array(this.#blockBytes));
    const start = number * this.#blockBytes;
    if (this.#numbers[slot] !== number) {
      // A block that could only be read in part is nobody's.
      this.#numbers[slot] = -1;
      this.#start = Number.POSITIVE_INFINITY;
      this.#file.read(block, start);
      this.#numbers[slot] = number;
    }
    this.#block = block;
    this.#start = start;
  }

  #readAlone(from: number, to: number): void {
    if (to - from > this.#crossing.length) {
      this.#crossing = new Uint8Array(capacityFor(to - from, this.#crossing.length));
    }
    this.#file.read(this.#crossing.subarray(0, to - from), from);
    this.bytes = this.#crossing;
    this.at = 0;
  }
}
