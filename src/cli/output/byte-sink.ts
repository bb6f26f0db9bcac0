/** Bytes into an open file, in large writes; gzipped on request. */
import { writeSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { withFile } from "../terminal/endings.ts";
import type { OutputFile } from "./output-file.ts";

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

  /** A text much shorter than a megabyte, such as a line. */
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

  /** A gzipped file is a sequence of gzipped parts (RFC 1952, section 2.2), so that each can be packed by itself. */
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
