/**
 * Writes text arcs, one `source target` per line, after a comment that states the size (arcs-text.ts reads it). Digits
 * are written straight into the chunks, without a string per arc. A chunk is not changed once it was handed out.
 */
import type { Graph } from "./graph.ts";

const CHUNK_BYTES = 1 << 16;
/** Two ids of ten digits, a space, a line feed. */
const ARC_BYTES_MAX = 22;
/** Written in the first line in place of the number of arcs, if that number comes in the last line. */
export const ARCS_LAST = "at the end";
const SPACE = 32;
const LF = 10;

/** For links that come row by row and need not fit in memory. */
export class ArcsEncoder {
  readonly #sink: (chunk: Uint8Array) => void;
  #chunk = new Uint8Array(CHUNK_BYTES);
  #used = 0;
  #arcs = 0;
  readonly #statesArcsLast: boolean;

  /** The number of arcs is written at the end if it is unknown at the start. Either way a truncated file is noticed. */
  constructor(sink: (chunk: Uint8Array) => void, size: { readonly pages: number; readonly arcs?: number }) {
    this.#sink = sink;
    this.#statesArcsLast = size.arcs === undefined;
    sink(new TextEncoder().encode(`# pages ${size.pages} arcs ${size.arcs ?? ARCS_LAST}\n`));
  }

  /** The links of a page: `targets` from `from` to `to - 1`. */
  add(page: number, targets: Uint32Array, from: number, to: number): void {
    this.#arcs += to - from;
    let arc = from;
    while (arc < to) {
      const end = Math.min(to, arc + Math.floor((CHUNK_BYTES - this.#used) / ARC_BYTES_MAX));
      this.#used = writeArcs(this.#chunk, this.#used, page, targets, arc, end);
      arc = end;
      if (CHUNK_BYTES - this.#used < ARC_BYTES_MAX) this.#handOut();
    }
  }

  finish(): void {
    if (this.#used > 0) this.#handOut();
    if (this.#statesArcsLast) this.#sink(new TextEncoder().encode(`# arcs ${this.#arcs}\n`));
  }

  #handOut(): void {
    this.#sink(this.#chunk.subarray(0, this.#used));
    this.#chunk = new Uint8Array(CHUNK_BYTES);
    this.#used = 0;
  }
}

/** Encodes a graph as text arcs, chunk by chunk. */
export function* encodeArcs(graph: Graph): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const encoder = new ArcsEncoder((chunk) => ready.push(chunk), graph);
  for (let page = 0; page < graph.pages; page++) {
    encoder.add(page, graph.targets, graph.offsets[page], graph.offsets[page + 1]);
    if (ready.length > 0) yield* ready.splice(0);
  }
  encoder.finish();
  yield* ready;
}

function writeArcs(
  bytes: Uint8Array,
  at: number,
  page: number,
  targets: Uint32Array,
  from: number,
  to: number,
): number {
  let end = at;
  for (let arc = from; arc < to; arc++) {
    end = writeNumber(bytes, end, page);
    bytes[end++] = SPACE;
    end = writeNumber(bytes, end, targets[arc]);
    bytes[end++] = LF;
  }
  return end;
}

function writeNumber(bytes: Uint8Array, from: number, value: number): number {
  let end = from + 1;
  for (let rest = value; rest >= 10; rest = (rest / 10) >>> 0) end++;
  let at = end;
  let rest = value;
  do {
    const tens = (rest / 10) >>> 0;
    bytes[--at] = 48 + (rest - 10 * tens);
    rest = tens;
  } while (at > from);
  return end;
}
