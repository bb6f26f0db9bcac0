/**
 * Files as chunks of bytes, with the places where they stand.
 *
 * Gzipped files are recognised by their first bytes. A file of many small members (as WARC files are, one record each)
 * is inflated member by member, so that each can be found again; the checksum of each is compared. Everything else, as
 * one long member, goes through a stream. A file that grows beyond all measure when it is inflated is not read further.
 */
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from "node:fs";
import { pipeline } from "node:stream";
import zlib from "node:zlib";
import { fileMistake, formatCount, type Progress, UsageError } from "../base/index.ts";
import { DamagedFile, type ReadOptions } from "./contract.ts";

export interface Chunk {
  readonly bytes: Uint8Array;
  /** Where in the file it starts: the byte itself, or the gzip member; of a stream, how much of the file was read. */
  readonly offset: number;
  /** `readAgain` finds what is plain or a member; only the checksum of a member was compared before it came. */
  readonly kind: "plain" | "member" | "stream";
}

const CHUNK_BYTES = 1 << 18;
/** Members beyond this size, packed or not, go through a stream. */
const MEMBER_BYTES_MAX = 4 << 20;
const MEMBER_INFLATED_MAX = 32 << 20;
const MEBIBYTE = 1 << 20;
/** Real files shrink to a twentieth, runs of the same line to a hundredth; deflate can reach a thousandth. */
const EXPANSION_MAX = 250;
const EXPANSION_FREE_BYTES = 64 << 20;

/** The chunks of a file, inflated. */
export async function* chunksOf(path: string, progress: Progress): AsyncGenerator<Chunk> {
  const { size, isGzipped } = inspect(path);
  const task = `reading ${path}`;
  const total = size / MEBIBYTE;
  const guard = new ExpansionGuard(path);
  const chunks = isGzipped ? inflated(path, size) : plain(path, 0);
  for await (const chunk of chunks) {
    progress({ task, done: chunk.offset / MEBIBYTE, total, unit: "MiB" });
    if (isGzipped) guard.add(chunk);
    yield chunk;
  }
}

/** The bytes of a member again, or those of a plain file from an offset on, as far as a record may reach. */
export function readAgain(path: string, offset: number, bytesMax: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const window = readAt(file, offset, Math.max(bytesMax, MEMBER_BYTES_MAX));
    return isGzip(window) ? (inflateMember(window)?.bytes ?? new Uint8Array()) : window;
  } finally {
    closeSync(file);
  }
}

function inspect(path: string): { readonly size: number; readonly isGzipped: boolean } {
  try {
    const file = openSync(path, "r");
    try {
      if (!fstatSync(file).isFile()) throw new UsageError(`${path} is not a file; files are read more than once`);
      return { size: fstatSync(file).size, isGzipped: isGzip(readAt(file, 0, 2)) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const mistake = fileMistake(error);
    throw mistake === undefined ? error : new UsageError(`${path}: ${mistake}`);
  }
}

async function* plain(path: string, from: number): AsyncGenerator<Chunk> {
  let offset = from;
  for await (const bytes of createReadStream(path, { start: from, highWaterMark: CHUNK_BYTES })) {
    yield { bytes: bytes as Buffer, offset, kind: "plain" };
    offset += (bytes as Buffer).length;
  }
}

/** Member by member as long as they are small; the first that is not, and all that follows, by a stream. */
async function* inflated(path: string, size: number): AsyncGenerator<Chunk> {
  const file = openSync(path, "r");
  let offset = 0;
  try {
    let window: Uint8Array = new Uint8Array();
    let windowStart = 0;
    while (offset < size) {
      let packed = window.subarray(offset - windowStart);
      let member = inflateMember(packed);
      if (member === undefined && windowStart + window.length < size) {
        window = readAt(file, offset, MEMBER_BYTES_MAX);
        windowStart = offset;
        packed = window;
        member = inflateMember(packed);
      }
      if (member === undefined) break;
      if (!member.isIntact) throw damaged(path, offset, "the checksum of the gzipped data is wrong");
      yield { bytes: member.bytes, offset, kind: "member" };
      offset += member.length;
    }
  } finally {
    closeSync(file);
  }
  if (offset < size) yield* streamed(path, offset);
}

async function* streamed(path: string, from: number): AsyncGenerator<Chunk> {
  const file = createReadStream(path, { start: from, highWaterMark: CHUNK_BYTES });
  const gunzip = pipeline(file, zlib.createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
  try {
    for await (const bytes of gunzip) {
      yield { bytes: bytes as Buffer, offset: from + file.bytesRead, kind: "stream" };
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("Z_")) throw error;
    const isShort = code === "Z_BUF_ERROR";
    const at = isShort ? statSync(path).size : from + gunzip.bytesWritten;
    throw damaged(path, at, isShort ? "the file ends in the middle of gzipped data" : "the gzipped data is damaged");
  }
}

interface Member {
  readonly bytes: Uint8Array;
  /** Packed, with header and trailer. */
  readonly length: number;
  readonly isIntact: boolean;
}

/** The first member of some bytes; undefined if it does not end there, is too large, or is none. */
function inflateMember(packed: Uint8Array): Member | undefined {
  const header = headerLength(packed);
  if (header === undefined) return undefined;
  const options = { info: true, maxOutputLength: MEMBER_INFLATED_MAX, chunkSize: 1 << 16 };
  try {
    // The types of Node leave out what `info` changes.
    const { buffer, engine } = zlib.inflateRawSync(packed.subarray(header), options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    const end = header + engine.bytesWritten;
    if (packed.length < end + TRAILER_BYTES) return undefined;
    const trailer = new DataView(packed.buffer, packed.byteOffset + end, TRAILER_BYTES);
    const isIntact = trailer.getUint32(0, true) === zlib.crc32(buffer);
    return { bytes: buffer, length: end + TRAILER_BYTES, isIntact };
  } catch {
    return undefined;
  }
}

const TRAILER_BYTES = 8;
const HEADER_BYTES = 10;
const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/** RFC 1952, 2.3; undefined if there is no whole header. */
function headerLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_BYTES || !isGzip(bytes)) return undefined;
  const flags = bytes[3];
  let at = HEADER_BYTES;
  if (flags & HAS_EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if (flags & HAS_CHECKSUM) at += 2;
  return at <= bytes.length ? at : undefined;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function readAt(file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, Math.min(length, fstatSync(file).size - offset)));
  let got = 0;
  while (got < bytes.length) {
    const more = readSync(file, bytes, got, bytes.length - got, offset + got);
    if (more === 0) break;
    got += more;
  }
  return bytes.subarray(0, got);
}

class ExpansionGuard {
  readonly #path: string;
  #inflated = 0;

  constructor(path: string) {
    this.#path = path;
  }

  add({ bytes, offset }: Chunk): void {
    this.#inflated += bytes.length;
    if (this.#inflated <= EXPANSION_FREE_BYTES + EXPANSION_MAX * offset) return;
    const mebibytes = formatCount(Math.round(this.#inflated / MEBIBYTE));
    throw damaged(this.#path, offset, `it grows without measure when it is inflated (${mebibytes} MiB by now)`);
  }
}

export function damaged(path: string, offset: number, problem: string): DamagedFile {
  return new DamagedFile(`${path}: at byte ${offset}: ${problem}`);
}

/** Tells what has ended the reading of a file early; other errors are thrown on. */
export function tellDamage(path: string, error: unknown, { damaged: tell }: Pick<ReadOptions, "damaged">): void {
  if (!(error instanceof DamagedFile)) throw error;
  tell({ path, message: error.message });
}
