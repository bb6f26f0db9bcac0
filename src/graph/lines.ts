/**
 * Turns chunks of bytes into stretches of whole lines, so that readers of lines never see one cut in two.
 *
 * A line ends with LF, CRLF or CR. Every line is handed out complete with its ending. A CR counts as an ending only
 * once the next byte is known, so that a CRLF cut between chunks does not become two endings. Only a cut line is
 * copied.
 */
import { UsageError } from "../base/index.ts";

export type WholeLines = (bytes: Uint8Array, from: number, to: number) => void;

/** A longer line means that this is not a text file. It also bounds what is buffered until a line ends. */
export const LINE_BYTES_MAX = 1 << 20;

export const LF = 10;
export const CR = 13;

export class LineCutter {
  readonly #onLines: WholeLines;
  #rest = new Uint8Array(256);
  #restLength = 0;

  constructor(onLines: WholeLines) {
    this.#onLines = onLines;
  }

  push(bytes: Uint8Array): void {
    // Not the Buffer that files are read into: a loop over bytes takes twice as long if it sees two kinds of arrays.
    const chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    let from = 0;
    if (this.#restLength > 0) {
      from = endOfCutLine(this.#rest[this.#restLength - 1], chunk);
      if (from < 0) return this.#keep(chunk);
      this.#keep(chunk.subarray(0, from));
      this.#flush();
    }
    const to = endOfLastLine(chunk, from);
    if (to > from) this.#onLines(chunk, from, to);
    this.#keep(chunk.subarray(to));
  }

  /** Hands out the last line if it has no ending. */
  finish(): void {
    if (this.#restLength === 0) return;
    this.#keep(Uint8Array.of(LF));
    this.#flush();
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#restLength + bytes.length;
    if (length > LINE_BYTES_MAX) {
      throw new UsageError(`a line is longer than ${LINE_BYTES_MAX} bytes; expected a text file of short lines`);
    }
    if (length > this.#rest.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#rest);
      this.#rest = larger;
    }
    this.#rest.set(bytes, this.#restLength);
    this.#restLength = length;
  }

  #flush(): void {
    this.#onLines(this.#rest, 0, this.#restLength);
    this.#restLength = 0;
  }
}

/** The position after the line that starts at `from` and is known to be whole. */
export function nextLine(bytes: Uint8Array, from: number): number {
  let i = from;
  while (bytes[i] !== LF && bytes[i] !== CR) i++;
  return bytes[i] === CR && bytes[i + 1] === LF ? i + 2 : i + 1;
}

/** How many bytes of the chunk belong to the line begun before it; -1 if the line does not end in this chunk. */
function endOfCutLine(lastByte: number, chunk: Uint8Array): number {
  if (lastByte === CR && chunk.length > 0) return chunk[0] === LF ? 1 : 0;
  for (let i = 0; i < chunk.length; i++) {
    if (chunk[i] === LF) return i + 1;
    if (chunk[i] === CR && i + 1 < chunk.length) return chunk[i + 1] === LF ? i + 2 : i + 1;
  }
  return -1;
}

function endOfLastLine(chunk: Uint8Array, from: number): number {
  for (let i = chunk.length - 1; i >= from; i--) {
    if (chunk[i] === LF || (chunk[i] === CR && i + 1 < chunk.length)) return i + 1;
  }
  return from;
}
