/**
 * Strongly connected components by D. J. Pearce, A space-efficient algorithm for finding strongly connected components,
 * Information Processing Letters 116(1), 2016, algorithm PEA_FIND_SCC3, a refinement of Tarjan's.
 *
 * Returns the component of every page. Component ids are in reverse topological order: a link between two components
 * always leads from the greater id to the smaller, hence component 0 has no way out.
 *
 * Invariant: `r[p]` is 0 for a page not visited yet; the smallest visiting number that p is known to reach for a live
 * page; pages minus the component id for an assigned one, which is greater than every live number. Live pages are on
 * the path from the start, or wait for the first page of their component to be left. The two stacks share one array
 * from its two ends, since no page is on both.
 *
 * Linear in pages and arcs; 9 bytes per page besides the result. There is no recursion, so a path of ten million pages
 * is no problem. Departure from the paper: on return to a page the arc just followed is looked at once more, which does
 * the work of the paper's "finish edge".
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
  return componentsBy(graph);
}

/**
 * The same, and the order in which the depth-first search leaves the pages, last first: all links lead forward except
 * those that close a cycle (R. E. Tarjan, Depth-first search and linear graph algorithms, 1972). 4 bytes per page more.
 */
export function componentsInOrder(graph: Graph): Components & { readonly lastLeftFirst: Uint32Array } {
  const lastLeftFirst = new Uint32Array(graph.pages);
  return { ...componentsBy(graph, lastLeftFirst), lastLeftFirst };
}

function componentsBy(graph: Graph, lastLeftFirst?: Uint32Array): Components {
  const { pages } = graph;
  const componentOf = sharedUint32(pages);
  const count = search(graph, componentOf, lastLeftFirst);
  const sizes = new Uint32Array(count);
  for (let page = 0; page < pages; page++) {
    const component = pages - componentOf[page];
    componentOf[page] = component;
    sizes[component]++;
  }
  return { count, componentOf, sizes };
}

/** Sets `r[p]` to the number of pages minus the component of p. Returns the number of components. */
function search({ pages, offsets, targets }: Graph, r: Uint32Array, lastLeftFirst?: Uint32Array): number {
  const stacks = new Uint32Array(pages);
  const nextArc = new Uint32Array(pages);
  const isFirst = new Uint8Array(pages);
  let waiting = pages;
  let visited = 0;
  let component = pages;
  let notLeft = pages;
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
      if (lastLeftFirst !== undefined) lastLeftFirst[--notLeft] = page;
      if (isFirst[depth] === 1) {
        const own = r[page];
        for (; waiting < pages && r[stacks[waiting]] >= own; visited--) r[stacks[waiting++]] = component;
        r[page] = component--;
        visited--;
      } else {
        stacks[--waiting] = page;
      }
      if (depth === 0) break;
      page = stacks[--depth];
      arc = nextArc[depth];
    }
  }
  return pages - component;
}
