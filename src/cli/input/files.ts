/**
 * Files as bytes, lines and entries, a piece at a time: a text file is never in memory as a whole. Files that people
 * write by hand have one entry per line; `#` starts a comment.
 */
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { noProgress, type Progress, UsageError } from "../../base/index.ts";
import { aboutFile, withFile } from "../terminal/endings.ts";

/** A file with a longer line is not a text file. */
const LINE_LENGTH_MAX = 1 << 20;

/** The lines of a text file, some at a time, without their endings: LF, CRLF or CR. */
export async function* readLines(path: string, progress?: Progress): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readBytes(path, progress)) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // A CR at the very end may be the first half of a CRLF.
    const lines = text.replace(/\r$/, "").split(text.includes("\r") ? /\r\n|\n|\r/ : "\n");
    rest = lines.pop()! + (text.endsWith("\r") ? "\r" : "");
    if (rest.length > LINE_LENGTH_MAX) {
      throw new UsageError(`${path}: a line is longer than ${LINE_LENGTH_MAX} characters; expected a text file`);
    }
    yield lines;
  }
  if (rest !== "") yield [rest.replace(/\r$/, "")];
}

/** `rest` is what follows the first word of the line. */
export type EntryVisitor = (name: string, rest: string, line: number) => void;

/** Visits every line that is neither empty nor a comment. `#` starts a comment at the start of a word. */
export async function forEachEntry(path: string, visit: EntryVisitor, progress?: Progress): Promise<void> {
  let line = 0;
  for await (const lines of readLines(path, progress)) {
    for (const text of lines) {
      line++;
      // A shortcut for nearly all lines of long lists.
      if (/^\d+$/.test(text)) {
        visit(text, "", line);
        continue;
      }
      const [, name, rest = ""] = /^(\S+)\s*(.*)$/s.exec(text.replace(/(^|\s)#.*/s, "").trim()) ?? [];
      if (name !== undefined) visit(name, rest, line);
    }
  }
}

/** A mistake in a line of a file. */
export function wrongLine(path: string, line: number, problem: string): UsageError {
  return new UsageError(`${fileName(path)}: line ${line}: ${problem}`);
}

/** `-` is standard input. */
export function fileName(path: string): string {
  return path === "-" ? "standard input" : path;
}

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
  const task = `reading ${fileName(path)}`;
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
