/**
 * The best pages of a ranking, found by a bounded heap with the worst page at its root: O(n log k), in practice O(n),
 * since most pages lose against the root at once.
 */
import { UsageError } from "../base/index.ts";

/**
 * The ids of the k pages of highest rank, or of all if there are fewer; best first, the lower id first among equals.
 */
export function topPages(ranks: Float64Array, k: number): Uint32Array {
  if (!Number.isInteger(k) || k < 1)
    throw new UsageError(`cannot list the top ${k} pages, expected a whole number above 0`);
  const size = Math.min(k, ranks.length);
  const heap = Uint32Array.from({ length: size }, (_, page) => page);
  for (let node = (size >>> 1) - 1; node >= 0; node--) sink(heap, ranks, node);
  for (let page = size; page < ranks.length; page++) {
    // Later pages have higher ids, so they lose against equals.
    if (ranks[page] > ranks[heap[0]]) {
      heap[0] = page;
      sink(heap, ranks, 0);
    }
  }
  return heap.sort((p, q) => ranks[q] - ranks[p] || p - q);
}

/** Moves the page at `node` down to where no child is worse than it. */
function sink(heap: Uint32Array, ranks: Float64Array, node: number): void {
  const page = heap[node];
  for (;;) {
    let child = 2 * node + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isWorse(ranks, heap[child + 1], heap[child])) child++;
    if (!isWorse(ranks, heap[child], page)) break;
    heap[node] = heap[child];
    node = child;
  }
  heap[node] = page;
}

function isWorse(ranks: Float64Array, p: number, q: number): boolean {
  return ranks[p] < ranks[q] || (ranks[p] === ranks[q] && p > q);
}
