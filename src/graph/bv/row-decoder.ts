/**
 * One row (the out-links of one page) of a BV graph (P. Boldi, S. Vigna, "The WebGraph Framework I: Compression
 * Techniques", WWW 2004, section 4).
 *
 * A row is its out-degree and, unless that is 0: the distance of the row it copies from (0 for none), which parts of
 * that row are copied (lengths of blocks, alternately copied and skipped, the last one implied), the intervals of
 * consecutive links, and the residual links as gaps. The three parts are disjoint and ascending.
 *
 * The copied part is written straight to its place, and each further part is merged in from its end, so links before
 * the first new one never move.
 *
 * Every number is checked before it is used to index or allocate, so a damaged file ends in a `UsageError`.
 */
import { UsageError } from "../../base/index.ts";
import { BitReader } from "./bit-reader.ts";
import { fromNatural } from "./codes.ts";
import type { BvFormat, BvProperties } from "./properties.ts";

export class RowDecoder {
  readonly #reader: BitReader;
  readonly #format: BvFormat;
  readonly #pages: number;
  #page = 0;
  #incoming = new Uint32Array(1024);

  constructor(reader: BitReader, properties: BvProperties) {
    this.#reader = reader;
    this.#format = properties.format;
    this.#pages = properties.pages;
  }

  /** Begins the row of a page: its out-degree, which may be `arcsLeft` at most. */
  degree(page: number, arcsLeft: number): number {
    this.#page = page;
    const degree = this.#reader.read(this.#format.codes.outdegrees);
    if (degree > arcsLeft) this.#damaged(`${degree} links, but the graph has only ${arcsLeft} more`);
    if (degree > this.#pages) this.#damaged(`${degree} links, but there are only ${this.#pages} pages`);
    return degree;
  }

  /** How many pages back the row is that this one copies from; 0 for none. */
  reference(): number {
    const { windowSize, codes } = this.#format;
    if (windowSize === 0) return 0;
    const reference = this.#reader.read(codes.references);
    if (reference > windowSize) this.#damaged(`a reference ${reference} back, past the window of ${windowSize}`);
    if (reference > this.#page) this.#damaged(`a reference ${reference} back, before the first page`);
    return reference;
  }

  /** Copies from `source[from..to)` to `row[at..at + degree)` and returns how many links that gave. */
  copy(source: Uint32Array, from: number, to: number, row: Uint32Array, at: number, degree: number): number {
    const reader = this.#reader;
    const { blockCounts, blocks } = this.#format.codes;
    const count = reader.read(blockCounts);
    const end = at + degree;
    let read = from;
    let written = at;
    for (let block = 0; block <= count; block++) {
      const copied = (block & 1) === 0;
      // The block after the last one takes the rest; its turn decides whether that is copied or skipped.
      const length = block === count ? to - read : reader.read(blocks) + (block === 0 ? 0 : 1);
      if (length > to - read) this.#damaged("copy blocks longer than the row they copy from");
      if (!copied) {
        read += length;
        continue;
      }
      if (length > end - written) this.#damaged("more copied links than its out-degree");
      for (const stop = read + length; read < stop; ) row[written++] = source[read++];
    }
    return written - at;
  }

  /** Completes a row that has `have` links at `row[at]` already: intervals, then residuals. */
  complete(row: Uint32Array, at: number, have: number, degree: number): void {
    if (have === degree) return;
    if (this.#incoming.length < degree) this.#incoming = new Uint32Array(2 * degree);
    if (this.#format.minIntervalLength > 0) {
      const count = this.#reader.gamma();
      if (count > 0) have += this.#intervals(count, row, at, have, degree);
    }
    if (have < degree) this.#residuals(row, at, have, degree);
  }

  #intervals(count: number, row: Uint32Array, at: number, have: number, degree: number): number {
    const reader = this.#reader;
    const { minIntervalLength } = this.#format;
    const into = have === 0 ? row : this.#incoming;
    const start = have === 0 ? at : 0;
    let written = start;
    let room = degree - have;
    let link = this.#page + fromNatural(reader.gamma());
    for (let interval = 0; interval < count; interval++) {
      if (interval > 0) link += reader.gamma() + 1;
      const length = reader.gamma() + minIntervalLength;
      if (length > room) this.#damaged("intervals longer than its out-degree");
      if (link < 0 || link + length > this.#pages) this.#damaged(`an interval outside the ${this.#pages} pages`);
      room -= length;
      for (const stop = link + length; link < stop; ) into[written++] = link++;
    }
    if (have > 0) this.#merge(row, at, have, written);
    return written - start;
  }

  #residuals(row: Uint32Array, at: number, have: number, degree: number): void {
    const reader = this.#reader;
    const code = this.#format.codes.residuals;
    const into = have === 0 ? row : this.#incoming;
    const start = have === 0 ? at : 0;
    const stop = start + degree - have;
    let link = this.#page + fromNatural(reader.read(code));
    if (link < 0) this.#damaged(`a link to page ${link}`);
    into[start] = link;
    for (let i = start + 1; i < stop; i++) {
      link += reader.read(code) + 1;
      into[i] = link;
    }
    // Links ascend, so checking the last one is enough.
    if (link >= this.#pages) this.#damaged(`a link to page ${link}, but there are only ${this.#pages} pages`);
    if (have > 0) this.#merge(row, at, have, stop);
  }

  #merge(row: Uint32Array, at: number, have: number, count: number): void {
    if (!mergeFromEnd(row, at, have, this.#incoming, count)) this.#damaged("a link twice");
  }

  #damaged(what: string): never {
    throw new UsageError(
      `the row of page ${this.#page} in the .graph file has ${what}: ` +
        "the file is damaged, or it does not belong to its .properties file",
    );
  }
}

/** A reader at the start of the `.graph` file. */
export function openGraph(bytes: Uint8Array, properties: BvProperties): BitReader {
  // Even an empty row takes a bit. This bounds what is allocated for a file that lies about its size.
  if (properties.pages > 8 * bytes.byteLength) {
    throw new UsageError(
      `the .properties file says ${properties.pages} pages, more than the ${bytes.byteLength} bytes of the ` +
        ".graph file can hold: the file is truncated, or the two do not belong together",
    );
  }
  return new BitReader({ bytes, parameter: properties.format.zetaK, file: ".graph" });
}

/** Merges `incoming[0..count)` into the ascending `row[at..at + have)`. Returns false if they share a number. */
function mergeFromEnd(row: Uint32Array, at: number, have: number, incoming: Uint32Array, count: number): boolean {
  let old = at + have - 1;
  let free = old + count;
  for (let next = count - 1; next >= 0; next--) {
    const link = incoming[next];
    while (old >= at && row[old] > link) row[free--] = row[old--];
    if (old >= at && row[old] === link) return false;
    row[free--] = link;
  }
  return true;
}
