/**
 * Fewest links from a seed to each URL, of the links that a log has: a shorter way may be found after the URL was
 * discovered. A redirect is no link. Whoever has the URLs keeps the depths too.
 */
import type { Redirects } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";

/** Greater depths are stored as this one. */
export const DEPTH_MAX = 255;

/** Where the depth of each URL stands. */
export interface DepthColumn {
  depthOf(url: number): number;
  /** At most `DEPTH_MAX`. */
  setDepth(url: number, depth: number): void;
}

export interface DepthsOptions {
  readonly column: DepthColumn;
  readonly links: LinkTable;
  readonly redirects: Redirects;
  /** A shorter way to this URL was found. */
  readonly lowered?: (url: number) => void;
}

export class Depths {
  readonly #options: DepthsOptions;
  /** URLs whose targets may be closer than they were. */
  readonly #stack: number[] = [];

  constructor(options: DepthsOptions) {
    this.#options = options;
  }

  /** A URL was discovered at this depth; a seed is where depth begins. */
  set(url: number, depth: number): void {
    this.#options.column.setDepth(url, Math.min(DEPTH_MAX, depth));
  }

  /** A URL was fetched or redirects: a way to it is a way to all that it links to, and to where it redirects. */
  extend(from: number): void {
    const { column, links, redirects } = this.#options;
    const { targets, starts, ends } = links;
    this.#stack.push(from);
    for (let url = this.#stack.pop(); url !== undefined; url = this.#stack.pop()) {
      const depth = column.depthOf(url);
      this.#lower(redirects.resolve(url), depth);
      for (let k = starts[url]; k < ends[url]; k++) this.#lower(targets[k], depth + 1);
    }
  }

  #lower(url: number, depth: number): void {
    const { column, lowered } = this.#options;
    if (column.depthOf(url) <= depth) return;
    column.setDepth(url, depth);
    this.#stack.push(url);
    lowered?.(url);
  }
}
