/** What columns of a survey are made of: who links to a URL, how many links a page has, shares in 4 bytes. */
import { isDownloaded } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";

/**
 * The links of the downloaded pages, reversed: the pages that link to URL i are `inSources[inStarts[i]]` to
 * `inSources[inStarts[i + 1] - 1]`, ascending. Links of a page to itself are left out.
 */
export function linksInto(links: LinkTable, state: Uint8Array) {
  const inStarts = new Uint32Array(state.length + 1);
  for (let page = 0; page < state.length; page++) {
    if (!isDownloaded(state[page])) continue;
    const { targets, start, end } = links.row(page);
    for (let k = start; k < end; k++) if (targets[k] !== page) inStarts[targets[k] + 1]++;
  }
  for (let url = 0; url < state.length; url++) inStarts[url + 1] += inStarts[url];
  const inSources = new Uint32Array(inStarts[state.length]);
  const next = inStarts.slice();
  for (let page = 0; page < state.length; page++) {
    if (!isDownloaded(state[page])) continue;
    const { targets, start, end } = links.row(page);
    for (let k = start; k < end; k++) if (targets[k] !== page) inSources[next[targets[k]]++] = page;
  }
  return { inStarts, inSources };
}

/** How many different numbers a sorted list has. */
export function distinct(sorted: Uint32Array): number {
  let count = 0;
  for (let k = 0; k < sorted.length; k++) if (k === 0 || sorted[k] !== sorted[k - 1]) count++;
  return count;
}

/** Number of links on each downloaded page; 0 for every other URL. */
export function linkCounts(links: LinkTable, state: Uint8Array): Uint32Array {
  const counts = new Uint32Array(state.length);
  for (let page = 0; page < state.length; page++)
    if (isDownloaded(state[page])) counts[page] = Math.max(0, links.count(page));
  return counts;
}

/** A share as a number of 4 bytes that is not below it: the nearest such number differs by at most a share of 2^-24. */
export function shareRoundedUp(share: number): number {
  return Math.min(1, Math.fround(share * (1 + 2 ** -23)));
}
