import { UsageError } from "../../base/index.ts";
import { Code, log2 } from "./codes.ts";

/**
 * Reads the codes of `codes.ts` from bytes. Short numbers, which are nearly all, are cut out of one unaligned 32-bit
 * load with at least 25 valid bits. The position is kept as byte and bit, so that files of gigabytes never need a bit
 * index above 2^31.
 *
 * Bits after the last byte read as zeros. The file is truncated if a number begins there, or if `requireInside` finds
 * the position after the end.
 */
export class BitReader {
  readonly #view: DataView;
  readonly #bytes: number;
  readonly #parameter: number;
  readonly #file: string;
  #byte = 0;
  #bit = 0;

  constructor(source: { readonly bytes: Uint8Array; readonly parameter: number; readonly file: string }) {
    const { bytes } = source;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bytes = bytes.byteLength;
    this.#parameter = source.parameter;
    this.#file = source.file;
  }

  /** In bits from the start of the file. */
  get position(): number {
    return 8 * this.#byte + this.#bit;
  }

  seek(position: number): void {
    this.#byte = Math.floor(position / 8);
    this.#bit = position % 8;
  }

  requireInside(): void {
    if (this.position > 8 * this.#bytes) this.#truncated();
  }

  read(code: Code): number {
    switch (code) {
      case Code.gamma:
        return this.gamma();
      case Code.zeta:
        return this.#zeta();
      case Code.unary:
        return this.#unary();
      case Code.delta:
        return this.#below(this.gamma());
      case Code.nibble:
        return this.#nibble();
      case Code.golomb:
        return this.#golomb();
    }
  }

  gamma(): number {
    const word = this.#peek();
    const width = Math.clz32(word);
    if (width > 12) return this.#below(this.#unary());
    this.#skip(2 * width + 1);
    return ((word >>> 1) >>> (30 - 2 * width)) - 1;
  }

  /** y - 1, where `width` is the position of the leading one of y and the other bits of y come next. */
  #below(width: number): number {
    if (width > 31) this.#tooLarge();
    return 2 ** width + this.#bits(width) - 1;
  }

  #zeta(): number {
    const k = this.#parameter;
    const word = this.#peek();
    const h = Math.clz32(word);
    const width = h * k + k - 1;
    if (h + width > 23) return this.#longZeta();
    const rest = word << (h + 1);
    const left = 1 << (h * k);
    const offset = (rest >>> 1) >>> (31 - width);
    if (offset < left) {
      this.#skip(h + 1 + width);
      return offset + left - 1;
    }
    this.#skip(h + 2 + width);
    return ((rest >>> 1) >>> (30 - width)) - 1;
  }

  #longZeta(): number {
    const k = this.#parameter;
    const h = this.#unary();
    if (h * k > 31) this.#tooLarge();
    const left = 2 ** (h * k);
    const offset = this.#bits(h * k + k - 1);
    const value = offset < left ? offset + left - 1 : 2 * offset + this.#bits(1) - 1;
    return this.#small(value);
  }

  #unary(): number {
    let zeros = 0;
    for (;;) {
      const word = this.#peek();
      if (word !== 0) {
        const last = Math.clz32(word);
        this.#skip(last + 1);
        return zeros + last;
      }
      this.#skip(25);
      zeros += 25;
    }
  }

  #nibble(): number {
    let value = 0;
    for (;;) {
      const nibble = this.#bits(4);
      value = this.#small(8 * value + (nibble & 7));
      if (nibble >= 8) return value;
    }
  }

  #golomb(): number {
    const modulus = this.#parameter;
    const quotient = this.#unary();
    const width = log2(modulus);
    const short = 2 ** (width + 1) - modulus;
    let remainder = this.#bits(width);
    if (remainder >= short) remainder = 2 * remainder + this.#bits(1) - short;
    return this.#small(quotient * modulus + remainder);
  }

  #bits(width: number): number {
    let value = 0;
    for (let left = width; left > 0; ) {
      const taken = Math.min(left, 24);
      value = value * 2 ** taken + (this.#peek() >>> (32 - taken));
      this.#skip(taken);
      left -= taken;
    }
    return value;
  }

  /** The next bits, from the top of a 32-bit word. At least 25 are valid; missing ones are zero. */
  #peek(): number {
    return this.#byte + 4 <= this.#bytes ? this.#view.getInt32(this.#byte) << this.#bit : this.#peekAtEnd();
  }

  #peekAtEnd(): number {
    if (this.#byte >= this.#bytes) this.#truncated();
    let word = 0;
    for (let i = 0; i < 4 && this.#byte + i < this.#bytes; i++) {
      word |= this.#view.getUint8(this.#byte + i) << (24 - 8 * i);
    }
    return word << this.#bit;
  }

  #skip(bits: number): void {
    const bit = this.#bit + bits;
    this.#byte += bit >>> 3;
    this.#bit = bit & 7;
  }

  #small(value: number): number {
    if (value >= 2 ** 32) this.#tooLarge();
    return value;
  }

  #tooLarge(): never {
    throw new UsageError(
      `the ${this.#file} file has a number of 2^32 or more before byte ${this.#byte}, which no page id needs: ` +
        "the file is damaged, or it does not belong to its .properties file",
    );
  }

  #truncated(): never {
    throw new UsageError(
      `the ${this.#file} file ends too early, after ${this.#bytes} bytes: ` +
        "it is truncated, or it does not belong to its .properties file",
    );
  }
}
