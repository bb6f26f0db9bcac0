/**
 * What a URL is, besides its text: origin, depth and state. Depth and state share a byte. The few depths from 30 to 254
 * are in blocks of their own, made when the first one comes; the greatest, that of all sinks, has a code.
 *
 * Cost: 1 byte per URL, 2 for URLs whose numbers are near that of a deep one; the origin on top (origin-column.ts).
 */
import { type ChunkFile, enlarged } from "../base/index.ts";
import { DEPTH_MAX, type DepthColumn } from "../log/index.ts";
import { OriginColumn } from "./origin-column.ts";

/** Who has seven or fewer states has room for one more. */
const STATE_BITS = 3;
const STATE_MASK = 2 ** STATE_BITS - 1;
/** Stands for depths from here on, but for the greatest. */
const DEEP = 30;
const DEEPEST = 31;
const BLOCK_BITS = 12;
const BLOCK_MASK = 2 ** BLOCK_BITS - 1;

export class UrlColumns implements DepthColumn {
  readonly #origins: OriginColumn;
  #bytes = new Uint8Array(1024);
  /** Depths of all URLs of a block, of which only the deep ones are read. */
  readonly #deep: Uint8Array[] = [];

  /** `file` takes origins that do not fit in memory (default: all stay there). */
  constructor(file?: ChunkFile) {
    this.#origins = new OriginColumn(file);
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  grow(capacity: number): void {
    this.#bytes = enlarged(this.#bytes, capacity);
  }

  /** The next URL, of state 0. */
  enter(url: number, origin: number, depth: number): void {
    this.#origins.add(origin);
    this.setDepth(url, depth);
  }

  originOf(url: number): number {
    return this.#origins.of(url);
  }

  stateOf(url: number): number {
    return this.#bytes[url] & STATE_MASK;
  }

  setState(url: number, state: number): void {
    this.#bytes[url] = (this.#bytes[url] & ~STATE_MASK) | state;
  }

  depthOf(url: number): number {
    const depth = this.#bytes[url] >>> STATE_BITS;
    if (depth < DEEP) return depth;
    return depth === DEEPEST ? DEPTH_MAX : this.#deep[url >>> BLOCK_BITS][url & BLOCK_MASK];
  }

  setDepth(url: number, depth: number): void {
    let code = depth;
    if (depth === DEPTH_MAX) code = DEEPEST;
    else if (depth >= DEEP) {
      code = DEEP;
      (this.#deep[url >>> BLOCK_BITS] ??= new Uint8Array(2 ** BLOCK_BITS))[url & BLOCK_MASK] = depth;
    }
    this.#bytes[url] = (code << STATE_BITS) | (this.#bytes[url] & STATE_MASK);
  }
}
