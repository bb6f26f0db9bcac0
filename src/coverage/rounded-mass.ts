/**
 * What waits on pages in single precision, rounded down: never more than has arrived, so whatever is pushed of it keeps
 * every bound true. What is lost is at most one part in eight million of a page's mass per addition. A share below one
 * part in sixteen million is lost as a whole.
 */
import { enlarged } from "../base/index.ts";
import type { LinkRow } from "../graph/index.ts";

export class RoundedMass {
  /** By page. May be read and set to zero; only `add` and `spread` raise it. */
  values: Float32Array;
  /** The same memory. Of two positive floats, the next lower one has bits that are lower by one. */
  #bits: Int32Array;

  constructor(pages: number) {
    this.values = new Float32Array(pages);
    this.#bits = new Int32Array(this.values.buffer);
  }

  /** Makes room for page numbers below `pages`. */
  grow(pages: number): void {
    this.values = enlarged(this.values, pages);
    this.#bits = new Int32Array(this.values.buffer);
  }

  add(page: number, mass: number): void {
    const { values } = this;
    const sum = values[page] + mass;
    values[page] = sum;
    if (values[page] > sum) this.#bits[page]--;
  }

  /** Adds the share to the target of each link. */
  spread({ targets, start, end }: LinkRow, share: number): void {
    const { values } = this;
    const bits = this.#bits;
    for (let k = start; k < end; k++) {
      const target = targets[k];
      const sum = values[target] + share;
      values[target] = sum;
      if (values[target] > sum) bits[target]--;
    }
  }
}
