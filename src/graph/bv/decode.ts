import { FailureError, noProgress, type Progress, UsageError } from "../../base/index.ts";
import { type Graph, sharedUint32 } from "../graph.ts";
import { type BvFiles, type BvProperties, parseBvProperties } from "./properties.ts";
import { openGraph, RowDecoder } from "./row-decoder.ts";

/**
 * Decodes a whole BV graph in one pass. Rows are decoded to their final place, where later rows that copy from them
 * find them. A file that is truncated, damaged or not of a BV graph throws a `UsageError`.
 */
export function decodeBv(files: BvFiles, progress: Progress = noProgress): Graph {
  const properties = parseBvProperties(files.properties);
  const { pages, arcs } = properties;
  const reader = openGraph(files.graph, properties);
  const rows = new RowDecoder(reader, properties);
  const offsets = sharedUint32(pages + 1);
  const targets = allocateTargets(arcs);
  for (let page = 0; page < pages; page += PAGES_PER_STEP) {
    progress({ task: "decoding", done: page, total: pages, unit: "pages" });
    decodeRows(rows, page, Math.min(page + PAGES_PER_STEP, pages), offsets, targets);
  }
  reader.requireInside();
  requireWhole(properties, offsets[pages], 8 * files.graph.byteLength - reader.position);
  progress({ task: "decoding", done: pages, total: pages, unit: "pages" });
  return { pages, arcs, offsets, targets };
}

const PAGES_PER_STEP = 1 << 16;

/** A file may be padded to whole words, of up to 128 bits in known writers. */
const PADDING_BITS_MAX = 128;

function allocateTargets(arcs: number): Uint32Array {
  try {
    return sharedUint32(arcs);
  } catch {
    const bytes = 4 * arcs;
    throw new FailureError(`no memory for the ${arcs} arcs that the .properties file says: ${bytes} bytes`);
  }
}

function decodeRows(rows: RowDecoder, first: number, end: number, offsets: Uint32Array, targets: Uint32Array): void {
  let at = offsets[first];
  for (let page = first; page < end; page++) {
    const degree = rows.degree(page, targets.length - at);
    if (degree > 0) {
      const reference = rows.reference();
      const source = page - reference;
      const copied =
        reference === 0 ? 0 : rows.copy(targets, offsets[source], offsets[source + 1], targets, at, degree);
      rows.complete(targets, at, copied, degree);
    }
    at += degree;
    offsets[page + 1] = at;
  }
}

function requireWhole(properties: BvProperties, arcs: number, bitsLeft: number): void {
  if (arcs !== properties.arcs) {
    throw new UsageError(
      `the .graph file has ${arcs} arcs, but its .properties file says ${properties.arcs}: ` +
        "one of them is damaged, or they do not belong together",
    );
  }
  if (bitsLeft > PADDING_BITS_MAX) {
    throw new UsageError(
      `the .graph file continues for ${bitsLeft} bits after its last page, ${properties.pages - 1}: ` +
        "it does not belong to its .properties file",
    );
  }
}
