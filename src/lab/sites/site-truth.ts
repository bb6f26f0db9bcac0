/**
 * The true share of importance of each page of a site, in the universe of what may be fetched: a life that steps onto
 * a URL that is forbidden or dead ends there, and such URLs have no share. Pages that fail for good exist; their links
 * are taken to lead nowhere.
 */
import type { Site } from "./site.ts";

/** Iterations stop when less than this is still on its way. */
const PRECISION = 1e-13;

/** One share per URL; they sum to 1. Computed by following all surfers at once, step by step. */
export function trueShares({ urls }: Site, damping: number): Float64Array {
  const ends = urls.map((_, id) => endOf(urls, id));
  const visits = new Float64Array(urls.length);
  let surfers = new Float64Array(urls.length);
  surfers[ends[0]] = 1 - damping;
  for (let walking = 1; walking > PRECISION; ) {
    const next = new Float64Array(urls.length);
    walking = 0;
    for (const [id, { kind, links, nofollow }] of urls.entries()) {
      if (surfers[id] === 0 || (kind !== "page" && kind !== "failed")) continue;
      visits[id] += surfers[id];
      if (links.length === 0) continue;
      const share = (damping * surfers[id]) / (links.length + nofollow);
      for (const link of links) next[ends[link]] += share;
      walking += share * links.length;
    }
    surfers = next;
  }
  const total = visits.reduce((sum, visit) => sum + visit, 0);
  return visits.map((visit) => visit / total);
}

/** Sites have no circles of redirects. */
function endOf(urls: Site["urls"], id: number): number {
  let end = id;
  while (urls[end].kind === "redirect") end = urls[end].links[0];
  return end;
}
