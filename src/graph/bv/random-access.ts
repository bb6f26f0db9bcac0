import { UsageError } from "../../base/index.ts";
import type { BitReader } from "./bit-reader.ts";
import { type BvFiles, parseBvProperties } from "./properties.ts";
import { openGraph, RowDecoder } from "./row-decoder.ts";
import { findRowPositions, type RowPositions } from "./row-positions.ts";

/**
 * Reads single rows of a BV graph. Besides the row itself only the rows that it copies from are decoded, a chain of at
 * most `maxRefCount`. Memory: four bytes per page besides the file.
 */
export class BvRandomAccess {
  readonly pages: number;
  readonly arcs: number;
  readonly #positions: RowPositions;
  readonly #reader: BitReader;
  readonly #rows: RowDecoder;

  constructor(files: BvFiles) {
    const properties = parseBvProperties(files.properties);
    this.pages = properties.pages;
    this.arcs = properties.arcs;
    this.#positions = findRowPositions(files, properties);
    this.#reader = openGraph(files.graph, properties);
    this.#rows = new RowDecoder(this.#reader, properties);
  }

  outDegree(page: number): number {
    const degree = this.#begin(page);
    this.#reader.requireInside();
    return degree;
  }

  /** The out-links of a page, ascending, as a copy. */
  successors(page: number): Uint32Array {
    const chain = this.#chain(page);
    let row = this.#decode(chain[chain.length - 1], NO_LINKS);
    for (let i = chain.length - 2; i >= 0; i--) row = this.#decode(chain[i], row);
    return row;
  }

  /** The page, the one that its row copies from, the one that this copies from, ... */
  #chain(page: number): number[] {
    const chain = [page];
    for (let at = page; this.#begin(at) > 0; ) {
      const reference = this.#rows.reference();
      if (reference === 0) break;
      at -= reference;
      chain.push(at);
    }
    return chain;
  }

  #decode(page: number, source: Uint32Array): Uint32Array {
    const degree = this.#begin(page);
    const row = new Uint32Array(degree);
    if (degree > 0) {
      const copies = this.#rows.reference() > 0;
      const copied = copies ? this.#rows.copy(source, 0, source.length, row, 0, degree) : 0;
      this.#rows.complete(row, 0, copied, degree);
    }
    if (this.#reader.position !== this.#positions.at(page + 1)) {
      throw new UsageError(
        `the row of page ${page} in the .graph file does not end where the .offsets file says: ` +
          "one of them is damaged, or they do not belong together; without .offsets they are computed",
      );
    }
    return row;
  }

  /** Reads the out-degree of a page, and leaves the reader after it. */
  #begin(page: number): number {
    if (!(Number.isInteger(page) && page >= 0 && page < this.pages)) {
      throw new UsageError(`page ${page} is not in the graph, whose pages are 0 to ${this.pages - 1}`);
    }
    this.#reader.seek(this.#positions.at(page));
    return this.#rows.degree(page, this.arcs);
  }
}

const NO_LINKS = new Uint32Array(0);
