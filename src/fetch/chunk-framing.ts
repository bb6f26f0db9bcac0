/**
 * The lines between the chunks of a body (RFC 9112, 7.1), read as curl reads them (lib/http_chunks.c) and corrected in
 * place for a strict parser.
 *
 * A size may be followed by anything up to the line feed, and a carriage return may be missing or repeated. Extensions
 * and trailers are left out. What cannot be read is a size without digits or beyond 16 of them or 2^53, data that is
 * longer than its size, and trailers longer than all headers together may be.
 */
import { hexDigit } from "../base/index.ts";
import type { Edits } from "./edits.ts";
import { HEADERS_BYTES_MAX } from "./options.ts";

const CR = 13;
const LF = 10;
const SIZE_DIGITS_MAX = 16;

type State = "size" | "size-cr" | "size-lf" | "size-rest" | "data" | "data-cr" | "data-lf" | "trailer" | "last-lf";

export class ChunkFraming {
  /** The last chunk was read to its end. */
  done = false;
  /** The rest cannot be read. */
  broken = false;
  /** Something had to be corrected. */
  deviates = false;
  #state: State = "size";
  #digits = 0;
  /** The size of the chunk, then what is left of it. */
  #left = 0;
  /** The line end that is still to be written after a size. */
  #lineEnd = "";
  #inTrailer = false;
  #trailerBytes = 0;

  /** Reads on from a position, and returns where it stopped: at the end of the bytes unless done or broken. */
  read(edits: Edits, from: number): number {
    const { bytes } = edits;
    let at = from;
    while (at < bytes.length && !this.done && !this.broken) {
      if (this.#state === "data") at = this.#data(bytes, at);
      else if (this.#state === "size-rest") at = this.#sizeRest(edits, at);
      else if (this.#state === "trailer") at = this.#trailer(edits, at);
      else at = this.#step(edits, at, bytes[at] ?? 0);
    }
    return at;
  }

  /** One byte of a line: consumed if the position returned is the next one. */
  #step(edits: Edits, at: number, byte: number): number {
    switch (this.#state) {
      case "size":
        return this.#size(at, byte);
      case "size-cr":
        if (byte === CR) return this.#go("size-lf", at + 1);
        this.#lineEnd = "\r\n";
        return this.#go("size-rest", at);
      case "size-lf":
        if (byte === LF) return this.#sizeEnd(at + 1);
        this.#lineEnd = "\n";
        return this.#go("size-rest", at);
      case "data-cr":
        if (byte === CR) return this.#go("data-lf", at + 1);
        if (byte !== LF) return this.#fail(at);
        this.#correct(edits, at, at + 1, "\r\n");
        return this.#go("size", at + 1);
      case "data-lf":
        if (byte === LF) return this.#go("size", at + 1);
        if (byte !== CR) return this.#fail(at);
        this.#correct(edits, at, at + 1, "");
        return at + 1;
      default:
        if (byte !== LF) return this.#fail(at);
        this.done = true;
        return at + 1;
    }
  }

  #size(at: number, byte: number): number {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#left = this.#left * 16 + digit;
      this.#digits++;
      const readable = this.#digits <= SIZE_DIGITS_MAX && Number.isSafeInteger(this.#left);
      return readable ? at + 1 : this.#fail(at);
    }
    return this.#digits === 0 ? this.#fail(at) : this.#go("size-cr", at);
  }

  #sizeRest(edits: Edits, at: number): number {
    const { bytes } = edits;
    const end = bytes.indexOf(LF, at);
    this.#correct(edits, at, end < 0 ? bytes.length : end + 1, end < 0 ? "" : this.#lineEnd);
    return end < 0 ? bytes.length : this.#sizeEnd(end + 1);
  }

  #sizeEnd(at: number): number {
    this.#digits = 0;
    return this.#go(this.#left === 0 ? "trailer" : "data", at);
  }

  #data(bytes: Buffer, at: number): number {
    const count = Math.min(this.#left, bytes.length - at);
    this.#left -= count;
    return this.#left === 0 ? this.#go("data-cr", at + count) : at + count;
  }

  #trailer(edits: Edits, at: number): number {
    const { bytes } = edits;
    if (!this.#inTrailer && bytes[at] === CR) return this.#go("last-lf", at + 1);
    if (!this.#inTrailer && bytes[at] === LF) {
      this.#correct(edits, at, at + 1, "\r\n");
      this.done = true;
      return at + 1;
    }
    const lineFeed = bytes.indexOf(LF, at);
    const end = lineFeed < 0 ? bytes.length : lineFeed + 1;
    this.#inTrailer = lineFeed < 0;
    this.#trailerBytes += end - at;
    if (this.#trailerBytes > HEADERS_BYTES_MAX) return this.#fail(at);
    edits.replace(at, end, "");
    return end;
  }

  #correct(edits: Edits, from: number, to: number, text: string): void {
    this.deviates = true;
    edits.replace(from, to, text);
  }

  #go(state: State, at: number): number {
    this.#state = state;
    return at;
  }

  #fail(at: number): number {
    this.broken = true;
    return at;
  }
}
