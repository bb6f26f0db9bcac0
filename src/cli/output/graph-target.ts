/** Graphs into files, row by row, in the format that the name of the file gives. */
import { statSync } from "node:fs";
import { extname } from "node:path";
import { type Progress, UsageError } from "../../base/index.ts";
import { ArcsEncoder, BvEncoder, type Graph } from "../../graph/index.ts";
import { ByteSink, nextTurn, type OutputFile } from "./output-file.ts";

export type GraphTarget =
  | { readonly format: "text"; readonly paths: readonly [string]; readonly separator: string }
  | { readonly format: "bv"; readonly paths: readonly [graph: string, offsets: string, properties: string] };

/** Takes the rows of page 0, 1, 2, ... */
export interface RowWriter {
  /** The links of a page: `targets` from `from` to `to - 1`. */
  add(page: number, targets: Uint32Array, from: number, to: number): void;
  /** Writes what is left and returns the number of bytes written. */
  finish(): number;
}

const SEPARATORS: Readonly<Record<string, string>> = { ".arcs": " ", ".txt": " ", ".tsv": "\t", ".csv": "," };

export function graphTarget(path: string): GraphTarget {
  const gzip = path.endsWith(".gz");
  const extension = extname(gzip ? path.slice(0, -3) : path).toLowerCase();
  const separator = SEPARATORS[extension] ?? (isDevice(path) ? " " : undefined);
  if (separator !== undefined) return textTarget(path, separator);
  if (extension === ".graph" && !gzip) return bvTarget(path);
  throw new UsageError(
    `${path}: the name does not say which format to write; expected a name that ends in ` +
      `${Object.keys(SEPARATORS).join(", ")} (optionally followed by .gz) or .graph`,
  );
}

export function textTarget(path: string, separator = " "): GraphTarget {
  return { format: "text", paths: [path], separator };
}

/** `.graph` may be left out of the name. */
export function bvTarget(path: string): GraphTarget {
  const basename = path.replace(/\.graph$/, "");
  // The properties come last: a graph without them is not taken for a complete one.
  return { format: "bv", paths: [`${basename}.graph`, `${basename}.offsets`, `${basename}.properties`] };
}

const PAGES_PER_STEP = 1 << 13;

/** Writes a whole graph and returns the number of bytes written. `files` are the paths of the target, opened. */
export async function writeGraph(
  graph: Graph,
  { target, files, progress }: { target: GraphTarget; files: readonly OutputFile[]; progress: Progress },
): Promise<number> {
  const { pages, offsets, targets } = graph;
  const writer = rowWriter(target, files, graph);
  for (let page = 0; page < pages; page++) {
    if (page % PAGES_PER_STEP === 0) {
      progress({ task: "writing", done: page, total: pages, unit: "pages" });
      await nextTurn();
    }
    writer.add(page, targets, offsets[page], offsets[page + 1]);
  }
  return writer.finish();
}

/** `files` are the paths of the target, opened. */
export function rowWriter(
  target: GraphTarget,
  files: readonly OutputFile[],
  size: { readonly pages: number; readonly arcs?: number },
): RowWriter {
  return target.format === "bv" ? bvWriter(files) : textWriter(target, files[0], size);
}

function textWriter(
  { separator }: GraphTarget & { format: "text" },
  file: OutputFile,
  size: { readonly pages: number; readonly arcs?: number },
): RowWriter {
  const sink = new ByteSink(file);
  const code = separator.charCodeAt(0);
  let isComment = true;
  const encoder = new ArcsEncoder((chunk) => {
    if (!isComment && code !== SPACE) replaceBytes(chunk, SPACE, code);
    isComment = false;
    sink.write(chunk);
  }, size);
  return {
    add: (page, targets, from, to) => encoder.add(page, targets, from, to),
    finish: () => {
      encoder.finish();
      sink.finish();
      return sink.written;
    },
  };
}

function bvWriter(files: readonly OutputFile[]): RowWriter {
  const [graph, offsets, properties] = files.map((file) => new ByteSink(file));
  const encoder = new BvEncoder({ graph: (chunk) => graph.write(chunk), offsets: (chunk) => offsets.write(chunk) });
  return {
    add: (_page, targets, from, to) => encoder.add(targets, from, to),
    finish: () => {
      properties.writeText(encoder.finish());
      for (const sink of [graph, offsets, properties]) sink.finish();
      return graph.written + offsets.written + properties.written;
    },
  };
}

const SPACE = 32;

function replaceBytes(bytes: Uint8Array, from: number, to: number): void {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === from) bytes[i] = to;
}

/** Such as /dev/stdout, whose name gives no format. */
function isDevice(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  return status !== undefined && !status.isFile() && !status.isDirectory();
}
