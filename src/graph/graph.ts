/**
 * The web graph: compressed sparse rows on typed arrays in shared memory, immutable once built.
 *
 * A plain object of typed arrays, so that worker threads receive it by `postMessage` without a copy.
 * Fewer than 2^32 pages and 2^32 arcs.
 */
export interface Graph {
  readonly pages: number;
  readonly arcs: number;
  /** `pages + 1` entries: the out-links of page i are `targets[offsets[i]]` to `targets[offsets[i + 1] - 1]`. */
  readonly offsets: Uint32Array;
  /** Ascending and distinct within a row. */
  readonly targets: Uint32Array;
}

export function outDegree(graph: Graph, page: number): number {
  return graph.offsets[page + 1] - graph.offsets[page];
}

/** The out-links of a page, a view without a copy. */
export function successors(graph: Graph, page: number): Uint32Array {
  return graph.targets.subarray(graph.offsets[page], graph.offsets[page + 1]);
}

export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}

export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * length));
}
