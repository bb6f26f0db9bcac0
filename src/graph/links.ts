import { assert, capacityFor, enlarged } from "../base/index.ts";
import type { Graph } from "./graph.ts";

/**
 * The out-links of pages as a crawl discovers them. Unlike a `Graph` it may grow, and a row may name a target more than
 * once (several links to one page); each entry is one link.
 *
 * Read the arrays again after every download: growing replaces them.
 */
export interface LinkTable {
  /** The links of page i are `targets[starts[i]]` to `targets[ends[i] - 1]`. */
  readonly targets: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The links of a whole graph, without a copy. */
export function linksOf(graph: Graph): LinkTable {
  return { targets: graph.targets, starts: graph.offsets, ends: graph.offsets.subarray(1) };
}

/** A link table that a crawl fills page by page, in any order, each page once. */
export class GrowingLinks implements LinkTable {
  targets = new Uint32Array(1024);
  /** The row of a page that was not set yet starts after its end. */
  starts = new Uint32Array(256).fill(1);
  ends = new Uint32Array(256);
  #used = 1;

  set(page: number, links: ArrayLike<number>): void {
    const end = this.#used + links.length;
    assert(end < 2 ** 32, "fewer than 2^32 links");
    if (page >= this.starts.length) {
      const pages = capacityFor(page + 1, this.starts.length);
      this.starts = enlarged(this.starts, pages).fill(1, this.starts.length);
      this.ends = enlarged(this.ends, pages);
    }
    if (end > this.targets.length)
      this.targets = enlarged(this.targets, capacityFor(end, this.targets.length));
    this.targets.set(links, this.#used);
    this.starts[page] = this.#used;
    this.ends[page] = end;
    this.#used = end;
  }
}
