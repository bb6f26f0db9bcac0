/**
 * Reads text arcs: one `source target` per line, as in `.arcs`, `.tsv` and `.csv` files.
 *
 * Accepted: any number of spaces, tabs, commas or semicolons around the two ids; comments after `#` or `%`; blank
 * lines, any line ending, a byte order mark, a first line of column names; arcs in any order. The comments `# pages N`,
 * `# pages N arcs M` and `# arcs M`, which our encoder writes, have a meaning: they keep pages after the last linked
 * one, and a file with fewer than M arcs is recognised as truncated.
 *
 * Plain lines are read by one loop over bytes, without strings or objects. All other lines go through `#oddLine`, which
 * need not be fast.
 */
import { plural, quoted, UsageError } from "../base/index.ts";
import { ARCS_LAST } from "./arcs-encoder.ts";
import { GraphBuilder, PAGE_ID_MAX } from "./builder.ts";
import type { Graph } from "./graph.ts";
import { LineCutter, nextLine } from "./lines.ts";

const SIZE = new RegExp(`^#(?: pages (\\d+))?(?: arcs (\\d+|${ARCS_LAST}))?$`);

/** Options of `ArcsDecoder`. */
export interface ArcsOptions {
  /** The number of pages, if the file may not name them all. A larger id is an error. */
  readonly pages?: number;
  /**
   * Accept any number of pages (default: false). Otherwise one mistyped id could ask for gigabytes, so more than 2^24
   * pages (64 MiB of offsets) are accepted only up to a thousand times the number of arcs.
   */
  readonly allowSparse?: boolean;
}

const PAGES_ALWAYS_ALLOWED = 2 ** 24;
const PAGES_PER_ARC_MAX = 1000;

const LF = 10;
const CR = 13;

/** Decodes a file of text arcs: `push` its chunks, then `finish`. */
export class ArcsDecoder {
  readonly #options: ArcsOptions;
  readonly #builder = new GraphBuilder();
  readonly #cutter = new LineCutter((bytes, from, to) => this.#read(bytes, from, to));
  readonly #text = new TextDecoder();
  #lines = 0;
  #headerSeen = false;
  #statedPages: number | undefined;
  #statedArcs = 0;

  constructor(options: ArcsOptions = {}) {
    this.#options = options;
  }

  /** Arcs read so far, parallel ones included. */
  get arcs(): number {
    return this.#builder.arcs;
  }

  push(chunk: Uint8Array): void {
    this.#cutter.push(chunk);
  }

  finish(): Graph {
    this.#cutter.finish();
    const { arcs } = this.#builder;
    if (arcs < this.#statedArcs) {
      const stated = this.#statedArcs === Number.POSITIVE_INFINITY ? "more" : String(this.#statedArcs);
      throw new UsageError(
        `the file states ${stated} arcs but holds ${arcs}: it is probably truncated ` +
          '(if not, remove its "# pages" line)',
      );
    }
    const pages = this.#options.pages ?? this.#statedPages ?? this.#builder.pages;
    this.#refuseAbsurd(Math.max(pages, this.#builder.pages), arcs);
    return this.#builder.finish({ pages });
  }

  #read(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to) {
      const arcsBefore = this.#builder.arcs;
      at = readPlainLines(bytes, at, to, this.#builder);
      this.#lines += this.#builder.arcs - arcsBefore;
      if (at < to) at = this.#oddLine(bytes, at);
    }
  }

  #oddLine(bytes: Uint8Array, from: number): number {
    const end = nextLine(bytes, from);
    this.#lines++;
    const line = this.#text.decode(bytes.subarray(from, end)).trim();
    if (line.startsWith("#")) this.#readSize(line);
    const fields = line
      .replace(/[#%].*/s, "")
      .split(/[\s,;]+/)
      .filter((field) => field !== "");
    if (fields.length === 0) return end;
    if (this.#isHeader(fields)) this.#headerSeen = true;
    else if (fields.length === 2 && fields.every(isPageId)) this.#builder.add(Number(fields[0]), Number(fields[1]));
    else throw this.#malformed(line, fields);
    return end;
  }

  #readSize(comment: string): void {
    const [, pages, arcs] = SIZE.exec(comment) ?? [];
    if (pages !== undefined) this.#statedPages = Number(pages);
    if (arcs !== undefined) this.#statedArcs = arcs === ARCS_LAST ? Number.POSITIVE_INFINITY : Number(arcs);
  }

  #isHeader(fields: readonly string[]): boolean {
    if (this.#headerSeen || this.#builder.arcs > 0) return false;
    return fields.every((field) => /\p{L}/u.test(field) && !/\d/.test(field));
  }

  #malformed(line: string, fields: readonly string[]): UsageError {
    const odd = fields.find((field) => !isPageId(field));
    const problem =
      odd === undefined ? `got ${fields.length} ${plural(fields.length, "number")}` : `${quoted(odd)} is not a page id`;
    return new UsageError(
      `line ${this.#lines}: ${quoted(line)}: ${problem}; expected "source target", ` +
        `two whole numbers from 0 to ${PAGE_ID_MAX} separated by spaces, tabs, commas or semicolons`,
    );
  }

  #refuseAbsurd(pages: number, arcs: number): void {
    if (this.#options.allowSparse || pages <= Math.max(PAGES_ALWAYS_ALLOWED, PAGES_PER_ARC_MAX * arcs)) return;
    throw new UsageError(
      `${pages} pages for ${arcs} ${plural(arcs, "arc")}: one page id is probably wrong; expected at most ` +
        `${PAGES_PER_ARC_MAX} pages per arc above ${PAGES_ALWAYS_ALLOWED} pages (or allow sparse graphs)`,
    );
  }
}

/** Adds the arcs of plain lines. Returns where the first line starts that is not plain, or `to`. */
function readPlainLines(bytes: Uint8Array, from: number, to: number, builder: GraphBuilder): number {
  let i = from;
  while (i < to) {
    const lineStart = i;
    let byte = bytes[i];
    while (isSeparator(byte)) byte = bytes[++i];
    if (!isDigit(byte)) return lineStart;
    let source = 0;
    do {
      source = source * 10 + (byte - 48);
      byte = bytes[++i];
    } while (isDigit(byte));
    if (!isSeparator(byte)) return lineStart;
    do byte = bytes[++i];
    while (isSeparator(byte));
    if (!isDigit(byte)) return lineStart;
    let target = 0;
    do {
      target = target * 10 + (byte - 48);
      byte = bytes[++i];
    } while (isDigit(byte));
    while (isSeparator(byte)) byte = bytes[++i];
    if (byte === LF) i++;
    else if (byte === CR) i += bytes[i + 1] === LF ? 2 : 1;
    else return lineStart;
    if (source > PAGE_ID_MAX || target > PAGE_ID_MAX) return lineStart;
    builder.add(source, target);
  }
  return i;
}

function isSeparator(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 44 || byte === 59;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function isPageId(field: string): boolean {
  return /^\d+$/.test(field) && Number(field) <= PAGE_ID_MAX;
}
