/**
 * The sums `h(y, g) = |y + g z_1| + ... + |y + g z_n|` over the local domain, for y < 0 < g (L1NORMDIFFS of Algorithm
 * 3), each in constant time once a table is built.
 *
 * Since `z_k = a d_k + b` with d_k the in-links of page k inside F (equation 18; a = 0 if F has no links), the terms
 * are ordered by whole numbers, and no comparison sort is needed: those with `d_k > (-y/g - b) / a` are not below 0,
 * the others not above. With C the number of pages of at most d in-links and D the sum of these in-links,
 *
 *     h = (n - 2 C) (y + g b) + g a (D_all - 2 D)
 *
 * C and D are whole numbers, so the sums are exact. O(n + greatest in-degree); 16 bytes per in-degree.
 *
 * The paper's own form takes the nearest of some equally spaced values of g (section 5.2.1, the parameter c), at a y
 * that is the same for all candidates.
 */

/** z of equation (18): `slope * inDegree + level`. */
export interface Allocation {
  readonly slope: number;
  readonly level: number;
}

export class FlowNorms {
  readonly #pages: number;
  readonly #allocation: Allocation;
  /** By in-degree: how many pages of L have at most that many in-links, and the sum of their in-links. */
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;

  constructor(inDegrees: Uint32Array, localPages: number, allocation: Allocation) {
    let greatest = 0;
    for (let k = 0; k < localPages; k++) greatest = Math.max(greatest, inDegrees[k]);
    this.#pages = localPages;
    this.#allocation = allocation;
    this.#counts = new Float64Array(greatest + 1);
    this.#sums = new Float64Array(greatest + 1);
    for (let k = 0; k < localPages; k++) this.#counts[inDegrees[k]]++;
    for (let d = 1; d <= greatest; d++) {
      this.#sums[d] = this.#sums[d - 1] + d * this.#counts[d];
      this.#counts[d] += this.#counts[d - 1];
    }
  }

  /** For y < 0 < g. */
  at(y: number, g: number): number {
    const { slope, level } = this.#allocation;
    const greatest = this.#counts.length - 1;
    const base = y + g * level;
    // Pages of at most this many in-links have terms that are not above 0; -1 if there are none.
    const turn = slope === 0 ? (base < 0 ? greatest : -1) : Math.floor(-base / (g * slope));
    const last = Math.min(turn, greatest);
    const below = last < 0 ? 0 : this.#counts[last];
    const belowSum = last < 0 ? 0 : this.#sums[last];
    return (this.#pages - 2 * below) * base + g * slope * (this.#sums[greatest] - 2 * belowSum);
  }
}

/** The paper's table: h at one y, looked up at the nearest of `levels` values of g from `least` to `greatest`. */
export class RoundedFlowNorms {
  readonly #norms: Float64Array;
  readonly #least: number;
  readonly #step: number;

  constructor(
    exact: FlowNorms,
    y: number,
    { least, greatest, levels }: { readonly least: number; readonly greatest: number; readonly levels: number },
  ) {
    this.#least = least;
    this.#step = levels > 1 ? (greatest - least) / (levels - 1) : 0;
    this.#norms = Float64Array.from({ length: levels }, (_, i) => exact.at(y, least + i * this.#step));
  }

  at(g: number): number {
    const nearest = this.#step === 0 ? 0 : Math.round((g - this.#least) / this.#step);
    return this.#norms[Math.max(0, Math.min(this.#norms.length - 1, nearest))];
  }
}
