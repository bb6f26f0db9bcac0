/**
 * Text arcs: one `source target` per line, as in `.arcs`, `.tsv` and `.csv` files.
 *
 * Accepted: any number of spaces, tabs, commas or semicolons around the two ids; comments after `#` or `%`; blank
 * lines, any line ending, a byte order mark, a first line of column names; arcs in any order. The comments `# pages N`,
 * `# pages N arcs M` and `# arcs M`, which our encoder writes, have a meaning: they keep pages after the last linked
 * one, and a file with fewer than M arcs is recognised as truncated.
 *
 * Plain lines are read by one loop over bytes, without strings or objects. All other lines go through `#oddLine`, which
 * need not be fast. Digits are written straight into the chunks too, without a string per arc.
 */
import { plural, quoted, UsageError } from "../base/index.ts";
import { GraphBuilder, PAGE_ID_MAX } from "./builder.ts";
import type { Graph } from "./graph.ts";
import { CR, LF, LineCutter, nextLine } from "./lines.ts";

/** Written in the first line in place of the number of arcs, if that number comes in the last line. */
const ARCS_LAST = "at the end";
const SIZE = new RegExp(`^#(?: pages (\\d+))?(?: arcs (\\d+|${ARCS_LAST}))?$`);

/** Options of `ArcsDecoder`. */
export interface ArcsOptions {
  /** The number of pages, if the file may not name them all. A larger id is an error. */
  readonly pages?: number;
  /** Accept more than 2^24 pages even if there are a thousand per arc: usually a mistyped id (default: false). */
  readonly allowSparse?: boolean;
}

const PAGES_ALWAYS_ALLOWED = 2 ** 24;
const PAGES_PER_ARC_MAX = 1000;
const SPACE = 32;

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

  /** What is pushed next begins another file: messages count its lines. */
  startFile(): void {
    this.#lines = 0;
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
    const linesBefore = this.#lines;
    const { pages = Number.POSITIVE_INFINITY } = this.#options;
    let at = from;
    while (at < to) {
      const arcsBefore = this.#builder.arcs;
      at = readPlainLines(bytes, at, to, this.#builder);
      this.#lines += this.#builder.arcs - arcsBefore;
      if (at < to) at = this.#oddLine(bytes, at);
    }
    if (this.#builder.pages > pages) throw this.#outside(bytes.subarray(from, to), linesBefore, pages);
  }

  /** The first arc of these lines that does not fit the graph, of which it is only known that there is one. */
  #outside(bytes: Uint8Array, linesBefore: number, pages: number): UsageError {
    let line = linesBefore;
    for (let from = 0; from < bytes.length; ) {
      const end = nextLine(bytes, from);
      line++;
      const text = this.#text.decode(bytes.subarray(from, end)).replace(/[#%].*/s, "");
      const id = (text.match(/\d+/g) ?? []).map(Number).find((each) => each >= pages);
      if (id !== undefined) {
        return new UsageError(`line ${line}: page id ${id} does not fit a graph of ${pages} pages: ids start at 0`);
      }
      from = end;
    }
    throw new Error("an arc that does not fit was read, and is not there");
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

const CHUNK_BYTES = 1 << 16;
/** Two ids of ten digits, a space, a line feed. */
const ARC_BYTES_MAX = 22;

/** For links that come row by row and need not fit in memory. A chunk is not changed once it was handed out. */
export class ArcsEncoder {
  readonly #sink: (chunk: Uint8Array) => void;
  #chunk = new Uint8Array(CHUNK_BYTES);
  #used = 0;
  #arcs = 0;
  readonly #statesArcsLast: boolean;

  /** The number of arcs is written at the end if it is unknown at the start. Either way a truncated file is noticed. */
  constructor(sink: (chunk: Uint8Array) => void, size: { readonly pages: number; readonly arcs?: number }) {
    this.#sink = sink;
    this.#statesArcsLast = size.arcs === undefined;
    sink(new TextEncoder().encode(`# pages ${size.pages} arcs ${size.arcs ?? ARCS_LAST}\n`));
  }

  /** The links of a page: `targets` from `from` to `to - 1`. */
  add(page: number, targets: Uint32Array, from: number, to: number): void {
    this.#arcs += to - from;
    let arc = from;
    while (arc < to) {
      const end = Math.min(to, arc + Math.floor((CHUNK_BYTES - this.#used) / ARC_BYTES_MAX));
      const chunk = this.#chunk;
      let at = this.#used;
      for (; arc < end; arc++) {
        at = writeNumber(chunk, at, page);
        chunk[at++] = SPACE;
        at = writeNumber(chunk, at, targets[arc]);
        chunk[at++] = LF;
      }
      this.#used = at;
      if (CHUNK_BYTES - this.#used < ARC_BYTES_MAX) this.#handOut();
    }
  }

  finish(): void {
    if (this.#used > 0) this.#handOut();
    if (this.#statesArcsLast) this.#sink(new TextEncoder().encode(`# arcs ${this.#arcs}\n`));
  }

  #handOut(): void {
    this.#sink(this.#chunk.subarray(0, this.#used));
    this.#chunk = new Uint8Array(CHUNK_BYTES);
    this.#used = 0;
  }
}

/** Encodes a graph as text arcs, chunk by chunk. */
export function* encodeArcs(graph: Graph): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const encoder = new ArcsEncoder((chunk) => ready.push(chunk), graph);
  for (let page = 0; page < graph.pages; page++) {
    encoder.add(page, graph.targets, graph.offsets[page], graph.offsets[page + 1]);
    if (ready.length > 0) yield* ready.splice(0);
  }
  encoder.finish();
  yield* ready;
}

function writeNumber(bytes: Uint8Array, from: number, value: number): number {
  let end = from + 1;
  for (let rest = value; rest >= 10; rest = (rest / 10) >>> 0) end++;
  let at = end;
  let rest = value;
  do {
    const tens = (rest / 10) >>> 0;
    bytes[--at] = 48 + (rest - 10 * tens);
    rest = tens;
  } while (at > from);
  return end;
}
