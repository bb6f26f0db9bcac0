/** The last rows of a graph, in a ring: the current one and `size` before it. */
export class RowWindow {
  readonly #slots: number;
  readonly #rows: Uint32Array[] = [];
  readonly #degrees: number[] = [];
  /** How many references lead from a row to one that has none. */
  readonly #chains: number[] = [];

  constructor(size: number) {
    this.#slots = size + 1;
  }

  /** Returns room for the row of the next page, which the caller fills. It replaces the oldest row. */
  open(page: number, degree: number): Uint32Array {
    const slot = page % this.#slots;
    // Slots are made as pages come, so that a huge window costs nothing on a small graph.
    if (slot === this.#rows.length) this.#rows.push(new Uint32Array(degree));
    else if (this.#rows[slot].length < degree) this.#rows[slot] = new Uint32Array(2 * degree);
    this.#degrees[slot] = degree;
    return this.#rows[slot];
  }

  row(page: number): Uint32Array {
    return this.#rows[page % this.#slots];
  }

  degree(page: number): number {
    return this.#degrees[page % this.#slots];
  }

  chain(page: number): number {
    return this.#chains[page % this.#slots];
  }

  setChain(page: number, chain: number): void {
    this.#chains[page % this.#slots] = chain;
  }
}
