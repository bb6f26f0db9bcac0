import { FailureError, noProgress, type Progress, UsageError } from "../../base/index.ts";
import { type Graph, sharedUint32 } from "../graph.ts";
import { BitReader } from "./bit-reader.ts";
import { type BvFiles, type BvProperties, parseBvProperties } from "./properties.ts";
import { openGraph, RowDecoder } from "./row-decoder.ts";
import { RowWindow } from "./row-window.ts";

/** Decodes a whole BV graph in one pass. A file that is damaged or not of a BV graph throws a `UsageError`. */
export function decodeBv(files: BvFiles, progress: Progress = noProgress): Graph {
  const properties = parseBvProperties(files.properties);
  const { pages, arcs } = properties;
  const reader = openGraph(files.graph, properties);
  const rows = new RowDecoder(reader, properties);
  const offsets = sharedUint32(pages + 1);
  const targets = allocateTargets(arcs);
  for (let page = 0; page < pages; page += PAGES_PER_STEP) {
    progress({ task: "decoding", done: page, total: pages, unit: "pages" });
    decodeRows(rows, page, Math.min(page + PAGES_PER_STEP, pages), offsets, targets);
  }
  reader.requireInside();
  requireWhole(properties, offsets[pages], 8 * files.graph.byteLength - reader.position);
  progress({ task: "decoding", done: pages, total: pages, unit: "pages" });
  return { pages, arcs, offsets, targets };
}

const PAGES_PER_STEP = 1 << 16;

/** A file may be padded to whole words, of up to 128 bits in known writers. */
const PADDING_BITS_MAX = 128;

function allocateTargets(arcs: number): Uint32Array {
  try {
    return sharedUint32(arcs);
  } catch {
    const bytes = 4 * arcs;
    throw new FailureError(`no memory for the ${arcs} arcs that the .properties file says: ${bytes} bytes`);
  }
}

function decodeRows(rows: RowDecoder, first: number, end: number, offsets: Uint32Array, targets: Uint32Array): void {
  let at = offsets[first];
  for (let page = first; page < end; page++) {
    const degree = rows.degree(page, targets.length - at);
    if (degree > 0) {
      const reference = rows.reference();
      const source = page - reference;
      const copied =
        reference === 0 ? 0 : rows.copy(targets, offsets[source], offsets[source + 1], targets, at, degree);
      rows.complete(targets, at, copied, degree);
    }
    at += degree;
    offsets[page + 1] = at;
  }
}

function requireWhole(properties: BvProperties, arcs: number, bitsLeft: number): void {
  if (arcs !== properties.arcs) {
    throw new UsageError(
      `the .graph file has ${arcs} arcs, but its .properties file says ${properties.arcs}: ` +
        "one of them is damaged, or they do not belong together",
    );
  }
  if (bitsLeft > PADDING_BITS_MAX) {
    throw new UsageError(
      `the .graph file continues for ${bitsLeft} bits after its last page, ${properties.pages - 1}: ` +
        "it does not belong to its .properties file",
    );
  }
}

/** Reads single rows of a BV graph, and those that they copy from. Memory: four bytes per page besides the file. */
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
    this.#reader = openGraph(files.graph, properties);
    this.#rows = new RowDecoder(this.#reader, properties);
    this.#positions =
      files.offsets === undefined
        ? scan(this.#reader, this.#rows, properties)
        : readOffsets(files.offsets, properties, 8 * files.graph.byteLength);
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

const NO_LINKS = new Uint32Array(0);

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

/** Finds the positions by a pass over the graph. */
function scan(reader: BitReader, rows: RowDecoder, { pages, arcs, format }: BvProperties): RowPositions {
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
    const copied = source === page ? 0 : rows.copy(window.row(source), 0, window.degree(source), row, 0, degree);
    rows.complete(row, 0, copied, degree);
  }
  reader.requireInside();
  positions.push(reader.position);
  return positions;
}
