/** Breadth-first search with a bound, from one set of pages or from many pages at once. Walks allocate nothing. */
import type { Graph } from "../graph/index.ts";

const STAMP_MAX = 0xffffffff;

/** Finds pages within some hops of others. A stamp per page says which walk saw it last. Memory: 8 bytes per page. */
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

export const BATCH = 32;
/** Levels shorter than this are added up bit by bit. */
const TABLE_LENGTH = 192;

/**
 * Walks from up to 32 pages at once: the value that each of them reaches within some hops. Multi-source breadth-first
 * search on bits (M. Then et al., The More the Merrier: Efficient Multi-Source Graph Traversal, VLDB 8(4), 2014): bit i
 * of a page's word says that source i has reached it. Neighbours, which reach nearly the same pages, share the work.
 *
 * If a level is long enough to pay for clearing the tables, values are added up by the bytes of the words: 4 additions
 * per page instead of one for every source that reached it.
 *
 * Time: the links of the union of the neighbourhoods, once for every level at which a new source arrives. Memory: 28
 * bytes per page.
 */
export class BatchWalk {
  /** The value that source i of the last walk reaches. */
  readonly value = new Float64Array(BATCH);
  /** The same for values above zero; the same array if no value is negative. */
  readonly positiveValue: Float64Array;
  /** Links visited so far, by all walks. */
  steps = 0;

  readonly #graph: Graph;
  readonly #values: Float64Array;
  readonly #positive: Float64Array;
  /** Four words per page: the sources that have reached it, those of the last level, those of the next one, unused. */
  readonly #words: Int32Array;
  readonly #touched: Uint32Array;
  #list: Uint32Array;
  #nextList: Uint32Array;
  readonly #table = new Float64Array(4 * 256);

  /** `positive` holds `max(value, 0)`, or is the same array. Both may change between walks. */
  constructor(graph: Graph, values: Float64Array, positive: Float64Array) {
    const { pages } = graph;
    this.#graph = graph;
    this.#values = values;
    this.#positive = positive;
    this.positiveValue = values === positive ? this.value : new Float64Array(BATCH);
    this.#words = new Int32Array(4 * pages);
    this.#touched = new Uint32Array(pages);
    this.#list = new Uint32Array(pages);
    this.#nextList = new Uint32Array(pages);
  }

  /** Walks `depth` hops from the first `count` sources, which are distinct. */
  walk(sources: Uint32Array, count: number, depth: number): void {
    const words = this.#words;
    const touched = this.#touched;
    const { offsets, targets } = this.#graph;
    this.value.fill(0);
    this.positiveValue.fill(0);
    let now = 1;
    let length = count;
    for (let i = 0; i < count; i++) {
      const page = sources[i];
      words[4 * page] = 1 << i;
      words[4 * page + now] = 1 << i;
      this.#list[i] = page;
      touched[i] = page;
    }
    let reached = count;
    this.#addUp(length, now);
    let steps = 0;
    for (let level = 0; level < depth && length > 0; level++) {
      const list = this.#list;
      const nextList = this.#nextList;
      const then = 3 - now;
      let nextLength = 0;
      for (let i = 0; i < length; i++) {
        const page = list[i];
        const arriving = words[4 * page + now];
        words[4 * page + now] = 0;
        const end = offsets[page + 1];
        steps += end - offsets[page];
        for (let arc = offsets[page]; arc < end; arc++) {
          const target = targets[arc];
          const at = 4 * target;
          const had = words[at];
          const fresh = arriving & ~had;
          if (fresh === 0) continue;
          if (had === 0) touched[reached++] = target;
          words[at] = had | fresh;
          const waiting = words[at + then];
          if (waiting === 0) nextList[nextLength++] = target;
          words[at + then] = waiting | fresh;
        }
      }
      this.#list = nextList;
      this.#nextList = list;
      length = nextLength;
      now = then;
      this.#addUp(length, now);
    }
    for (let i = 0; i < length; i++) words[4 * this.#list[i] + now] = 0;
    for (let i = 0; i < reached; i++) words[4 * touched[i]] = 0;
    this.steps += steps;
  }

  #addUp(length: number, now: number): void {
    this.#addValues(this.#values, this.value, length, now);
    if (this.#positive !== this.#values) this.#addValues(this.#positive, this.positiveValue, length, now);
  }

  #addValues(values: Float64Array, sums: Float64Array, length: number, now: number): void {
    const list = this.#list;
    const words = this.#words;
    if (length < TABLE_LENGTH) {
      for (let i = 0; i < length; i++) {
        const page = list[i];
        const value = values[page];
        if (value === 0) continue;
        for (let bits = words[4 * page + now]; bits !== 0; bits &= bits - 1) {
          sums[31 - Math.clz32(bits & -bits)] += value;
        }
      }
      return;
    }
    const table = this.#table.fill(0);
    for (let i = 0; i < length; i++) {
      const page = list[i];
      const value = values[page];
      const word = words[4 * page + now];
      table[word & 255] += value;
      table[256 + ((word >>> 8) & 255)] += value;
      table[512 + ((word >>> 16) & 255)] += value;
      table[768 + (word >>> 24)] += value;
    }
    for (let byte = 0; byte < 4; byte++) {
      for (let entry = 1; entry < 256; entry++) {
        const value = table[256 * byte + entry];
        if (value === 0) continue;
        for (let bits = entry; bits !== 0; bits &= bits - 1) sums[8 * byte + 31 - Math.clz32(bits & -bits)] += value;
      }
    }
  }
}
