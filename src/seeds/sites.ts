/** Divides the web into sites, and the seeds among them by importance (section 2). */
import { assert } from "../base/index.ts";
import { type Graph, type Hosts, sharedUint32 } from "../graph/index.ts";

export interface SiteGraph {
  /** The index of its name in the hosts. */
  readonly host: number;
  /** The site's pages in the whole graph, ascending: page i of the site's own graph is `pages[i]`. */
  readonly pages: Uint32Array;
  readonly graph: Graph;
}

/** The sites of the wanted hosts (default: all), one after another; links between sites are left out. */
export function* sitesOf(graph: Graph, hosts: Hosts, wanted?: (host: number) => boolean): Generator<SiteGraph> {
  const { hostOf, names } = hosts;
  const offsets = new Uint32Array(names.length + 1);
  for (let page = 0; page < graph.pages; page++) offsets[hostOf[page] + 1]++;
  for (let host = 0; host < names.length; host++) offsets[host + 1] += offsets[host];
  const pages = new Uint32Array(graph.pages);
  const place = new Uint32Array(graph.pages);
  const next = offsets.slice();
  for (let page = 0; page < graph.pages; page++) {
    place[page] = next[hostOf[page]] - offsets[hostOf[page]];
    pages[next[hostOf[page]]++] = page;
  }
  for (let host = 0; host < names.length; host++) {
    if (wanted !== undefined && !wanted(host)) continue;
    const own = pages.subarray(offsets[host], offsets[host + 1]);
    yield { host, pages: own, graph: graphOfPages(graph, own, (page) => hostOf[page] === host, place) };
  }
}

/** The graph of some pages, given in ascending order, and of the links among them. */
export function subgraph(graph: Graph, pages: Uint32Array): Graph {
  const place = new Uint32Array(graph.pages);
  const isIn = new Uint8Array(graph.pages);
  for (let i = 0; i < pages.length; i++) {
    place[pages[i]] = i;
    isIn[pages[i]] = 1;
  }
  return graphOfPages(graph, pages, (page) => isIn[page] === 1, place);
}

/**
 * Whole numbers that sum to `total`, as nearly proportional to the weights as possible, none above its capacity: the
 * whole part of each quota, then one by one to the place that lacks most. Ties: the greater weight, then the earlier.
 */
export function shareOut(total: number, weights: Float64Array, capacities: Uint32Array): Uint32Array {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const quotas = weights.map((weight) => (sum > 0 ? (total * weight) / sum : total / weights.length));
  const shares = Uint32Array.from(quotas, (quota, i) => Math.min(Math.floor(quota), capacities[i]));
  let left = total - shares.reduce((all, share) => all + share, 0);
  for (; left > 0; left--) {
    let neediest = -1;
    for (let i = 0; i < shares.length; i++) {
      if (shares[i] === capacities[i]) continue;
      const more = neediest < 0 ? 1 : quotas[i] - shares[i] - (quotas[neediest] - shares[neediest]);
      if (more > 0 || (more === 0 && weights[i] > weights[neediest])) neediest = i;
    }
    assert(neediest >= 0, "the capacities suffice for the total");
    shares[neediest]++;
  }
  return shares;
}

function graphOfPages(graph: Graph, pages: Uint32Array, isIn: (page: number) => boolean, place: Uint32Array): Graph {
  const offsets = sharedUint32(pages.length + 1);
  let arcs = 0;
  for (let i = 0; i < pages.length; i++) {
    const end = graph.offsets[pages[i] + 1];
    for (let arc = graph.offsets[pages[i]]; arc < end; arc++) if (isIn(graph.targets[arc])) arcs++;
    offsets[i + 1] = arcs;
  }
  const targets = sharedUint32(arcs);
  let at = 0;
  for (let i = 0; i < pages.length; i++) {
    const end = graph.offsets[pages[i] + 1];
    for (let arc = graph.offsets[pages[i]]; arc < end; arc++) {
      if (isIn(graph.targets[arc])) targets[at++] = place[graph.targets[arc]];
    }
  }
  return { pages: pages.length, arcs, offsets, targets };
}
