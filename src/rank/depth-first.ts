/**
 * The order in which a depth-first search leaves the pages, last first: all links lead forward except those that close
 * a cycle (R. E. Tarjan, Depth-first search and linear graph algorithms, 1972). Gauss-Seidel sweeps in this order carry
 * a change along many links at once. Linear in pages and arcs; 9 bytes per page besides the result while it runs.
 */
import type { Graph } from "../graph/index.ts";

export function lastLeftFirst({ pages, offsets, targets }: Graph): Uint32Array {
  const order = new Uint32Array(pages);
  const stack = new Uint32Array(pages);
  const nextArc = new Uint32Array(pages);
  const isSeen = new Uint8Array(pages);
  let place = pages;
  for (let start = 0; start < pages; start++) {
    if (isSeen[start] === 1) continue;
    let depth = 0;
    let page = start;
    let arc = offsets[page];
    isSeen[page] = 1;
    for (;;) {
      const end = offsets[page + 1];
      while (arc < end && isSeen[targets[arc]] === 1) arc++;
      if (arc < end) {
        stack[depth] = page;
        nextArc[depth++] = arc + 1;
        page = targets[arc];
        arc = offsets[page];
        isSeen[page] = 1;
      } else {
        order[--place] = page;
        if (depth === 0) break;
        page = stack[--depth];
        arc = nextArc[depth];
      }
    }
  }
  return order;
}
