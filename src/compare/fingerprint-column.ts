/** A 64-bit fingerprint for each of many things, 9 bytes each; one that was never set is not known. */
export class FingerprintColumn {
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #isKnown: Uint8Array;

  constructor(length: number) {
    this.#high = new Uint32Array(length);
    this.#low = new Uint32Array(length);
    this.#isKnown = new Uint8Array(length);
  }

  set(index: number, high: number, low: number): void {
    this.#high[index] = high;
    this.#low[index] = low;
    this.#isKnown[index] = 1;
  }

  forget(index: number): void {
    this.#isKnown[index] = 0;
  }

  /** Whether an entry is the same as one of another column; undefined where one of them is not known. */
  isSame(index: number, other: FingerprintColumn, otherIndex: number): boolean | undefined {
    if (this.#isKnown[index] === 0 || other.#isKnown[otherIndex] === 0) return undefined;
    return this.#high[index] === other.#high[otherIndex] && this.#low[index] === other.#low[otherIndex];
  }
}
