/** Pages with the same content, byte by byte: groups of them, found by the digests of their bodies. */
import { capacityFor, enlarged, FingerprintTable } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import type { LogListener, Visit } from "../log/index.ts";

/** Collects the digests of a log: 8 bytes per URL. */
export class ContentDigests implements LogListener {
  #high = new Uint32Array(1024);
  #low = new Uint32Array(1024);

  grow(urls: number): void {
    if (urls <= this.#high.length) return;
    const capacity = capacityFor(urls, this.#high.length);
    this.#high = enlarged(this.#high, capacity);
    this.#low = enlarged(this.#low, capacity);
  }

  visited({ url, outcome, digest }: Visit): void {
    if (digest === null || !isDownloaded(outcome)) return;
    const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    this.#high[url] = view.getUint32(0);
    this.#low[url] = view.getUint32(4);
  }

  /**
   * The groups of pages that have their content in common with another, of the pages given. Groups come in the order of
   * their first pages, and their pages in the order given.
   */
  *groups(pages: Uint32Array): Generator<Uint32Array> {
    const contents = new FingerprintTable(pages.length);
    // A page that says nothing about its content is alone.
    const known = pages.filter((page) => this.#high[page] !== 0 || this.#low[page] !== 0);
    const contentOf = known.map((page) => numberOf(contents, this.#high[page], this.#low[page]));
    const starts = new Uint32Array(contents.size + 1);
    for (const content of contentOf) starts[content + 1]++;
    for (let content = 0; content < contents.size; content++) starts[content + 1] += starts[content];
    const next = starts.slice();
    const members = new Uint32Array(known.length);
    for (let k = 0; k < known.length; k++) members[next[contentOf[k]]++] = known[k];
    for (let content = 0; content < contents.size; content++) {
      const group = members.subarray(starts[content], starts[content + 1]);
      if (group.length > 1) yield group;
    }
  }
}

function numberOf(contents: FingerprintTable, high: number, low: number): number {
  const known = contents.find(high, low);
  return known < 0 ? contents.add(high, low) : known;
}
