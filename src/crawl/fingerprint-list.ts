/**
 * The fingerprints of some URLs, by their ids, which come in ascending order. 12 bytes per URL: the table of all URLs
 * finds ids by fingerprints, and does not lead back.
 */
import { assert, capacityFor, enlarged } from "../base/index.ts";

export class FingerprintList {
  #size = 0;
  #ids = new Uint32Array(0);
  #high = new Uint32Array(0);
  #low = new Uint32Array(0);

  add(url: number, high: number, low: number): void {
    assert(this.#size === 0 || this.#ids[this.#size - 1] < url, "URLs come in ascending order");
    if (this.#size === this.#ids.length) {
      const capacity = capacityFor(1024, this.#size);
      this.#ids = enlarged(this.#ids, capacity);
      this.#high = enlarged(this.#high, capacity);
      this.#low = enlarged(this.#low, capacity);
    }
    this.#ids[this.#size] = url;
    this.#high[this.#size] = high;
    this.#low[this.#size++] = low;
  }

  of(url: number): readonly [high: number, low: number] {
    let before = -1;
    let place = this.#size;
    while (place - before > 1) {
      const middle = (before + place) >>> 1;
      if (this.#ids[middle] < url) before = middle;
      else place = middle;
    }
    assert(place < this.#size && this.#ids[place] === url, "the fingerprint of the URL is in the list");
    return [this.#high[place], this.#low[place]];
  }
}
