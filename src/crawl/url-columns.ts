/**
 * What a URL is, besides its text: origin, depth and state, in one word of 32 bits. Where there are more origins than
 * fit into it, their upper bits are in a byte of their own.
 */
import { assert, enlarged } from "../base/index.ts";
import { DEPTH_MAX, type DepthColumn } from "../log/index.ts";

/** Who has seven or fewer states has room for one more. */
const STATE_BITS = 3;
const STATE_MASK = 2 ** STATE_BITS - 1;
const DEPTH_MASK = DEPTH_MAX << STATE_BITS;
const ORIGIN_SHIFT = STATE_BITS + 8;
const ORIGIN_BITS = 32 - ORIGIN_SHIFT;
const ORIGINS_MAX = 2 ** (ORIGIN_BITS + 8);

export class UrlColumns implements DepthColumn {
  #words = new Uint32Array(1024);
  /** From the first origin on that needs it. */
  #upperOrigins: Uint8Array | undefined;

  get capacity(): number {
    return this.#words.length;
  }

  grow(capacity: number): void {
    this.#words = enlarged(this.#words, capacity);
    if (this.#upperOrigins !== undefined) this.#upperOrigins = enlarged(this.#upperOrigins, capacity);
  }

  /** A new URL, of state 0. */
  enter(url: number, origin: number, depth: number): void {
    assert(origin < ORIGINS_MAX, "fewer than 2^29 origins");
    this.#words[url] = (origin << ORIGIN_SHIFT) | (depth << STATE_BITS);
    const upper = origin >>> ORIGIN_BITS;
    if (upper === 0) return;
    this.#upperOrigins ??= new Uint8Array(this.capacity);
    this.#upperOrigins[url] = upper;
  }

  originOf(url: number): number {
    const origin = this.#words[url] >>> ORIGIN_SHIFT;
    return this.#upperOrigins === undefined ? origin : origin | (this.#upperOrigins[url] << ORIGIN_BITS);
  }

  stateOf(url: number): number {
    return this.#words[url] & STATE_MASK;
  }

  setState(url: number, state: number): void {
    this.#words[url] = (this.#words[url] & ~STATE_MASK) | state;
  }

  depthOf(url: number): number {
    return (this.#words[url] & DEPTH_MASK) >>> STATE_BITS;
  }

  setDepth(url: number, depth: number): void {
    this.#words[url] = (this.#words[url] & ~DEPTH_MASK) | (depth << STATE_BITS);
  }
}
