/**
 * Strongly connected components by D. J. Pearce, A space-efficient algorithm for finding strongly connected components,
 * Information Processing Letters 116(1), 2016, algorithm PEA_FIND_SCC3, a refinement of Tarjan's.
 *
 * The search numbers the pages by components: links between components lead to greater numbers, and the numbers of a
 * component follow each other in the order in which its pages are left, last first (a depth-first order: R. E. Tarjan,
 * Depth-first search and linear graph algorithms, 1972).
 *
 * Invariant: `r[p]` is 0 for a page not visited yet; the smallest visiting number that p is known to reach for a
 * live page; 1 more than its final number for a page of a finished component. Final numbers are given from the
 * greatest down and live pages are as many as the greatest visiting number, so a finished page has more than any
 * live one. Live pages are on the path from the start, or wait for the first page of their component to be left. The
 * two stacks share one array from its two ends, since no page is on both; those who wait are in the order of
 * leaving, as they are numbered.
 *
 * Linear in pages and arcs; 13 bytes per page besides the numbers. There is no recursion, so a path of ten million
 * pages is no problem. Departure from the paper: on return to a page the arc just followed is looked at once more,
 * which does the work of the paper's "finish edge".
 */
import { type Graph, sharedUint32 } from "./graph.ts";

/** The strongly connected components of a graph. */
export interface Components {
  readonly count: number;
  /** The component of every page, in shared memory. Links between components lead from greater to smaller ids. */
  readonly componentOf: Uint32Array;
  /** The number of pages of every component. */
  readonly sizes: Uint32Array;
}

/** Finds the strongly connected components: groups of pages that all reach each other by links. */
export function components(graph: Graph): Components {
  const { starts, numberOf, pageAt } = numberByComponents(graph);
  const count = starts.length - 1;
  const sizes = new Uint32Array(count);
  const componentOf = numberOf;
  for (let k = 0; k < count; k++) {
    const component = count - 1 - k;
    sizes[component] = starts[k + 1] - starts[k];
    for (let i = starts[k]; i < starts[k + 1]; i++) componentOf[pageAt[i]] = component;
  }
  return { count, componentOf, sizes };
}

/** New numbers for pages, in shared memory. */
export interface ComponentNumbers {
  /** Component k has the numbers from `starts[k]` to `starts[k + 1] - 1`. Links between components lead forward. */
  readonly starts: Uint32Array;
  readonly numberOf: Uint32Array;
  readonly pageAt: Uint32Array;
}

/**
 * Numbers the pages by components, in depth-first order inside: all links lead forward except those that close a cycle.
 */
export function numberByComponents(graph: Graph): ComponentNumbers {
  const { pages } = graph;
  const numberOf = sharedUint32(pages);
  const pageAt = sharedUint32(pages);
  const firsts = new Uint32Array(pages);
  const count = search(graph, numberOf, pageAt, firsts);
  const starts = sharedUint32(count + 1);
  for (let k = 0; k < count; k++) starts[k] = firsts[count - 1 - k];
  starts[count] = pages;
  for (let page = 0; page < pages; page++) numberOf[page]--;
  return { starts, numberOf, pageAt };
}

/** Sets `r[p]` to 1 more than the number of p, and `firsts` to those of the components, the last one first. */
function search({ pages, offsets, targets }: Graph, r: Uint32Array, pageAt: Uint32Array, firsts: Uint32Array): number {
  const stacks = new Uint32Array(pages);
  const nextArc = new Uint32Array(pages);
  const isFirst = new Uint8Array(pages);
  let waiting = pages;
  let visited = 0;
  let count = 0;
  let left = pages;
  for (let start = 0; start < pages; start++) {
    if (r[start] !== 0) continue;
    let depth = 0;
    let page = start;
    let arc = offsets[page];
    r[page] = ++visited;
    isFirst[0] = 1;
    for (;;) {
      const end = offsets[page + 1];
      while (arc < end) {
        const reached = r[targets[arc]];
        if (reached === 0) break;
        if (reached < r[page]) {
          r[page] = reached;
          isFirst[depth] = 0;
        }
        arc++;
      }
      if (arc < end) {
        stacks[depth] = page;
        nextArc[depth] = arc;
        page = targets[arc];
        arc = offsets[page];
        r[page] = ++visited;
        isFirst[++depth] = 1;
        continue;
      }
      if (isFirst[depth] === 1) {
        const own = r[page];
        let last = waiting;
        while (last < pages && r[stacks[last]] >= own) last++;
        let number = left - 1 - (last - waiting);
        visited -= left - number;
        left = number;
        firsts[count++] = number;
        pageAt[number] = page;
        r[page] = ++number;
        while (waiting < last) {
          const member = stacks[waiting++];
          pageAt[number] = member;
          r[member] = ++number;
        }
      } else {
        stacks[--waiting] = page;
      }
      if (depth === 0) break;
      page = stacks[--depth];
      arc = nextArc[depth];
    }
  }
  return count;
}
