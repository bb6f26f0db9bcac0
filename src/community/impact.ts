/**
 * The impact of pages outside the local domain (Communities, section 6.2): `impact(j) = o_L[j] / o[j] g[j]`, the probability that the
 * random surfer is at page j and takes a link into the domain, given that she takes a link. o[j] counts all links of j, self links apart.
 * Linear in pages and links.
 */
import type { Graph } from "../graph/index.ts";

/** Of every page; 0 for pages of the domain itself. `ranks` are global, or the best known estimate. */
export function impacts(web: Graph, local: Uint32Array, ranks: Float64Array): Float64Array {
  const { pages, offsets, targets } = web;
  const isLocal = new Uint8Array(pages);
  for (let i = 0; i < local.length; i++) isLocal[local[i]] = 1;
  const impact = new Float64Array(pages);
  for (let j = 0; j < pages; j++) {
    if (isLocal[j] === 1) continue;
    let into = 0;
    let links = 0;
    for (let arc = offsets[j]; arc < offsets[j + 1]; arc++) {
      const target = targets[arc];
      if (target === j) continue;
      links++;
      into += isLocal[target];
    }
    if (into > 0) impact[j] = (into / links) * ranks[j];
  }
  return impact;
}
