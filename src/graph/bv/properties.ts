/** The `.properties` file of a BV graph, a Java properties file that says how to read the `.graph` file. */
import { didYouMean, UsageError } from "../../base/index.ts";
import { Code, type CodeName } from "./codes.ts";

/** The contents of the files of a BV graph. */
export interface BvFiles {
  readonly graph: Uint8Array;
  readonly properties: string;
  /** Where each row begins. Without it, random access finds out by one pass over the graph. */
  readonly offsets?: Uint8Array;
}

/** How to write a BV graph; the defaults are those of WebGraph. */
export interface BvOptions {
  /** How many pages back a row may refer (default: 7); 0 for no references. */
  readonly windowSize?: number;
  /** The longest chain of references (default: 3). Longer chains make smaller files and slower random access. */
  readonly maxRefCount?: number;
  /** Runs of at least this many consecutive links are written as intervals (default: 4); 0 for no intervals. */
  readonly minIntervalLength?: number;
  /** The k of zeta codes and the modulus of golomb codes (default: 3). */
  readonly zetaK?: number;
  /** The code of each field (default: unary for references, zeta for residuals, gamma for the rest). */
  readonly codes?: { readonly [field in BvField]?: CodeName };
}

/** The options, checked and complete. */
export interface BvFormat extends Required<Omit<BvOptions, "codes">> {
  readonly codes: BvCodes;
}

type BvCodes = { readonly [field in BvField]: Code };
type BvField = keyof typeof FIELDS;

export interface BvProperties {
  readonly pages: number;
  readonly arcs: number;
  readonly format: BvFormat;
}

/** The codes that each field may have, its default first. */
const FIELDS = {
  outdegrees: { flag: "OUTDEGREES", codes: ["gamma", "delta"] },
  blocks: { flag: "BLOCKS", codes: ["gamma", "delta"] },
  residuals: { flag: "RESIDUALS", codes: ["zeta", "gamma", "delta", "nibble", "golomb"] },
  references: { flag: "REFERENCES", codes: ["unary", "gamma", "delta"] },
  blockCounts: { flag: "BLOCK_COUNT", codes: ["gamma", "unary", "delta"] },
  offsets: { flag: "OFFSETS", codes: ["gamma", "delta"] },
} as const satisfies Record<string, { flag: string; codes: readonly CodeName[] }>;

const FIELD_NAMES = Object.keys(FIELDS) as BvField[];

/** Each flag of the format with what it says. */
const FLAGS: ReadonlyMap<string, { readonly field: BvField; readonly code: CodeName }> = new Map(
  FIELD_NAMES.flatMap((field) =>
    FIELDS[field].codes.map((code) => [`${FIELDS[field].flag}_${code.toUpperCase()}`, { field, code }] as const),
  ),
);

const GRAPH_CLASS = "it.unimi.dsi.webgraph.BVGraph";
const BIG_GRAPH_CLASS = "it.unimi.dsi.big.webgraph.BVGraph";
const INT_MAX = 2 ** 31 - 1;

export function bvFormat(options: BvOptions = {}): BvFormat {
  const { windowSize = 7, maxRefCount = 3, minIntervalLength = 4, zetaK = 3, codes = {} } = options;
  requireWhole("windowSize", windowSize, 0, INT_MAX);
  requireWhole("maxRefCount", maxRefCount, 0, INT_MAX);
  requireWhole("minIntervalLength", minIntervalLength, 0, INT_MAX);
  const chosen = { ...DEFAULT_CODES };
  for (const field of FIELD_NAMES) {
    const name = codes[field];
    if (name === undefined) continue;
    const allowed: readonly CodeName[] = FIELDS[field].codes;
    if (!allowed.includes(name)) {
      throw new UsageError(`${field} of a BV graph cannot be written in "${name}": use ${allowed.join(", ")}`);
    }
    chosen[field] = Code[name];
  }
  // A zeta code of k above 31 would need more than one 32-bit step, and gains nothing.
  requireWhole("zetaK", zetaK, 1, chosen.residuals === Code.zeta ? 31 : INT_MAX);
  return { windowSize, maxRefCount, minIntervalLength, zetaK, codes: chosen };
}

const DEFAULT_CODES = Object.fromEntries(FIELD_NAMES.map((field) => [field, Code[FIELDS[field].codes[0]]])) as Record<
  BvField,
  Code
>;

export function parseBvProperties(text: string): BvProperties {
  const entries = parseJavaProperties(text);
  requireBvGraph(entries);
  const pages = wholeNumber(entries, "nodes", 0, INT_MAX);
  const arcs = wholeNumber(entries, "arcs", 0, Math.min(pages * pages, 2 ** 32 - 1));
  const maxRefCount = entries.get("maxrefcount") === "-1" ? INT_MAX : wholeNumber(entries, "maxrefcount", 0, INT_MAX);
  const format = bvFormat({
    windowSize: wholeNumber(entries, "windowsize", 0, INT_MAX),
    maxRefCount,
    minIntervalLength: wholeNumber(entries, "minintervallength", 0, INT_MAX),
    zetaK: entries.has("zetak") ? wholeNumber(entries, "zetak", 1, INT_MAX) : 3,
    codes: parseFlags(entries.get("compressionflags") ?? ""),
  });
  return { pages, arcs, format };
}

/** `statistics` are further entries that readers may ignore. */
export function formatBvProperties(
  properties: BvProperties,
  statistics: Readonly<Record<string, string | number>> = {},
): string {
  const { pages, arcs, format } = properties;
  const entries = {
    graphclass: GRAPH_CLASS,
    version: 0,
    nodes: pages,
    arcs,
    windowsize: format.windowSize,
    maxrefcount: format.maxRefCount,
    minintervallength: format.minIntervalLength,
    zetak: format.zetaK,
    compressionflags: formatFlags(format.codes),
    ...statistics,
  };
  const lines = Object.entries(entries).map(([key, value]) => `${key}=${value}`);
  return `#BVGraph properties\n${lines.join("\n")}\n`;
}

function requireBvGraph(entries: ReadonlyMap<string, string>): void {
  const graphClass = entries.get("graphclass");
  if (graphClass !== GRAPH_CLASS && graphClass !== BIG_GRAPH_CLASS) {
    throw new UsageError(
      graphClass === undefined
        ? "the .properties file has no graphclass: it is not of a WebGraph graph"
        : `the .properties file is of a ${graphClass}, expected ${GRAPH_CLASS}: store the graph as a BVGraph`,
    );
  }
  const version = wholeNumber(entries, "version", 0, INT_MAX);
  if (version > 0) throw new UsageError(`the BV graph has format version ${version}, only version 0 is known`);
  const endianness = entries.get("endianness") ?? "big";
  if (endianness.toLowerCase() !== "big") {
    throw new UsageError(`the BV graph is ${endianness}-endian, only big-endian ones can be read: convert it`);
  }
}

function wholeNumber(entries: ReadonlyMap<string, string>, key: string, min: number, max: number): number {
  const text = entries.get(key);
  if (text === undefined) throw new UsageError(`the .properties file of the BV graph lacks "${key}"`);
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new UsageError(
      `the .properties file of the BV graph says ${key}=${text}, expected a whole number from ${min} to ${max}`,
    );
  }
  return value;
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new UsageError(`${name} of a BV graph is ${value}, expected a whole number from ${min} to ${max}`);
  }
}

function parseFlags(text: string): { [field in BvField]?: CodeName } {
  const codes: { [field in BvField]?: CodeName } = {};
  for (const flag of text.split("|").map((part) => part.trim())) {
    if (flag === "") continue;
    const meaning = FLAGS.get(flag);
    if (meaning === undefined) {
      const hint = didYouMean(flag, [...FLAGS.keys()]);
      throw new UsageError(`the BV graph has the unknown compression flag "${flag}".${hint}`);
    }
    const { field, code } = meaning;
    if (codes[field] !== undefined && codes[field] !== code) {
      throw new UsageError(`the BV graph has two codes for ${field}: ${text}`);
    }
    codes[field] = code;
  }
  return codes;
}

function formatFlags(codes: BvCodes): string {
  return [...FLAGS]
    .filter(([, { field, code }]) => codes[field] === Code[code] && codes[field] !== DEFAULT_CODES[field])
    .map(([flag]) => flag)
    .join(" | ");
}

function parseJavaProperties(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  // A backslash at the end of a line joins it with the next.
  for (const line of text.replace(/\\\r?\n[ \t\f]*/g, "").split(/\r\n|\n|\r/)) {
    const entry = /^\s*([^#!\s=:][^\s=:]*)\s*[=:\s]\s*(.*)$/.exec(line);
    if (entry !== null) entries.set(entry[1], entry[2].replace(/\\(.)/g, "$1").trim());
  }
  return entries;
}
