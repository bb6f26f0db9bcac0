/**
 * CDXJ: one line per response, `key timestamp {json}`, sorted by bytes, so that archive readers find a page by
 * bisection. The key is the URL in a sort-friendly form (surt.ts).
 *
 * Lines are appended to `index.cdxj.part` as records are written, and merged into `index.cdxj` when the archive is
 * closed, in runs of 64 MiB, so that memory does not grow with the crawl.
 */
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync, fstatSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { StoreError } from "./contract.ts";
import { surt } from "./surt.ts";

/** How much of the part is sorted in memory at once. */
const RUN_BYTES = 64 * 2 ** 20;
const CHUNK_BYTES = 1 << 20;
const LF = 10;

/** What an index calls the type of a response whose body was stored before. */
export const REVISIT = "warc/revisit";

export interface IndexEntry {
  readonly url: string;
  readonly dateMs: number;
  readonly mime: string;
  readonly status: number;
  readonly digest: string;
  readonly length: number;
  readonly offset: number;
  readonly filename: string;
}

export function indexLine(entry: IndexEntry): string {
  const timestamp = new Date(entry.dateMs).toISOString().replace(/[^\d]/g, "").slice(0, 14);
  const json = JSON.stringify({
    url: entry.url,
    mime: entry.mime,
    status: String(entry.status),
    digest: entry.digest,
    length: String(entry.length),
    offset: String(entry.offset),
    filename: entry.filename,
  });
  return `${surt(entry.url)} ${timestamp} ${json}\n`;
}

/** The `content-type` of a response without its parameters, as an index has it. */
export function mimeOf(contentType: string | undefined): string {
  const mime = contentType?.split(";")[0].trim().toLowerCase() ?? "";
  return mime === "" || /[\s"\\]/.test(mime) ? "unk" : mime;
}

/** Merges the lines of `part` into the sorted file at `path`, which appears whole or not at all; equal lines once. */
export function mergeIndex(path: string, part: string, runBytes = RUN_BYTES): void {
  const runs = writeRuns(path, part, runBytes);
  const sorted = [...(exists(path) ? [path] : []), ...runs].map((run) => new LineReader(run));
  const out = openSync(`${path}.new`, "w");
  try {
    let before = "";
    let text = "";
    for (;;) {
      let least: LineReader | undefined;
      for (const reader of sorted) {
        if (reader.line !== undefined && (least?.line === undefined || reader.line < least.line)) least = reader;
      }
      if (least?.line === undefined) break;
      if (least.line !== before) text += `${least.line}\n`;
      before = least.line;
      least.next();
      if (text.length >= CHUNK_BYTES) {
        writeSync(out, text);
        text = "";
      }
    }
    writeSync(out, text);
    fsyncSync(out);
  } finally {
    closeSync(out);
    for (const reader of sorted) reader.close();
    for (const run of runs) rmSync(run, { force: true });
  }
  renameSync(`${path}.new`, path);
}

/** Each run is sorted, has whole lines and about `runBytes`. */
function writeRuns(path: string, part: string, runBytes: number): string[] {
  const runs: string[] = [];
  const reader = new LineReader(part);
  while (reader.line !== undefined) {
    const lines: string[] = [];
    for (let bytes = 0; reader.line !== undefined && bytes < runBytes; reader.next()) {
      lines.push(reader.line);
      bytes += reader.line.length + 1;
    }
    const run = `${path}.run-${runs.length}`;
    runs.push(run);
    const out = openSync(run, "w");
    lines.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    let text = "";
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length < CHUNK_BYTES) continue;
      writeSync(out, text);
      text = "";
    }
    writeSync(out, text);
    closeSync(out);
  }
  reader.close();
  return runs;
}

/** Lines of a file one after another; keys and JSON are compared as text, which for ASCII is the order of bytes. */
export class LineReader {
  line: string | undefined;
  readonly #file: number;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #lines: string[] = [];
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.next();
  }

  next(): void {
    while (this.#at >= this.#lines.length && !this.#ended) this.#read();
    this.line = this.#at < this.#lines.length ? this.#lines[this.#at++] : undefined;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(): void {
    const length = readSync(this.#file, this.#chunk, 0, CHUNK_BYTES, null);
    this.#ended = length === 0;
    const bytes = Buffer.concat([this.#rest, this.#chunk.subarray(0, length)]);
    const end = this.#ended ? bytes.length : bytes.lastIndexOf(LF) + 1;
    this.#lines = bytes
      .toString("utf8", 0, end)
      .split("\n")
      .filter((line) => line !== "");
    this.#at = 0;
    this.#rest = Buffer.from(bytes.subarray(end));
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

const GZIP_HEADER_BYTES = 10;
const GZIP_TRAILER_BYTES = 8;
const WINDOW_BYTES = 4 << 20;

/**
 * The index entries of a WARC file of ours, for an index that was lost: one for each response and revisit. Members are
 * found by inflating one after another; our gzip headers have ten bytes, no names.
 */
export function* scanWarc(path: string, filename: string): Generator<IndexEntry> {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    for (let offset = 0; offset < size; ) {
      const { record, length } = readMember(file, path, offset, size);
      const entry = entryOf(record.toString("latin1"), { offset, length, filename });
      if (entry !== undefined) yield entry;
      offset += length;
    }
  } finally {
    closeSync(file);
  }
}

function readMember(file: number, path: string, offset: number, size: number): { record: Buffer; length: number } {
  for (let windowBytes = WINDOW_BYTES; ; windowBytes *= 4) {
    const window = Buffer.alloc(Math.min(windowBytes, size - offset));
    readSync(file, window, 0, window.length, offset);
    try {
      // The types of Node leave out what `info` changes.
      const { buffer, engine } = inflateRawSync(window.subarray(GZIP_HEADER_BYTES), { info: true }) as unknown as {
        buffer: Buffer;
        engine: { bytesWritten: number };
      };
      return { record: buffer, length: GZIP_HEADER_BYTES + engine.bytesWritten + GZIP_TRAILER_BYTES };
    } catch (error) {
      if (windowBytes < size - offset) continue;
      throw new StoreError("failed", `${path} is damaged at byte ${offset}: no index can be made of it`, {
        cause: error,
      });
    }
  }
}

function entryOf(
  record: string,
  where: { readonly offset: number; readonly length: number; readonly filename: string },
): IndexEntry | undefined {
  const headEnd = record.indexOf("\r\n\r\n");
  const warc = fieldsOf(record.slice(0, headEnd));
  const type = warc.get("warc-type");
  if (type !== "response" && type !== "revisit") return undefined;
  const http = record.slice(headEnd + 4, record.indexOf("\r\n\r\n", headEnd + 4));
  return {
    url: warc.get("warc-target-uri") ?? "",
    dateMs: Date.parse(warc.get("warc-date") ?? ""),
    mime: type === "revisit" ? REVISIT : mimeOf(fieldsOf(http).get("content-type")),
    status: Number(/^HTTP\/\S+ (\d+)/.exec(http)?.[1]),
    digest: warc.get("warc-payload-digest") ?? "",
    ...where,
  };
}

/** Names in lower case. */
function fieldsOf(head: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of head.split("\r\n").slice(1)) {
    const colon = line.indexOf(": ");
    if (colon > 0) fields.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2));
  }
  return fields;
}
