import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { BvRandomAccess, decodeBv, encodeBv, type Graph, successors } from "../../src/graph/index.ts";
import { sharedPath } from "../support/shared.ts";

const NAMES = ["graph", "properties", "offsets", "arcs.gz"].map((suffix) => `data/cnr-2000.${suffix}`);
const TRANSPOSED = ["graph", "properties"].map((suffix) => `data/cnr-2000-t.${suffix}`);
const paths = [...NAMES, ...TRANSPOSED].map(sharedPath);
const missing = paths.includes(undefined);

describe.skipIf(missing)(`cnr-2000, as WebGraph wrote it${missing ? " (did not run: not there)" : ""}`, () => {
  const [graphPath, propertiesPath, offsetsPath, arcsPath, transposedPath, transposedPropertiesPath] = paths.map(
    (path) => path ?? "",
  );
  const read = () => {
    const files = { graph: readFileSync(graphPath), properties: readFileSync(propertiesPath, "latin1") };
    return { ...files, offsets: readFileSync(offsetsPath) };
  };
  const readTransposed = () => ({
    graph: readFileSync(transposedPath),
    properties: readFileSync(transposedPropertiesPath, "latin1"),
  });

  test("decodes to the arcs of its text, and its transpose to the same arcs turned round", () => {
    const text = parseArcs(gunzipSync(readFileSync(arcsPath)));
    expect(text.length).toBe(3_216_152);
    expectSame(arcKeys(decodeBv(read()), false), text);
    expectSame(arcKeys(decodeBv(readTransposed()), true).sort(), text);
  });

  test("is written as the same file, bit for bit, but for zeros at the end", () => {
    const original = read();
    const files = encodeBv(decodeBv(original));
    expectPadded(original.graph, files.graph);
    expectPadded(original.offsets, files.offsets);
    expect(files.properties).toContain("bitsperlink=2.897\n");
    for (const line of ["copiedarcs=2195145", "intervalisedarcs=443657", "residualarcs=577350"]) {
      expect(original.properties).toContain(`${line}\n`);
      expect(files.properties).toContain(`${line}\n`);
    }
    const transposed = readTransposed();
    expectPadded(transposed.graph, encodeBv(decodeBv(transposed)).graph);
  });

  test("gives the same rows one by one, with its offsets or without", () => {
    const { offsets, ...files } = read();
    const graph = decodeBv(files);
    for (const access of [new BvRandomAccess(files), new BvRandomAccess({ ...files, offsets })]) {
      for (let page = graph.pages - 1; page >= 0; page -= 37) {
        expectSame(access.successors(page), successors(graph, page));
      }
    }
  });
});

/** One number for each arc, which sorts by source, then target. */
function arcKey(source: number, target: number): number {
  return source * 2 ** 20 + target;
}

function arcKeys(graph: Graph, turned: boolean): Float64Array {
  const keys = new Float64Array(graph.arcs);
  for (let page = 0; page < graph.pages; page++) {
    for (let i = graph.offsets[page]; i < graph.offsets[page + 1]; i++) {
      const link = graph.targets[i];
      keys[i] = turned ? arcKey(link, page) : arcKey(page, link);
    }
  }
  return keys;
}

function parseArcs(text: Uint8Array): Float64Array {
  const lines = Buffer.from(text).toString("latin1").trim().split("\n");
  return Float64Array.from(lines, (line) => {
    const space = line.indexOf(" ");
    return arcKey(Number(line.slice(0, space)), Number(line.slice(space + 1)));
  });
}

function expectSame(actual: ArrayBufferView, expected: ArrayBufferView): void {
  const [a, b] = [actual, expected].map((view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  expect(Buffer.compare(a, b)).toBe(0);
}

function expectPadded(padded: Uint8Array, bytes: Uint8Array): void {
  expect(Buffer.compare(padded.subarray(0, bytes.length), bytes)).toBe(0);
  expect([...padded.subarray(bytes.length)].every((byte) => byte === 0)).toBe(true);
}
