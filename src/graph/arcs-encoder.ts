/**
 * A graph as text arcs, `source target` a line in ascending order, after the comment `# pages N arcs M`.
 * Digits are written straight into the chunks: no string an arc. A chunk belongs to who receives it.
 */
import type { Graph } from "./graph.ts";

const CHUNK_BYTES = 1 << 16;
/** Two ids of ten digits, a space, a line feed. */
const ARC_BYTES_MAX = 22;
const SPACE = 32;
const LF = 10;

export function* encodeArcs(graph: Graph): Generator<Uint8Array> {
  yield new TextEncoder().encode(`# pages ${graph.pages} arcs ${graph.arcs}\n`);
  const cursor = { page: 0, arc: 0 };
  while (cursor.arc < graph.arcs) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    yield chunk.subarray(0, fill(chunk, graph, cursor));
  }
}

/** Writes as many arcs as fit, moves the cursor past them, answers the bytes written. */
function fill(chunk: Uint8Array, graph: Graph, cursor: { page: number; arc: number }): number {
  const { arcs, offsets, targets } = graph;
  const last = chunk.length - ARC_BYTES_MAX;
  let { page, arc } = cursor;
  let at = 0;
  for (; arc < arcs && at <= last; arc++) {
    while (offsets[page + 1] <= arc) page++;
    at = writeNumber(chunk, at, page);
    chunk[at++] = SPACE;
    at = writeNumber(chunk, at, targets[arc]);
    chunk[at++] = LF;
  }
  cursor.page = page;
  cursor.arc = arc;
  return at;
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
