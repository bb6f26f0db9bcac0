/**
 * Fewest links from a seed to each URL, of the links that a log has: a shorter way may be found after the URL was
 * discovered. A redirect is no link. One byte per URL.
 */
import { enlarged } from "../base/index.ts";
import type { Redirects } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";

/** Greater depths are stored as this one. */
export const DEPTH_MAX = 255;

export interface DepthsOptions {
  readonly links: LinkTable;
  readonly redirects: Redirects;
  /** A shorter way to this URL was found. */
  readonly lowered?: (url: number) => void;
}

export class Depths {
  readonly #options: DepthsOptions;
  #depths = new Uint8Array(1024);
  /** URLs whose targets may be closer than they were. */
  readonly #stack: number[] = [];

  constructor(options: DepthsOptions) {
    this.#options = options;
  }

  of(url: number): number {
    return this.#depths[url];
  }

  grow(capacity: number): void {
    this.#depths = enlarged(this.#depths, capacity);
  }

  /** A URL was discovered at this depth; a seed is where depth begins. */
  set(url: number, depth: number): void {
    this.#depths[url] = Math.min(DEPTH_MAX, depth);
  }

  /** A URL was fetched or redirects: a way to it is a way to all that it links to, and to where it redirects. */
  extend(from: number): void {
    const { links, redirects } = this.#options;
    this.#stack.push(from);
    for (let url = this.#stack.pop(); url !== undefined; url = this.#stack.pop()) {
      const depth = this.#depths[url];
      this.#lower(redirects.resolve(url), depth);
      const { targets, start, end } = links.row(url);
      for (let k = start; k < end; k++) this.#lower(targets[k], depth + 1);
    }
  }

  #lower(url: number, depth: number): void {
    if (this.#depths[url] <= depth) return;
    this.#depths[url] = depth;
    this.#stack.push(url);
    this.#options.lowered?.(url);
  }
}
