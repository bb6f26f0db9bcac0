/** The basic numbers of a graph as it is, self links included. */
import { components } from "./components.ts";
import { countSelfLinks, type Graph } from "./graph.ts";
import type { Hosts } from "./hosts.ts";

/** Basic numbers of a graph. */
export interface GraphInfo {
  readonly pages: number;
  readonly arcs: number;
  /** Null without hosts, as is `interHostArcs`. */
  readonly hosts: number | null;
  readonly interHostArcs: number | null;
  /** Pages without out-links. A page whose only link is to itself becomes one after `withoutSelfLinks`. */
  readonly dangling: number;
  readonly selfLinks: number;
  /** Pages in the largest strongly connected component. */
  readonly largestScc: number;
}

/** The basic numbers of a graph; those about hosts need the host of every page. */
export function graphInfo(graph: Graph, hosts?: Hosts): GraphInfo {
  let dangling = 0;
  for (let page = 0; page < graph.pages; page++) if (graph.offsets[page] === graph.offsets[page + 1]) dangling++;
  let largestScc = 0;
  for (const size of components(graph).sizes) if (size > largestScc) largestScc = size;
  return {
    pages: graph.pages,
    arcs: graph.arcs,
    hosts: hosts ? hosts.names.length : null,
    interHostArcs: hosts ? interHostArcs(graph, hosts) : null,
    dangling,
    selfLinks: countSelfLinks(graph),
    largestScc,
  };
}

/** Arcs whose two pages are on different hosts. */
export function interHostArcs({ pages, offsets, targets }: Graph, { hostOf }: Hosts): number {
  let count = 0;
  for (let page = 0; page < pages; page++) {
    const host = hostOf[page];
    const end = offsets[page + 1];
    for (let arc = offsets[page]; arc < end; arc++) if (hostOf[targets[arc]] !== host) count++;
  }
  return count;
}
