/**
 * The WARC files of one shard, as long as a worker owns it: with names that nobody else uses, and with an index beside
 * each file.
 *
 * How much of each file counts is for the log of the shard to say: marks are appended there together with the facts,
 * once the files are on disk. Whoever gathers the log takes the files over (warc-archive.ts), and cuts off what lies
 * beyond. The index is not synced: an index that is not whole has fewer lines than the mark says, and is made again.
 */
import { join } from "node:path";
import { LineReader } from "./cdxj.ts";
import type { HttpExchange } from "./contract.ts";
import { fileFailure, GrowingFile, named } from "./growing-file.ts";
import { type WarcOptions, WarcWriter } from "./warc-writer.ts";

/** How much of a file counts. */
export interface WarcMark {
  readonly bytes: number;
  /** Lines of its index. */
  readonly lines: number;
  /** CRC-32 of these bytes: a copy of the file may be damaged, or be another file. */
  readonly crc: number;
}

export interface ShardWarcOptions extends WarcOptions {
  /** Of all files. */
  readonly dir: string;
  /** Different for every process that ever writes: twelve hexadecimal digits. */
  readonly writer: string;
  readonly shard: number;
  /** Files of this shard and this writer that are there already. */
  readonly files: number;
}

const FILE_NAME = /^tidemark-[0-9a-f]{12}-s(\d{3,})-\d{5,}\.(?:warc\.gz|cdxj)$/;
const WARC = ".warc.gz";

/** Whether a file of this name was written by a worker, or is the index of one. */
export function isShardFile(name: string): boolean {
  return FILE_NAME.test(name);
}

/** The shard of a WARC file of a worker; undefined if no worker gives a file this name. */
export function shardOfFile(name: string): number | undefined {
  const shard = name.endsWith(WARC) ? FILE_NAME.exec(name)?.[1] : undefined;
  return shard === undefined ? undefined : Number(shard);
}

export function indexNameOf(name: string): string {
  return `${name.slice(0, -WARC.length)}.cdxj`;
}

export class ShardWarc {
  readonly #dir: string;
  readonly #writer: WarcWriter;
  readonly #nameOf: (number: number) => string;
  #index: GrowingFile | undefined;
  #indexed: number;
  #lines = 0;
  /** By the names of the files. */
  #marks = new Map<string, WarcMark>();

  constructor({ dir, writer, shard, files, ...options }: ShardWarcOptions) {
    this.#dir = dir;
    this.#nameOf = (number) =>
      `tidemark-${writer}-s${String(shard).padStart(3, "0")}-${String(number).padStart(5, "0")}${WARC}`;
    this.#indexed = files;
    const series = { ...options, dir, nameOf: this.#nameOf, hasChecksums: true };
    this.#writer = new WarcWriter(series, { number: files, bytes: 0 });
  }

  /** Files that were made by now, those before this one included. */
  get files(): number {
    return this.#writer.number;
  }

  keep(exchange: HttpExchange): void {
    named(this.#dir, () => {
      const line = this.#writer.keep(exchange);
      this.#indexFile().append(Buffer.from(line));
      this.#lines++;
      const { bytes, crc } = this.#writer;
      this.#marks.set(this.#nameOf(this.files), { bytes, lines: this.#lines, crc });
    });
  }

  /** Whether something was kept since `takeMarks` was last called. */
  get hasNew(): boolean {
    return this.#marks.size > 0;
  }

  /** Of the files that have grown since this was last called; true of what is on disk once `sync` has returned. */
  takeMarks(): ReadonlyMap<string, WarcMark> {
    const marks = this.#marks;
    this.#marks = new Map();
    return marks;
  }

  async sync(): Promise<void> {
    try {
      await this.#writer.syncLater();
    } catch (error) {
      throw fileFailure(this.#dir, error);
    }
  }

  close(): void {
    this.#writer.close();
    this.#index?.close();
  }

  #indexFile(): GrowingFile {
    if (this.#index !== undefined && this.#indexed === this.files) return this.#index;
    this.#index?.close();
    this.#indexed = this.files;
    this.#lines = 0;
    this.#index = new GrowingFile(join(this.#dir, indexNameOf(this.#nameOf(this.files))), 0);
    return this.#index;
  }
}

/**
 * The lines of the index of a file up to its mark, from the byte `from` of that file on. Undefined if the index is not
 * whole. `path` is that of the index.
 */
export function indexedLines(path: string, name: string, mark: WarcMark, from: number): string[] | undefined {
  const lines: string[] = [];
  let count = 0;
  const reader = new LineReader(path);
  try {
    for (; reader.line !== undefined; reader.next()) {
      const offset = offsetIn(reader.line, name);
      if (offset === undefined || offset >= mark.bytes) continue;
      count++;
      if (offset >= from) lines.push(reader.line);
    }
  } finally {
    reader.close();
  }
  return count === mark.lines ? lines : undefined;
}

/** Undefined where a crash has left something else. */
function offsetIn(line: string, name: string): number | undefined {
  const [, offset, filename] = /"offset":"(\d+)","filename":"([^"]+)"\}$/.exec(line) ?? [];
  return filename === name ? Number(offset) : undefined;
}
