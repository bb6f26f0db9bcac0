/** A list of 32-bit numbers that grows by whole chunks, from 4 KiB to 16 MiB, so nothing is copied while it grows. */
const CHUNK_LENGTH_MIN = 1 << 10;
const CHUNK_LENGTH_MAX = 1 << 22;

export class ChunkedList {
  readonly #full: Uint32Array[] = [];
  #fullLength = 0;
  #chunk = new Uint32Array(CHUNK_LENGTH_MIN);
  #used = 0;

  get length(): number {
    return this.#fullLength + this.#used;
  }

  push(value: number): void {
    if (this.#used === this.#chunk.length) this.#grow();
    this.#chunk[this.#used++] = value;
  }

  /** The numbers in order, chunk by chunk. */
  *chunks(): Generator<Uint32Array> {
    yield* this.#full;
    yield this.#chunk.subarray(0, this.#used);
  }

  copyTo<T extends Uint32Array>(destination: T): T {
    let at = 0;
    for (const chunk of this.chunks()) {
      destination.set(chunk, at);
      at += chunk.length;
    }
    return destination;
  }

  #grow(): void {
    this.#full.push(this.#chunk);
    this.#fullLength += this.#used;
    this.#chunk = new Uint32Array(Math.min(this.#fullLength, CHUNK_LENGTH_MAX));
    this.#used = 0;
  }
}
