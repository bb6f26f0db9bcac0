/** Counts pages of one host with the same content: a session in the URL, or a page that answers to every address. */
import { enlarged, FingerprintTable, mix32 } from "../base/index.ts";

export class ContentCopies {
  readonly #contents = new FingerprintTable();
  #counts = new Uint8Array(1024);

  /** Counts one more page and answers how many there are by now (255 and more look the same). */
  add(host: number, digestHigh: number, digestLow: number): number {
    const high = (digestHigh ^ mix32(host)) >>> 0;
    let content = this.#contents.find(high, digestLow);
    if (content < 0) content = this.#contents.add(high, digestLow);
    if (content >= this.#counts.length) this.#counts = enlarged(this.#counts, 2 * this.#counts.length);
    if (this.#counts[content] < 255) this.#counts[content]++;
    return this.#counts[content];
  }
}
