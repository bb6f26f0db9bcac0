/**
 * The document that `tidemark simulate --json` prints (or `--out` writes), read from a file. The file may have been
 * changed, or come from another command: the error says which field is wrong.
 */
import { quoted, UsageError } from "../../base/index.ts";
import type { Simulation } from "../../lab/index.ts";
import { aboutFile } from "../terminal/endings.ts";
import { readBytes } from "./files.ts";

/** A simulation of twenty orders takes less than a megabyte. */
export const FILE_BYTES_MAX = 100_000_000;

export interface SimulationFile {
  readonly simulation: Simulation;
  /** Only experiments have one. */
  readonly title?: string;
}

export async function readSimulation(path: string): Promise<SimulationFile> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(path)) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > FILE_BYTES_MAX || isDatabase(chunks[0])) break;
  }
  try {
    if (isDatabase(chunks[0] ?? new Uint8Array()))
      throw new UsageError("is a database; expected the directory of a crawl, or a simulation");
    if (bytes > FILE_BYTES_MAX) {
      throw new UsageError(`has more than ${FILE_BYTES_MAX} bytes; ${EXPECTED}`);
    }
    return parseSimulation(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw aboutFile(path === "-" ? "standard input" : path, error);
  }
}

const EXPECTED = "expected the document that tidemark simulate --json prints";

function parseSimulation(text: string): SimulationFile {
  const document = parsed(text);
  const problem = problemOf(document, SHAPE, "");
  if (problem !== undefined) throw new UsageError(`${problem}; ${EXPECTED}`);
  const simulation = document as Simulation & { readonly title?: unknown };
  if (simulation.runs.length === 0) {
    throw new UsageError(
      "has no runs of crawl orders (an experiment about something else); tidemark simulate --report writes its page",
    );
  }
  return { simulation, ...(typeof simulation.title === "string" ? { title: simulation.title } : {}) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (text.trim() === "") throw new UsageError(`is empty; ${EXPECTED}`);
    throw new UsageError(`is not JSON (it begins with ${quoted(text.trimStart().slice(0, 40))}); ${EXPECTED}`);
  }
}

type Shape =
  | "number"
  | "number or null"
  | "text"
  | { readonly each: Shape }
  | { readonly tuple: readonly Shape[] }
  | { readonly values: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const REACHED: Shape = { values: "number" };

const SHAPE: Shape = {
  fields: {
    graph: { fields: { pages: "number", arcs: "number", hosts: "number or null" } },
    damping: "number",
    trust: { fields: { pages: "number", total: "number" } },
    runs: {
      each: {
        fields: {
          order: "text",
          downloads: "number",
          seconds: "number",
          pushes: "number",
          actual: REACHED,
          guaranteed: REACHED,
          certified: REACHED,
          final: { fields: { actual: "number", guaranteed: "number or null", certified: "number" } },
          curve: { each: { tuple: ["number", "number", "number or null", "number"] } },
          cost: { each: { tuple: ["number", "number", "number"] } },
          rounds: "number or null",
        },
      },
    },
  },
};

/** The first place that does not have its shape, in words. */
function problemOf(value: unknown, shape: Shape, name: string): string | undefined {
  const wrong = (expected: string): string => {
    const what = name === "" ? "the document" : name;
    if (value === undefined) return `${what} is missing`;
    return `${what} is ${quoted(JSON.stringify(value))}, not ${expected}`;
  };
  const first = (entries: Iterable<readonly [string, unknown, Shape]>): string | undefined => {
    for (const [inner, part, of] of entries) {
      const problem = problemOf(part, of, inner);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  if (shape === "text") return typeof value === "string" ? undefined : wrong("a text");
  if (typeof shape === "string") {
    const isFine = typeof value === "number" || (value === null && shape === "number or null");
    return isFine ? undefined : wrong(shape === "number" ? "a number" : "a number or null");
  }
  if ("each" in shape || "tuple" in shape) {
    if (!Array.isArray(value)) return wrong("a list");
    const shapes = "each" in shape ? value.map(() => shape.each) : shape.tuple;
    return first(shapes.map((of, k) => [`${name}[${k}]`, value[k] as unknown, of]));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong("an object");
  const prefix = name === "" ? "" : `${name}.`;
  const fields =
    "fields" in shape ? shape.fields : Object.fromEntries(Object.keys(value).map((key) => [key, shape.values]));
  const record = value as Readonly<Record<string, unknown>>;
  return first(Object.entries(fields).map(([key, of]) => [`${prefix}${key}`, record[key], of]));
}

/** "SQLite format 3", as every such file begins. */
function isDatabase(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 15)).toString("latin1") === "SQLite format 3";
}
