/** Bytes and text into an open file, in large writes, gzipped on request. */
import { writeSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { withFile } from "../terminal/endings.ts";
import { nextTurn, type OutputFile, writeOutputs } from "./output-file.ts";

const BUFFER_BYTES = 1 << 20;

export class ByteSink {
  /** Bytes written to the file so far. */
  written = 0;
  readonly #file: OutputFile;
  readonly #gzip: boolean;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;

  constructor(file: OutputFile, options: { readonly gzip?: boolean } = {}) {
    this.#file = file;
    this.#gzip = options.gzip ?? false;
  }

  write(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length) {
      const to = Math.min(chunk.length, from + BUFFER_BYTES - this.#used);
      this.#buffer.set(chunk.subarray(from, to), this.#used);
      this.#used += to - from;
      from = to;
      if (this.#used === BUFFER_BYTES) this.#flush();
    }
  }

  writeText(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    if (3 * text.length > BUFFER_BYTES) return this.write(Buffer.from(text));
    if (this.#used + 3 * text.length > BUFFER_BYTES) this.#flush();
    this.#used += this.#buffer.write(text, this.#used);
  }

  /** Writes what is left; the file stays open. */
  finish(): void {
    if (this.#used > 0) this.#flush();
  }

  /** A gzipped file is a sequence of gzipped parts (RFC 1952, section 2.2), so each part is compressed on its own. */
  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#used);
    const packed = this.#gzip ? gzipSync(bytes) : bytes;
    if (this.#file.write !== undefined) this.#file.write(packed.slice());
    else this.#writeAll(packed);
    this.written += packed.length;
    this.#used = 0;
  }

  #writeAll(packed: Uint8Array): void {
    withFile(this.#file.path, () => {
      for (let at = 0; at < packed.length; ) at += writeSync(this.#file.descriptor, packed, at);
    });
  }
}

/** Pieces of a text, in order. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

export interface TextFile {
  /** Gzipped if it ends in .gz; `-` is standard output. */
  readonly path: string;
  readonly text: string | Pieces;
}

/** Writes all files, or none if one fails; returns the bytes written to all of them. */
export function writeTexts(texts: readonly TextFile[]): Promise<number> {
  return writeOutputs(
    texts.map(({ path }) => path),
    async (files) => {
      let bytes = 0;
      for (const [i, file] of files.entries()) bytes += await writePieces(file, texts[i].text);
      return bytes;
    },
  );
}

/** Writes a text into an open file and returns its size in bytes. `onStep` is called now and then. */
export async function writePieces(file: OutputFile, text: string | Pieces, onStep?: () => void): Promise<number> {
  const sink = new ByteSink(file, { gzip: file.path.endsWith(".gz") });
  let length = 0;
  const isStep = (piece: string): boolean => {
    sink.writeText(piece);
    length += piece.length;
    if (length < CHARACTERS_PER_STEP) return false;
    length = 0;
    onStep?.();
    return true;
  };
  const pieces = typeof text === "string" ? [text] : text;
  // A loop that awaits every line of a long list would take several times as long.
  if (Symbol.iterator in pieces)
    for (const piece of pieces) {
      if (isStep(piece)) await nextTurn();
    }
  else for await (const piece of pieces) if (isStep(piece)) await nextTurn();
  sink.finish();
  return sink.written;
}

const CHARACTERS_PER_STEP = 1 << 18;
