/**
 * Records of WARC files (ISO 28500; WARC 0.17 to 1.1), one after another: gzipped per record, gzipped as a whole, or
 * plain. Of a long record only the first part is kept. A file ends where a record is damaged.
 */
import type { Progress } from "../base/index.ts";
import { type Chunk, chunksOf, damaged } from "./files.ts";

export interface WarcRecord {
  /** "response", "revisit", in lower case. */
  readonly type: string;
  /** Names in lower case; of repeated fields the last. */
  readonly fields: ReadonlyMap<string, string>;
  /** At most as much as was asked for. */
  readonly block: Uint8Array;
  /** Whether the block has more bytes. */
  readonly isCut: boolean;
  readonly place: RecordPlace;
}

/** Where a record stands. */
export interface RecordPlace extends Pick<Chunk, "offset" | "kind"> {
  readonly path: string;
  /** Its position in the gzip member that starts there; 0 in a plain file. */
  readonly within: number;
}

const HEAD_BYTES_MAX = 1 << 16;
/** Line breaks between records: two, and a few more by careless writers. */
const GAP_BYTES_MAX = 64;
const CR = 13;
const LF = 10;

export interface RecordOptions {
  readonly progress: Progress;
  readonly blockBytesMax: number;
}

export async function* warcRecords(
  path: string,
  { progress, blockBytesMax }: RecordOptions,
): AsyncGenerator<WarcRecord> {
  const input = new ByteInput(path, chunksOf(path, progress));
  try {
    while (await input.skipBreaks()) yield await input.record(blockBytesMax);
  } finally {
    await input.close();
  }
}

/** A record at a place of which the bytes were read again; undefined if there is none. */
export async function recordIn(
  bytes: Uint8Array,
  place: RecordPlace,
  blockBytesMax: number,
): Promise<WarcRecord | undefined> {
  const { path, offset, within, kind } = place;
  const input = new ByteInput(path, { bytes: bytes.subarray(within), offset, kind });
  return (await input.skipBreaks()) ? input.record(blockBytesMax) : undefined;
}

class ByteInput {
  readonly #path: string;
  readonly #chunks: AsyncGenerator<Chunk> | undefined;
  #chunk: Chunk | undefined;
  #at = 0;

  constructor(path: string, from: AsyncGenerator<Chunk> | Chunk) {
    this.#path = path;
    if ("bytes" in from) this.#chunk = from;
    else this.#chunks = from;
  }

  async close(): Promise<void> {
    await this.#chunks?.return(undefined);
  }

  /** False at the end of the file. */
  async skipBreaks(): Promise<boolean> {
    for (let gap = 0; ; gap++) {
      while (this.#left === 0) if (!(await this.#next())) return false;
      const byte = this.#bytes[this.#at];
      if (byte !== CR && byte !== LF) return true;
      if (gap >= GAP_BYTES_MAX) throw this.#damaged("only line breaks; expected a WARC record");
      this.#at++;
    }
  }

  async record(blockBytesMax: number): Promise<WarcRecord> {
    const { offset: start = 0, kind = "stream" } = this.#chunk ?? {};
    const isPlain = kind === "plain";
    const offset = isPlain ? start + this.#at : start;
    const place = { path: this.#path, offset, within: isPlain ? 0 : this.#at, kind };
    const head = Buffer.from(await this.#head(offset)).toString("utf8");
    const [version, ...lines] = head.split(/\r?\n/);
    if (!/^WARC\/\d/.test(version)) throw this.#damaged("expected a WARC record", offset);
    const fields = fieldsOf(lines);
    const length = Number(fields.get("content-length") ?? Number.NaN);
    if (!Number.isSafeInteger(length) || length < 0) throw this.#damaged("a record without Content-Length", offset);
    const block = await this.#take(length, Math.min(length, blockBytesMax), offset);
    const type = fields.get("warc-type")?.toLowerCase() ?? "";
    return { type, fields, block, isCut: block.length < length, place };
  }

  /** Up to the empty line. */
  async #head(offset: number): Promise<Uint8Array> {
    let head: Uint8Array = new Uint8Array();
    for (;;) {
      const before = head.length;
      const rest = this.#bytes.subarray(this.#at, this.#at + HEAD_BYTES_MAX);
      head = before === 0 ? rest : joined([head, rest]);
      const end = endOfHead(head);
      if (end >= 0) {
        this.#at += end - before;
        return head.subarray(0, end);
      }
      if (head.length >= HEAD_BYTES_MAX) throw this.#damaged("no end of the head of a WARC record", offset);
      if (!(await this.#next())) throw this.#damaged("the file ends in the middle of a record", offset);
    }
  }

  /** Takes `length` bytes and returns the first `keep` of them. */
  async #take(length: number, keep: number, offset: number): Promise<Uint8Array> {
    const kept: Uint8Array[] = [];
    let [left, wanted] = [length, keep];
    while (left > 0) {
      if (this.#left === 0 && !(await this.#next())) {
        throw this.#damaged("the file ends in the middle of a record", offset);
      }
      const part = this.#bytes.subarray(this.#at, this.#at + left);
      if (wanted > 0) kept.push(part.subarray(0, wanted));
      wanted -= Math.min(wanted, part.length);
      left -= part.length;
      this.#at += part.length;
    }
    return kept.length === 1 ? kept[0] : joined(kept);
  }

  get #bytes(): Uint8Array {
    return this.#chunk?.bytes ?? NOTHING;
  }

  get #left(): number {
    return this.#bytes.length - this.#at;
  }

  async #next(): Promise<boolean> {
    const next = await this.#chunks?.next();
    if (next === undefined || next.done === true) return false;
    this.#chunk = next.value;
    this.#at = 0;
    return true;
  }

  #damaged(problem: string, offset = this.#chunk?.offset ?? 0): Error {
    return damaged(this.#path, offset, problem);
  }
}

const NOTHING = new Uint8Array();

/** The position after the empty line; -1 if there is none. */
export function endOfHead(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(LF); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return fields;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
