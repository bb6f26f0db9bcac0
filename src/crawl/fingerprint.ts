/** 64-bit fingerprints of URLs and bodies: XXH64, seeded, as two halves of 32 bits. */
import xxhash from "xxhash-wasm";

export class Fingerprinter {
  /** The halves of the last fingerprint made; read them before the next. */
  high = 0;
  low = 0;
  readonly #ofText: (text: string, seed: bigint) => bigint;
  readonly #ofBytes: (bytes: Uint8Array, seed: bigint) => bigint;
  readonly #seed: bigint;

  private constructor(hash: Awaited<ReturnType<typeof xxhash>>, seed: number) {
    this.#ofText = hash.h64;
    this.#ofBytes = hash.h64Raw;
    this.#seed = BigInt(seed);
  }

  static async create(seed: number): Promise<Fingerprinter> {
    return new Fingerprinter(await xxhash(), seed);
  }

  text(text: string): void {
    this.#take(this.#ofText(text, this.#seed));
  }

  /** The fingerprint of a body as the 8 bytes in which it is stored; null for an empty one. */
  digest(body: Uint8Array): Uint8Array | null {
    if (body.length === 0) return null;
    const digest = new Uint8Array(8);
    new DataView(digest.buffer).setBigUint64(0, this.#ofBytes(body, this.#seed));
    return digest;
  }

  #take(hash: bigint): void {
    this.low = Number(hash & 0xffffffffn);
    this.high = Number(hash >> 32n);
  }
}
