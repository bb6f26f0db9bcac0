import { type BitSink, Code, log2 } from "./codes.ts";

/** Writes the codes of `codes.ts` in chunks, which the receiver may keep. `finish` fills the last byte with zeros. */
export class BitWriter implements BitSink {
  readonly #parameter: number;
  readonly #receive: (chunk: Uint8Array) => void;
  #chunk = new DataView(new ArrayBuffer(CHUNK_BYTES));
  #filled = 0;
  #handedOn = 0;
  /** The bits not yet in the chunk, from the top; `#free` bits are unused. */
  #word = 0;
  #free = 32;

  constructor(parameter: number, receive: (chunk: Uint8Array) => void) {
    this.#parameter = parameter;
    this.#receive = receive;
  }

  /** The number of bits written so far. */
  get position(): number {
    return 8 * (this.#handedOn + this.#filled) + 32 - this.#free;
  }

  write(code: Code, value: number): void {
    switch (code) {
      case Code.unary:
        return this.#unary(value);
      case Code.gamma:
        return this.#gamma(value);
      case Code.delta: {
        const width = log2(value + 1);
        this.#gamma(width);
        return this.#bits(value + 1 - 2 ** width, width);
      }
      case Code.zeta:
        return this.#zeta(value);
      case Code.nibble:
        return this.#nibble(value);
      case Code.golomb: {
        this.#unary(Math.floor(value / this.#parameter));
        return this.#minimalBinary(value % this.#parameter, this.#parameter);
      }
    }
  }

  finish(): void {
    const bytes = Math.ceil((32 - this.#free) / 8);
    this.#chunk.setInt32(this.#filled, this.#word);
    this.#filled += bytes;
    this.#word = 0;
    this.#free = 32;
    this.#handOn();
  }

  #unary(value: number): void {
    let zeros = value;
    for (; zeros > 31; zeros -= 31) this.#bits(0, 31);
    this.#bits(1, zeros + 1);
  }

  #gamma(value: number): void {
    const width = log2(value + 1);
    if (width > 15) {
      this.#bits(0, width);
      this.#bits(value + 1, width + 1);
    } else {
      this.#bits(value + 1, 2 * width + 1);
    }
  }

  #zeta(value: number): void {
    const k = this.#parameter;
    const h = Math.floor(log2(value + 1) / k);
    this.#unary(h);
    const left = 2 ** (h * k);
    const offset = value + 1 - left;
    // Minimal binary below 2^(hk + k) - 2^hk: the first 2^hk offsets are the short ones.
    const width = offset < left ? h * k + k - 1 : h * k + k;
    if (width > 32) this.#bits(0, width - 32);
    this.#bits(offset < left ? offset : value + 1, Math.min(width, 32));
  }

  #nibble(value: number): void {
    for (let group = Math.floor(log2(Math.max(value, 1)) / 3); group >= 0; group--) {
      this.#bits(group === 0 ? 1 : 0, 1);
      this.#bits(Math.floor(value / 8 ** group) & 7, 3);
    }
  }

  #minimalBinary(value: number, bound: number): void {
    const width = log2(bound);
    const short = 2 ** (width + 1) - bound;
    if (value < short) this.#bits(value, width);
    else this.#bits(value + short, width + 1);
  }

  /** Writes a value below 2^width in `width` bits, at most 32. */
  #bits(value: number, width: number): void {
    if (width < this.#free) {
      this.#free -= width;
      this.#word |= value << this.#free;
      return;
    }
    const rest = width - this.#free;
    this.#chunk.setInt32(this.#filled, this.#word | (value >>> rest));
    this.#filled += 4;
    if (this.#filled === CHUNK_BYTES) this.#handOn();
    this.#free = 32 - rest;
    this.#word = rest === 0 ? 0 : value << this.#free;
  }

  #handOn(): void {
    if (this.#filled === 0) return;
    this.#receive(new Uint8Array(this.#chunk.buffer, 0, this.#filled));
    this.#handedOn += this.#filled;
    this.#chunk = new DataView(new ArrayBuffer(CHUNK_BYTES));
    this.#filled = 0;
  }
}

const CHUNK_BYTES = 1 << 16;
