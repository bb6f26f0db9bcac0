/** 64-bit fingerprints of URLs and bodies: XXH64, each with a seed of its own, as two halves of 32 bits. */
import xxhash from "xxhash-wasm";

/** With which seed a crawl makes the digests of bodies: digests of two crawls with the same seed can be compared. */
export function digestSeedOf(web: { readonly digestSeed?: number; readonly hashSeed: number }): number {
  return web.digestSeed ?? web.hashSeed;
}

type XxHash = Awaited<ReturnType<typeof xxhash>>;

export class Fingerprinter {
  /** The halves of the last fingerprint made; read them before the next. */
  high = 0;
  low = 0;
  readonly #hash: XxHash;
  readonly #seed: bigint;
  readonly #digestSeed: bigint;

  private constructor(hash: XxHash, seed: number, digestSeed: number) {
    this.#hash = hash;
    this.#seed = BigInt(seed);
    this.#digestSeed = BigInt(digestSeed);
  }

  /** `digestSeed` is for bodies, `seed` for everything else. */
  static async create(seed: number, digestSeed = seed): Promise<Fingerprinter> {
    return new Fingerprinter(await xxhash(), seed, digestSeed);
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
    new DataView(digest.buffer).setBigUint64(0, this.#hash.h64Raw(body, this.#digestSeed));
    return digest;
  }
}
