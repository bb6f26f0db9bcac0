/**
 * Finds the pages within some hops of others: breadth-first search with a bound. A stamp per page says which walk saw
 * it last, so nothing is cleared between walks. Memory: 8 bytes per page; a walk allocates nothing.
 */
import type { Graph } from "../graph/index.ts";

const STAMP_MAX = 0xffffffff;

export class BoundedWalk {
  /** After a walk its first entries are the pages reached, nearest first. */
  readonly reached: Uint32Array;
  /** Links visited so far, by all walks. */
  steps = 0;
  readonly #graph: Graph;
  readonly #stamps: Uint32Array;
  #stamp = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.reached = new Uint32Array(graph.pages);
    this.#stamps = new Uint32Array(graph.pages);
  }

  /** Walks from the first `count` sources. Returns how many pages were reached, sources included. */
  walk(sources: Uint32Array, count: number, depth: number): number {
    const { reached } = this;
    const stamps = this.#stamps;
    const stamp = this.#nextStamp();
    let length = 0;
    for (let i = 0; i < count; i++) {
      if (stamps[sources[i]] === stamp) continue;
      stamps[sources[i]] = stamp;
      reached[length++] = sources[i];
    }
    return this.#spread(length, depth, stamp);
  }

  /** Walks from the pages `first` to `end - 1`. */
  walkFromRange(first: number, end: number, depth: number): number {
    const { reached } = this;
    const stamps = this.#stamps;
    const stamp = this.#nextStamp();
    for (let page = first; page < end; page++) {
      stamps[page] = stamp;
      reached[page - first] = page;
    }
    return this.#spread(end - first, depth, stamp);
  }

  #spread(sources: number, depth: number, stamp: number): number {
    const { reached } = this;
    const stamps = this.#stamps;
    const { offsets, targets } = this.#graph;
    let length = sources;
    let at = 0;
    let steps = 0;
    for (let level = 0; level < depth && at < length; level++) {
      const levelEnd = length;
      for (; at < levelEnd; at++) {
        const page = reached[at];
        const end = offsets[page + 1];
        steps += end - offsets[page];
        for (let arc = offsets[page]; arc < end; arc++) {
          const target = targets[arc];
          if (stamps[target] === stamp) continue;
          stamps[target] = stamp;
          reached[length++] = target;
        }
      }
    }
    this.steps += steps;
    return length;
  }

  #nextStamp(): number {
    if (this.#stamp === STAMP_MAX) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    return ++this.#stamp;
  }
}
