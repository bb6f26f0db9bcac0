/**
 * The out-links of pages as a crawl discovers them. Unlike a `Graph` a table may grow, and a row may name a target more
 * than once (several links to one page); each entry is one link.
 */
import {
  assert,
  capacityFor,
  type ChunkFile,
  chunkBitsFor,
  enlarged,
  type FoundBytes,
  FullChunks,
  IdTable,
} from "../base/index.ts";
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
  /** The links of a page; none if they are not known. The row is true until the next call: copy what is kept. */
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

/** Chunks of 1 MB. */
const CHUNK_BITS_MAX = 20;
/** A number below 2^32 takes so many bytes at most. */
const NUMBER_BYTES_MAX = 5;

/**
 * A link table that a crawl fills page by page, in any order. A page that is set again has its new links only.
 *
 * A row is stored as the number of its links and the difference of each link from the one before, the first from the
 * page itself: URLs that are discovered on one page have neighbouring numbers. Differences wrap around at 2^32, their
 * sign is the lowest bit, and numbers take 7 bits per byte, the lowest first. Rows are found by a hash table, since few
 * of the pages that are known have one.
 *
 * Rows are in chunks, and a chunk that is full never changes. So the oldest of them may go into a file
 * (base/full-chunks.ts). A row that cannot be read any more throws whatever the file throws, every time.
 *
 * Cost: on average 2 to 3 bytes per link, and 11 to 21 per row. What was set before and replaced is not freed.
 */
export class GrowingLinks implements LinkTable {
  readonly #chunkBits: number;
  readonly #chunkBytes: number;
  readonly #full: FullChunks;
  /** The chunk behind the full ones, and where the next row goes in it. */
  #last: Uint8Array;
  #at = 0;
  /** Where something was found in the last chunk. */
  readonly #found: Mutable<FoundBytes> = { bytes: new Uint8Array(0), at: 0 };
  /** Where the row of a page begins: in which chunk, and where. */
  readonly #begins = new IdTable();
  readonly #row: Mutable<LinkRow> = { targets: new Uint32Array(64), start: 0, end: 0 };
  /** The page of which that row is. */
  #rowPage = -1;

  /** `file` takes what does not fit in memory (default: all rows stay there). */
  constructor(file?: ChunkFile) {
    this.#chunkBits = Math.min(CHUNK_BITS_MAX, chunkBitsFor(file));
    this.#chunkBytes = 2 ** this.#chunkBits;
    this.#full = new FullChunks(file, this.#chunkBytes);
    this.#last = new Uint8Array(Math.min(256, this.#chunkBytes));
  }

  set(page: number, links: ArrayLike<number>): void {
    const chunk = this.#chunkWith(NUMBER_BYTES_MAX * (links.length + 1));
    this.#begins.set(page, this.#full.count * this.#chunkBytes + this.#at);
    let at = writeNumber(chunk, this.#at, links.length);
    for (let k = 0, before = page; k < links.length; k++) {
      const difference = (links[k] - before) | 0;
      at = writeNumber(chunk, at, ((difference << 1) ^ (difference >> 31)) >>> 0);
      before = links[k];
    }
    // Nothing follows a row that is longer than a chunk.
    this.#at = chunk.length > this.#chunkBytes ? chunk.length : at;
    this.#rowPage = -1;
  }

  /** The last chunk, with room for so many bytes. */
  #chunkWith(bytes: number): Uint8Array {
    const last = this.#last;
    const needed = this.#at + bytes;
    if (needed <= last.length) return last;
    if (needed > this.#chunkBytes) return this.#nextChunk(bytes);
    this.#last = enlarged(last, Math.min(this.#chunkBytes, capacityFor(needed, last.length)));
    return this.#last;
  }

  #nextChunk(bytes: number): Uint8Array {
    // Where a row begins is a number of 32 bits.
    assert((this.#full.count + 2) * this.#chunkBytes < 2 ** 32, "links take less than 4 GB");
    this.#full.add(this.#last);
    this.#last = new Uint8Array(Math.max(this.#chunkBytes, bytes));
    this.#at = 0;
    return this.#last;
  }

  /** The links of a page are known no more: it is gone. */
  unset(page: number): void {
    this.#begins.delete(page);
    this.#rowPage = -1;
  }

  /** Whether the links of a page are known; faster than to count them. */
  has(page: number): boolean {
    return this.#begins.get(page) >= 0;
  }

  count(page: number): number {
    const begin = this.#begins.get(page);
    if (begin < 0) return -1;
    return page === this.#rowPage ? this.#row.end : this.#countAt(begin);
  }

  row(page: number): LinkRow {
    const row = this.#row;
    if (page === this.#rowPage) return row;
    const begin = this.#begins.get(page);
    row.end = 0;
    // A row that cannot be read is that of no page.
    this.#rowPage = -1;
    if (begin >= 0) this.#read(begin, page);
    this.#rowPage = page;
    return row;
  }

  #read(begin: number, page: number): void {
    const row = this.#row;
    const count = this.#countAt(begin);
    const { bytes, at } = this.#find(begin, NUMBER_BYTES_MAX * (count + 1));
    if (count > row.targets.length) row.targets = new Uint32Array(2 * count);
    row.end = count;
    readLinks(bytes, at + bytesOf(count), row, page);
  }

  #countAt(begin: number): number {
    const { bytes, at } = this.#find(begin, NUMBER_BYTES_MAX);
    return readNumber(bytes, at);
  }

  #find(begin: number, count: number): FoundBytes {
    const chunk = begin >>> this.#chunkBits;
    const at = begin & (this.#chunkBytes - 1);
    if (chunk < this.#full.count) return this.#full.find(chunk, at, count);
    const found = this.#found;
    found.bytes = this.#last;
    found.at = at;
    return found;
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
