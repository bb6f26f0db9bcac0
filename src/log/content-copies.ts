import { enlarged, FingerprintTable, mix32 } from "../base/index.ts";
import type { Visit } from "./records.ts";

/** Counts pages of one host with the same content: a session in the URL, or a page that answers to every address. */
export class ContentCopies {
  readonly #hostOf: (url: number) => number;
  readonly #contents = new FingerprintTable();
  #counts = new Uint8Array(1024);

  constructor(hostOf: (url: number) => number) {
    this.#hostOf = hostOf;
  }

  visited({ url, digest, links }: Pick<Visit, "url" | "digest" | "links">): void {
    if (digest === null || links === null) return;
    const content = this.#find(url, digest);
    if (this.#counts[content] < 255) this.#counts[content]++;
  }

  /** How many pages on the host of a URL were found with this content so far; 255 and more look the same. */
  count(url: number, digest: Uint8Array): number {
    return this.#counts[this.#find(url, digest)];
  }

  #find(url: number, digest: Uint8Array): number {
    const view = new DataView(digest.buffer, digest.byteOffset);
    const high = (view.getUint32(0) ^ mix32(this.#hostOf(url))) >>> 0;
    const low = view.getUint32(4);
    let content = this.#contents.find(high, low);
    if (content < 0) content = this.#contents.add(high, low);
    if (content >= this.#counts.length) this.#counts = enlarged(this.#counts, 2 * this.#counts.length);
    return content;
  }
}
