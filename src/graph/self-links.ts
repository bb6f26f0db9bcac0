/** Links of a page to itself. The random surfer of our definitions does not follow them: drop them first. */
import { type Graph, sharedUint32 } from "./graph.ts";

export function countSelfLinks({ pages, offsets, targets }: Graph): number {
  let count = 0;
  for (let page = 0; page < pages; page++) {
    const end = offsets[page + 1];
    for (let arc = offsets[page]; arc < end; arc++) if (targets[arc] === page) count++;
  }
  return count;
}

/** The very same object where there are none. */
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
