/**
 * Decompresses bodies: gzip, deflate (with or without its zlib wrapper) and br, up to three applied in succession.
 *
 * No more than `bytesMax` bytes of output are ever kept, so a compression bomb costs no more than an ordinary long
 * page; the rest is cut off. Of a body that ends too early, the part that was received is kept. In both cases
 * `truncated` is set. Small bodies, which are nearly all, are unpacked in one synchronous call, several times faster
 * than a stream; larger ones, and those that exceed the limit, by a stream in the thread pool.
 */
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { codeOf } from "./named-failure.ts";

export const ENCODINGS_MAX = 3;
const SYNCHRONOUS_BYTES_MAX = 256 * 1024;
/** Most pages fit into one chunk: a tenth less time than with Node's 16 KiB. */
const CHUNK_BYTES = 64 * 1024;

export interface Unpacked {
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

type Encoding = "gzip" | "deflate" | "br";

/** The encodings of a Content-Encoding header, in the order in which they were applied; an error if unsupported. */
export function encodingsOf(header: string | undefined): readonly Encoding[] | Error {
  if (header === undefined) return none;
  const known: Encoding[] = [];
  for (const token of header.toLowerCase().split(",")) {
    const name = token.trim();
    if (name === "gzip" || name === "x-gzip") known.push("gzip");
    else if (name === "deflate" || name === "br") known.push(name);
    else if (foreign.has(name)) return new Error(`the body is compressed with ${name}, which was not requested`);
    // Everything else ("identity", "none", "utf-8" and other mistakes) is no compression; browsers ignore it too.
  }
  return known.length <= ENCODINGS_MAX ? known : new Error(`the body is compressed ${known.length} times`);
}

/** Calls back once; immediately if that is fast. */
export function unpack(
  wire: Uint8Array,
  encodings: readonly Encoding[],
  bytesMax: number,
  done: (outcome: Unpacked | Error) => void,
): void {
  const encoding = encodings.at(-1);
  // Some servers announce a compression and then send nothing.
  if (encoding === undefined || wire.length === 0) return done(cut(wire, bytesMax));
  unpackOne(wire, encoding, bytesMax, (outcome) => {
    if (outcome instanceof Error) return done(outcome);
    unpack(outcome.body, encodings.slice(0, -1), bytesMax, (inner) => {
      done(inner instanceof Error || !outcome.truncated ? inner : { ...inner, truncated: true });
    });
  });
}

const none: readonly Encoding[] = [];
const foreign = new Set(["zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"]);

function cut(body: Uint8Array, bytesMax: number): Unpacked {
  return body.length <= bytesMax ? { body, truncated: false } : { body: body.subarray(0, bytesMax), truncated: true };
}

function unpackOne(
  wire: Uint8Array,
  encoding: Encoding,
  bytesMax: number,
  done: (outcome: Unpacked | Error) => void,
): void {
  if (wire.length <= SYNCHRONOUS_BYTES_MAX) {
    const outcome = unpackNow(wire, encoding, bytesMax);
    if (outcome !== "too large") return done(outcome);
  }
  unpackStreaming(wire, encoding, bytesMax, done);
}

function unpackNow(wire: Uint8Array, encoding: Encoding, bytesMax: number): Unpacked | Error | "too large" {
  try {
    return { body: compact(inflate(wire, encoding, bytesMax, false)), truncated: false };
  } catch (error) {
    const code = error instanceof Error ? codeOf(error) : "";
    if (code === "ERR_BUFFER_TOO_LARGE") return "too large";
    if (code === ENDED_TOO_SOON) return { body: inflate(wire, encoding, bytesMax, true), truncated: true };
    return badBody(error);
  }
}

const ENDED_TOO_SOON = "Z_BUF_ERROR";

/** `incomplete`: return what there is instead of failing at the end. */
function inflate(wire: Uint8Array, encoding: Encoding, bytesMax: number, incomplete: boolean): Buffer {
  if (encoding === "br") {
    const finishFlush = incomplete ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.BROTLI_OPERATION_FINISH;
    return zlib.brotliDecompressSync(wire, { maxOutputLength: bytesMax, finishFlush, chunkSize: CHUNK_BYTES });
  }
  const finishFlush = incomplete ? zlib.constants.Z_SYNC_FLUSH : zlib.constants.Z_FINISH;
  const options = { maxOutputLength: bytesMax, finishFlush, chunkSize: CHUNK_BYTES };
  if (encoding === "gzip") return zlib.gunzipSync(wire, options);
  return hasZlibHeader(wire) ? zlib.inflateSync(wire, options) : zlib.inflateRawSync(wire, options);
}

function unpackStreaming(
  wire: Uint8Array,
  encoding: Encoding,
  bytesMax: number,
  done: (outcome: Unpacked | Error) => void,
): void {
  const stream = streamFor(encoding, wire);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let over = false;
  const finish = (outcome: Unpacked | Error): void => {
    if (over) return;
    over = true;
    stream.destroy();
    done(outcome);
  };
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) finish(cut(Buffer.concat(chunks), bytesMax));
  });
  stream.on("end", () => finish({ body: Buffer.concat(chunks), truncated: false }));
  stream.on("error", (error) => {
    finish(codeOf(error) === ENDED_TOO_SOON ? { body: Buffer.concat(chunks), truncated: true } : badBody(error));
  });
  stream.end(wire);
}

function streamFor(encoding: Encoding, wire: Uint8Array): Transform {
  const options = { chunkSize: CHUNK_BYTES };
  if (encoding === "br") return zlib.createBrotliDecompress(options);
  if (encoding === "gzip") return zlib.createGunzip(options);
  return hasZlibHeader(wire) ? zlib.createInflate(options) : zlib.createInflateRaw(options);
}

/** A short body must not keep its whole chunk in memory. */
function compact(body: Buffer): Buffer {
  return body.length * 2 < body.buffer.byteLength ? Buffer.from(body) : body;
}

/** RFC 1950, 2.2: method 8, first two bytes a multiple of 31. Half of the servers that say "deflate" omit it. */
function hasZlibHeader(wire: Uint8Array): boolean {
  const first = wire[0] ?? 0;
  return (first & 0x0f) === 8 && (first * 256 + (wire[1] ?? 0)) % 31 === 0;
}

function badBody(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
