import { capacityFor, enlarged } from "../base/index.ts";

/** A hash of 64 bits for each URL up to the last that has one, in two halves, both 0 where there is none. */
export class HashColumn {
  high = new Uint32Array(0);
  low = new Uint32Array(0);

  set(url: number, hash: Uint8Array): void {
    if (url >= this.high.length) this.#grow(url + 1);
    const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
    this.high[url] = view.getUint32(0);
    this.low[url] = view.getUint32(4);
  }

  has(url: number): boolean {
    return url < this.high.length && (this.high[url] !== 0 || this.low[url] !== 0);
  }

  #grow(urls: number): void {
    const capacity = capacityFor(urls, this.high.length);
    this.high = enlarged(this.high, capacity);
    this.low = enlarged(this.low, capacity);
  }
}

/**
 * Pages by their groups, which are numbered in the order of their first pages: `groupOf[k]` is the group of `pages[k]`.
 * Those of one page are left out.
 */
export function* groupsOf(pages: Uint32Array, groupOf: Uint32Array, groups: number): Generator<Uint32Array> {
  const starts = new Uint32Array(groups + 1);
  for (const group of groupOf) starts[group + 1]++;
  for (let group = 0; group < groups; group++) starts[group + 1] += starts[group];
  const next = starts.slice();
  const members = new Uint32Array(pages.length);
  for (let k = 0; k < pages.length; k++) members[next[groupOf[k]]++] = pages[k];
  for (let group = 0; group < groups; group++) {
    const found = members.subarray(starts[group], starts[group + 1]);
    if (found.length > 1) yield found;
  }
}
