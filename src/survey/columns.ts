/** Columns of a survey that are computed from links: who links to a URL, and how many links a page has. */
import { isDownloaded } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";

/**
 * The links of the downloaded pages, reversed: the pages that link to URL i are `inSources[inStarts[i]]` to
 * `inSources[inStarts[i + 1] - 1]`, ascending. Links of a page to itself are left out.
 */
export function linksInto({ targets, starts, ends }: LinkTable, state: Uint8Array) {
  const inStarts = new Uint32Array(state.length + 1);
  for (let page = 0; page < state.length; page++) {
    if (!isDownloaded(state[page])) continue;
    for (let k = starts[page]; k < ends[page]; k++) if (targets[k] !== page) inStarts[targets[k] + 1]++;
  }
  for (let url = 0; url < state.length; url++) inStarts[url + 1] += inStarts[url];
  const inSources = new Uint32Array(inStarts[state.length]);
  const next = inStarts.slice();
  for (let page = 0; page < state.length; page++) {
    if (!isDownloaded(state[page])) continue;
    for (let k = starts[page]; k < ends[page]; k++) if (targets[k] !== page) inSources[next[targets[k]]++] = page;
  }
  return { inStarts, inSources };
}

/** Number of links on each downloaded page; 0 for every other URL. */
export function linkCounts({ starts, ends }: LinkTable, state: Uint8Array): Uint32Array {
  const counts = new Uint32Array(state.length);
  for (let page = 0; page < state.length; page++)
    if (isDownloaded(state[page])) counts[page] = ends[page] - starts[page];
  return counts;
}
