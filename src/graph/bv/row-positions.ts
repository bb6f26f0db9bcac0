import { UsageError } from "../../base/index.ts";
import { BitReader } from "./bit-reader.ts";
import type { BvFiles, BvProperties } from "./properties.ts";
import { openGraph, RowDecoder } from "./row-decoder.ts";
import { RowWindow } from "./row-window.ts";

/**
 * Where the rows of a BV graph begin, in bits; one more entry says where the last one ends. Positions ascend and are
 * kept modulo 2^32, with the few indices at which they pass a multiple of 2^32: four bytes per page for files of any
 * size.
 */
export class RowPositions {
  readonly #low: Uint32Array;
  readonly #passed: number[] = [];
  #count = 0;

  constructor(pages: number) {
    this.#low = new Uint32Array(pages + 1);
  }

  push(position: number): void {
    while (position >= (this.#passed.length + 1) * 2 ** 32) this.#passed.push(this.#count);
    this.#low[this.#count++] = position;
  }

  at(page: number): number {
    let passed = 0;
    while (passed < this.#passed.length && this.#passed[passed] <= page) passed++;
    return passed * 2 ** 32 + this.#low[page];
  }
}

/** Reads the positions from the `.offsets` file, or finds them by a pass over the graph if there is none. */
export function findRowPositions(files: BvFiles, properties: BvProperties): RowPositions {
  const reader = openGraph(files.graph, properties);
  if (files.offsets === undefined) return scan(reader, properties);
  return readOffsets(files.offsets, properties, 8 * files.graph.byteLength);
}

function readOffsets(bytes: Uint8Array, properties: BvProperties, graphBits: number): RowPositions {
  const { pages, format } = properties;
  const reader = new BitReader({ bytes, parameter: format.zetaK, file: ".offsets" });
  const positions = new RowPositions(pages);
  let position = 0;
  for (let page = 0; page <= pages; page++) {
    position += reader.read(format.codes.offsets);
    if (position > graphBits) {
      throw new UsageError(
        `the .offsets file has page ${page} at bit ${position}, after the ${graphBits} bits of the .graph ` +
          "file: they do not belong together; without the .offsets file the offsets are computed",
      );
    }
    positions.push(position);
  }
  reader.requireInside();
  return positions;
}

function scan(reader: BitReader, properties: BvProperties): RowPositions {
  const { pages, arcs, format } = properties;
  const rows = new RowDecoder(reader, properties);
  const window = new RowWindow(format.windowSize);
  const positions = new RowPositions(pages);
  let arcsLeft = arcs;
  for (let page = 0; page < pages; page++) {
    positions.push(reader.position);
    const degree = rows.degree(page, arcsLeft);
    arcsLeft -= degree;
    const row = window.open(page, degree);
    if (degree === 0) continue;
    const source = page - rows.reference();
    const copied =
      source === page ? 0 : rows.copy(window.row(source), 0, window.degree(source), row, 0, degree);
    rows.complete(row, 0, copied, degree);
  }
  reader.requireInside();
  positions.push(reader.position);
  return positions;
}
