/** Columns of a survey that are computed from links and ranks: who links to a URL, and URLs by importance. */
import { assert } from "../base/index.ts";
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

const BITS = 16;
const BUCKETS = 2 ** BITS;

/**
 * Sorts `pages`, which ascend, in place by `keys`, largest first. Keys are not negative. Ties keep the order of ids.
 *
 * A radix sort, 16 bits of the key at a time from the lowest: doubles that are not negative sort like their bits. It
 * sorts ten million pages in a second; a sort with a comparison takes ten.
 */
export function sortDescending(pages: Uint32Array, keys: Float64Array): void {
  const words = new Uint16Array(keys.buffer, keys.byteOffset, 4 * keys.length);
  assert(isLittleEndian, "the lowest digit of a number comes first");
  const counts = new Uint32Array(BUCKETS);
  let from: Uint32Array = pages;
  let to: Uint32Array = new Uint32Array(pages.length);
  for (let digit = 0; digit < 64 / BITS; digit++) {
    if (!distribute(from, to, words, digit, counts)) continue;
    [from, to] = [to, from];
  }
  if (from !== pages) pages.set(from);
}

/** By one digit, largest first. Returns false, and does nothing, if all digits are equal. */
function distribute(
  from: Uint32Array,
  to: Uint32Array,
  words: Uint16Array,
  digit: number,
  counts: Uint32Array,
): boolean {
  counts.fill(0);
  for (let k = 0; k < from.length; k++) counts[words[4 * from[k] + digit]]++;
  if (from.length === 0 || counts[words[4 * from[0] + digit]] === from.length) return false;
  let next = 0;
  for (let value = BUCKETS - 1; value >= 0; value--) {
    const count = counts[value];
    counts[value] = next;
    next += count;
  }
  for (let k = 0; k < from.length; k++) to[counts[words[4 * from[k] + digit]]++] = from[k];
  return true;
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
