/** 64-bit fingerprints of URLs and bodies: XXH64, seeded, as two halves of 32 bits. */
import xxhash from "xxhash-wasm";

type XxHash = Awaited<ReturnType<typeof xxhash>>;

export class Fingerprinter {
  /** The halves of the last fingerprint made; read them before the next. */
  high = 0;
  low = 0;
  readonly #hash: XxHash;
  readonly #seed: bigint;

  private constructor(hash: XxHash, seed: number) {
    this.#hash = hash;
    this.#seed = BigInt(seed);
  }

  static async create(seed: number): Promise<Fingerprinter> {
    return new Fingerprinter(await xxhash(), seed);
  }

  text(text: string): void {
    const hash = this.#hash.h64(text, this.#seed);
    this.low = Number(hash & 0xffffffffn);
    this.high = Number(hash >> 32n);
  }

  /** The fingerprint of a body as the 8 bytes in which it is stored; null for an empty one. */
  digest(body: Uint8Array): Uint8Array | null {
    if (body.length === 0) return null;
    const digest = new Uint8Array(8);
    new DataView(digest.buffer).setBigUint64(0, this.#hash.h64Raw(body, this.#seed));
    return digest;
  }
}
