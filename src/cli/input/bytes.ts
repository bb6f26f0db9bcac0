/** Bytes of files, a piece at a time: a text file is never in memory as a whole. */
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { noProgress, type Progress } from "../../base/index.ts";
import { aboutFile, withFile } from "../terminal/endings.ts";

const CHUNK_BYTES = 1 << 20;
/** The operating system reads at most 2 GiB at once. */
const READ_BYTES_MAX = 1 << 26;
const MEBIBYTE = 1 << 20;

/** A file, or standard input for `-`. Gzipped data is recognised by its first bytes, not by its name. */
export async function* readBytes(path: string, progress: Progress = noProgress): AsyncGenerator<Uint8Array> {
  try {
    const chunks = rawChunks(path, progress);
    const first = await chunks.next();
    if (first.done) return;
    const whole = preceded(first.value, chunks);
    yield* first.value[0] === 0x1f && first.value[1] === 0x8b ? gunzipped(whole) : whole;
  } catch (error) {
    throw aboutFile(path, error);
  }
}

/** A file that must be in memory as a whole, such as a compressed graph. */
export function readWhole(path: string, progress: Progress = noProgress): Uint8Array {
  return withFile(path, () => {
    const file = openSync(path, "r");
    try {
      const bytes = new Uint8Array(fstatSync(file).size);
      const total = bytes.length / MEBIBYTE;
      let at = 0;
      while (at < bytes.length) {
        progress({ task: `reading ${path}`, done: at / MEBIBYTE, total, unit: "MiB" });
        const got = readSync(file, bytes, at, Math.min(READ_BYTES_MAX, bytes.length - at), null);
        if (got === 0) break;
        at += got;
      }
      return bytes.subarray(0, at);
    } finally {
      closeSync(file);
    }
  });
}

async function* rawChunks(path: string, progress: Progress): AsyncGenerator<Uint8Array> {
  const size = path === "-" ? 0 : statSync(path).size;
  const source = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const total = size > 0 ? { total: size / MEBIBYTE } : {};
  const task = `reading ${path === "-" ? "standard input" : path}`;
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    yield chunk;
    bytes += chunk.length;
    progress({ task, done: bytes / MEBIBYTE, ...total, unit: "MiB" });
  }
}

async function* preceded(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** An error reaches the reader through the unzipping stream, which the pipeline destroys. */
function gunzipped(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(Readable.from(packed), createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
}
