/**
 * Lines of text files. Encodings may be mixed, as files are joined or written by careless programs: a line that is not
 * UTF-8 is read as windows-1252. A file that begins with the mark of UTF-16 is UTF-16.
 */
import type { Progress } from "../base/index.ts";
import { decodeAs } from "../web/index.ts";
import { type Chunk, chunksOf, damaged } from "./files.ts";

/** A page of Scrapy with all its links and texts is one line. */
const LINE_BYTES_MAX = 64 << 20;
const LF = 10;

/** Some lines at a time, without their endings (LF or CRLF). */
export async function* linesOf(path: string, progress: Progress): AsyncGenerator<string[]> {
  let rest: Uint8Array = new Uint8Array();
  for await (const { bytes, offset } of asUtf8(chunksOf(path, progress))) {
    const end = bytes.lastIndexOf(LF) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, bytes]);
      if (rest.length > LINE_BYTES_MAX) throw damaged(path, offset, `a line is longer than ${LINE_BYTES_MAX} bytes`);
      continue;
    }
    yield decoded(Buffer.concat([rest, bytes.subarray(0, end - 1)]));
    rest = Buffer.from(bytes.subarray(end));
  }
  if (rest.length > 0) yield decoded(rest);
}

const strict = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Uint8Array): string[] {
  return (inUtf8(bytes) ?? eachDecoded(bytes)).map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

function inUtf8(bytes: Uint8Array): string[] | undefined {
  try {
    return strict.decode(bytes).split("\n");
  } catch {
    return undefined;
  }
}

function eachDecoded(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const found = bytes.indexOf(LF, from);
    const line = bytes.subarray(from, found < 0 ? bytes.length : found);
    lines.push(inUtf8(line)?.[0] ?? decodeAs(line, "windows-1252").text);
    from = found < 0 ? bytes.length + 1 : found + 1;
  }
  return lines;
}

const utf16 = { "255,254": "utf-16le", "254,255": "utf-16be" } as const;

async function* asUtf8(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  let decoder: InstanceType<typeof TextDecoder> | null | undefined;
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      const mark = `${chunk.bytes[0]},${chunk.bytes[1]}`;
      decoder = mark in utf16 ? new TextDecoder(utf16[mark as keyof typeof utf16]) : null;
    }
    if (decoder === null) yield chunk;
    else yield { ...chunk, bytes: Buffer.from(decoder.decode(chunk.bytes, { stream: true })) };
  }
}
