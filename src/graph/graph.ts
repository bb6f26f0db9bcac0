/**
 * The web graph: compressed sparse rows on typed arrays in shared memory, immutable once built.
 *
 * It is a plain object of typed arrays, so that worker threads receive it by `postMessage` without a copy. It has fewer
 * than 2^32 pages and 2^32 arcs.
 */
export interface Graph {
  readonly pages: number;
  readonly arcs: number;
  /** `pages + 1` entries: the out-links of page i are `targets[offsets[i]]` to `targets[offsets[i + 1] - 1]`. */
  readonly offsets: Uint32Array;
  /** Ascending and distinct within a row. */
  readonly targets: Uint32Array;
}

/** The number of out-links of a page. */
export function outDegree(graph: Graph, page: number): number {
  return graph.offsets[page + 1] - graph.offsets[page];
}

/** The out-links of a page, as a view without a copy. */
export function successors(graph: Graph, page: number): Uint32Array {
  return graph.targets.subarray(graph.offsets[page], graph.offsets[page + 1]);
}

/** Most pages of browsers may not share memory; they have no threads of ours either. */
const Memory = typeof SharedArrayBuffer === "undefined" ? ArrayBuffer : SharedArrayBuffer;

/** Memory that threads can share. */
export function sharedMemory(bytes: number): ArrayBufferLike {
  return new Memory(bytes);
}

export function isShared(array: Float64Array): boolean {
  return array.buffer instanceof Memory;
}

/** An array that threads can share. */
export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(sharedMemory(4 * length));
}

/** An array that threads can share. */
export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(sharedMemory(8 * length));
}

/** How many pages link to themselves. */
export function countSelfLinks({ pages, offsets, targets }: Graph): number {
  let count = 0;
  for (let page = 0; page < pages; page++) {
    const end = offsets[page + 1];
    for (let arc = offsets[page]; arc < end; arc++) if (targets[arc] === page) count++;
  }
  return count;
}

/** The graph without self links, which the random surfer does not follow; the same object if there are none. */
export function withoutSelfLinks(graph: Graph): Graph {
  const selfLinks = countSelfLinks(graph);
  if (selfLinks === 0) return graph;
  const { pages } = graph;
  const arcs = graph.arcs - selfLinks;
  const offsets = sharedUint32(pages + 1);
  const targets = sharedUint32(arcs);
  let kept = 0;
  for (let page = 0; page < pages; page++) {
    const end = graph.offsets[page + 1];
    for (let arc = graph.offsets[page]; arc < end; arc++) {
      const target = graph.targets[arc];
      if (target !== page) targets[kept++] = target;
    }
    offsets[page + 1] = kept;
  }
  return { pages, arcs, offsets, targets };
}

/**
 * The graph with every arc reversed: row j lists the pages that link to j.
 *
 * A counting sort by target, linear in pages and arcs. Sources are visited in ascending order, so rows come out
 * ascending without a sort. Memory besides the result: 4 bytes per page while it runs.
 */
export function transpose(graph: Graph): Graph {
  const { pages, arcs } = graph;
  const offsets = sharedUint32(pages + 1);
  for (let arc = 0; arc < arcs; arc++) offsets[graph.targets[arc] + 1]++;
  for (let page = 0; page < pages; page++) offsets[page + 1] += offsets[page];
  const sources = sharedUint32(arcs);
  scatterSources(graph, offsets.slice(), sources);
  return { pages, arcs, offsets, targets: sources };
}

/** `next[j]` is where the next source of target j goes. */
function scatterSources({ pages, offsets, targets }: Graph, next: Uint32Array, sources: Uint32Array): void {
  for (let page = 0; page < pages; page++) {
    const end = offsets[page + 1];
    for (let arc = offsets[page]; arc < end; arc++) sources[next[targets[arc]]++] = page;
  }
}
