/**
 * The out-links of pages as a crawl discovers them. Unlike a `Graph` a table may grow, and a row may name a target more
 * than once (several links to one page); each entry is one link.
 */
import { assert, capacityFor, enlarged, IdTable } from "../base/index.ts";
import type { Graph } from "./graph.ts";

/** The links of a page, as written: `targets[start]` to `targets[end - 1]`. */
export interface LinkRow {
  readonly targets: Uint32Array;
  readonly start: number;
  readonly end: number;
}

/** The links of pages that are known. */
export interface LinkTable {
  /** The number of links of a page; -1 if they are not known. */
  count(page: number): number;
  /** The links of a page; none if they are not known. The row is true until the next call of `row`: copy what is kept. */
  row(page: number): LinkRow;
}

/** The links of a whole graph, without a copy. */
export function linksOf(graph: Graph): LinkTable {
  return new GraphLinks(graph);
}

/** A copy of the links of a page, which stays as it is. */
export function copiedRow(links: LinkTable, page: number): Uint32Array {
  const { targets, start, end } = links.row(page);
  return targets.slice(start, end);
}

class GraphLinks implements LinkTable {
  readonly #offsets: Uint32Array;
  readonly #row: Mutable<LinkRow>;

  constructor({ offsets, targets }: Graph) {
    this.#offsets = offsets;
    this.#row = { targets, start: 0, end: 0 };
  }

  count(page: number): number {
    return this.#offsets[page + 1] - this.#offsets[page];
  }

  row(page: number): LinkRow {
    const row = this.#row;
    row.start = this.#offsets[page];
    row.end = this.#offsets[page + 1];
    return row;
  }
}

/** Bytes of a chunk; a longer row has a chunk of its own. */
const CHUNK_BITS = 20;
const CHUNK = 1 << CHUNK_BITS;
/** A number below 2^32 takes so many bytes at most. */
const NUMBER_BYTES_MAX = 5;
/** So many chunks, because where a row begins is a number of 32 bits. */
const CHUNKS_MAX = 2 ** 32 / CHUNK - 1;

/**
 * A link table that a crawl fills page by page, in any order. A page that is set again has its new links only.
 *
 * A row is stored as the number of its links and the difference of each link from the one before, the first from the
 * page itself: URLs that are discovered on one page have neighbouring numbers. Differences wrap around at 2^32, their
 * sign is the lowest bit, and numbers take 7 bits per byte, the lowest first. Rows are found by a hash table, since few
 * of the pages that are known have one.
 *
 * Cost: on average 2 to 3 bytes per link, and 11 to 21 per row. What was set before and replaced is not freed.
 */
export class GrowingLinks implements LinkTable {
  readonly #chunks: Uint8Array[] = [new Uint8Array(256)];
  /** Where the next row goes in the last chunk. */
  #at = 0;
  /** Where the row of a page begins: in which chunk, and where. */
  readonly #begins = new IdTable();
  readonly #row: Mutable<LinkRow> = { targets: new Uint32Array(64), start: 0, end: 0 };
  /** The page of which that row is. */
  #rowPage = -1;

  set(page: number, links: ArrayLike<number>): void {
    const chunk = this.#chunkWith(NUMBER_BYTES_MAX * (links.length + 1));
    this.#begins.set(page, (this.#chunks.length - 1) * CHUNK + this.#at);
    let at = writeNumber(chunk, this.#at, links.length);
    for (let k = 0, before = page; k < links.length; k++) {
      const difference = (links[k] - before) | 0;
      at = writeNumber(chunk, at, ((difference << 1) ^ (difference >> 31)) >>> 0);
      before = links[k];
    }
    // Nothing follows a row that is longer than a chunk.
    this.#at = chunk.length > CHUNK ? chunk.length : at;
    this.#rowPage = -1;
  }

  /** The last chunk, with room for so many bytes. */
  #chunkWith(bytes: number): Uint8Array {
    const chunks = this.#chunks;
    const last = chunks[chunks.length - 1];
    if (this.#at + bytes <= last.length) return last;
    if (this.#at + bytes <= CHUNK) {
      return (chunks[chunks.length - 1] = enlarged(last, Math.min(CHUNK, capacityFor(this.#at + bytes, last.length))));
    }
    assert(chunks.length < CHUNKS_MAX, "links take less than 4 GB");
    const chunk = new Uint8Array(Math.max(CHUNK, bytes));
    chunks.push(chunk);
    this.#at = 0;
    return chunk;
  }

  /** The links of a page are known no more: it is gone. */
  unset(page: number): void {
    this.#begins.delete(page);
    this.#rowPage = -1;
  }

  count(page: number): number {
    const begin = this.#begins.get(page);
    return begin < 0 ? -1 : readNumber(this.#chunks[begin >>> CHUNK_BITS], begin & (CHUNK - 1));
  }

  row(page: number): LinkRow {
    const row = this.#row;
    if (page === this.#rowPage) return row;
    const begin = this.#begins.get(page);
    this.#rowPage = page;
    row.end = 0;
    if (begin < 0) return row;
    const chunk = this.#chunks[begin >>> CHUNK_BITS];
    const at = begin & (CHUNK - 1);
    row.end = readNumber(chunk, at);
    if (row.end > row.targets.length) row.targets = new Uint32Array(2 * row.end);
    readLinks(chunk, at + bytesOf(row.end), row, page);
    return row;
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function writeNumber(bytes: Uint8Array, from: number, number: number): number {
  let at = from;
  let rest = number;
  for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
  bytes[at++] = rest;
  return at;
}

function readNumber(bytes: Uint8Array, from: number): number {
  let number = 0;
  for (let at = from, shift = 0; ; at++, shift += 7) {
    number |= (bytes[at] & 127) << shift;
    if (bytes[at] < 128) return number >>> 0;
  }
}

function bytesOf(number: number): number {
  return Math.ceil((32 - Math.clz32(number | 1)) / 7);
}

/** The hot loop: writes the links of a row from its first difference on. */
function readLinks(bytes: Uint8Array, from: number, { targets, end }: LinkRow, page: number): void {
  let at = from;
  let link = page;
  for (let k = 0; k < end; k++) {
    let byte = bytes[at++];
    let number = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++];
      number |= (byte & 127) << shift;
    }
    link = (link + ((number >>> 1) ^ -(number & 1))) | 0;
    targets[k] = link;
  }
}
