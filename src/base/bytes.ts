/** Numbers and texts as bytes, one after the other: for records that are stored or sent. */
import { assert } from "./errors.ts";

/** Whole numbers up to 2^53 - 1 take 7 bits per byte, least significant first. */
const VARINT_BYTES_MAX = 8;
/** Of UTF-8, per unit of UTF-16. */
export const BYTES_PER_CHARACTER_MAX = 3;

export class ByteWriter {
  #bytes: Buffer;
  #at = 0;

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#at;
  }

  /** A whole number, not negative. */
  number(value: number): void {
    this.#reserve(VARINT_BYTES_MAX);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#at++] = (rest % 128) | 128;
      // Division is slow, and most numbers are small.
      rest = rest < 2 ** 31 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.#bytes[this.#at++] = rest;
  }

  /** 32 bits. */
  uint32(value: number): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** Most texts have a byte per character: so much room is left for their length, and to count bytes first is slow. */
  text(value: string): void {
    this.#reserve(VARINT_BYTES_MAX + BYTES_PER_CHARACTER_MAX * value.length);
    const room = varintLength(value.length);
    const length = this.#bytes.write(value, this.#at + room);
    const needed = varintLength(length);
    if (needed > room) this.#bytes.copyWithin(this.#at + needed, this.#at + room, this.#at + room + length);
    this.number(length);
    this.#at += length;
  }

  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** All that was written; the writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafe(Math.max(1024, this.#at));
    this.#at = 0;
    return taken;
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#at + length, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) length++;
  return length;
}

/** Reads what a `ByteWriter` wrote. Bytes that are cut off or damaged make it throw, sooner or later. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  number(): number {
    let value = 0;
    let weight = 1;
    for (let k = 0; k < VARINT_BYTES_MAX; k++) {
      assert(this.#at < this.#bytes.length, "the bytes end with a whole number");
      const byte = this.#bytes[this.#at++];
      value += (byte & 127) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
    throw new Error("assertion failed: a number has at most 53 bits");
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#advance(8));
  }

  text(): string {
    const length = this.number();
    const start = this.#advance(length);
    return this.#bytes.toString("utf8", start, start + length);
  }

  /** A copy. */
  bytes(): Uint8Array {
    const length = this.number();
    const start = this.#advance(length);
    return Uint8Array.prototype.slice.call(this.#bytes, start, start + length);
  }

  /** What `text` or `bytes` would read. */
  skipBytes(): void {
    this.#advance(this.number());
  }

  skipDouble(): void {
    this.#advance(8);
  }

  #advance(length: number): number {
    const start = this.#at;
    assert(start + length <= this.#bytes.length, "the bytes are all there");
    this.#at = start + length;
    return start;
  }
}
