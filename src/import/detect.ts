/** What a file holds, by its content: its name says nothing. */
import { noProgress, quoted, UsageError } from "../base/index.ts";
import { type FileKind, formats, type ImportFile, type ImportFormat } from "./contract.ts";
import { headerOf } from "./csv.ts";
import { linesOf } from "./lines.ts";
import { warcRecords } from "./warc.ts";
import { isEnvelope } from "./wat.ts";

/** A title above the header, a comment, an empty line. */
const LINES_LOOKED_AT = 5;
/** Some archives begin with many records that are no responses. */
const RECORDS_LOOKED_AT = 100;
const LOOK_BYTES = 1 << 12;
const SHOWN_CHARACTERS = 60;

/** Finds out what files hold; all must be of one format, the given one if there is one. */
export async function detectFiles(
  paths: readonly string[],
  given: ImportFormat | undefined,
): Promise<{ readonly format: ImportFormat; readonly files: readonly ImportFile[] }> {
  const files: ImportFile[] = [];
  for (const path of paths) files.push({ path, kind: await kindOf(path, given) });
  const [first] = files;
  const format = given ?? formatOf(first.kind);
  const other = files.find(({ kind }) => formatOf(kind) !== format);
  if (other === undefined) return { format, files };
  const what = given === undefined ? `${first.path} is ${format}` : `--from says ${format}`;
  throw new UsageError(
    `${what}, but ${other.path} is ${formatOf(other.kind)}; import crawls of different formats into directories of ` +
      "their own",
  );
}

/**
 * The format of a file that is certainly of another crawler; undefined for others. Lines of two numbers may be a host
 * graph, or the links of any graph; and what is JSON need not be of Scrapy.
 */
export async function importableFormat(path: string): Promise<ImportFormat | undefined> {
  try {
    const format = formatOf(await kindOf(path, undefined));
    if (format === "cc-graph") return undefined;
    return format !== "scrapy" || (await firstLines(path)).some((line) => /"url"\s*:/.test(line)) ? format : undefined;
  } catch {
    // Unreadable, damaged or of no format: what was wrong with it before is more to the point.
    return undefined;
  }
}

function formatOf(kind: FileKind): ImportFormat {
  if (kind.startsWith("cc-")) return "cc-graph";
  // The longest name that fits: each kind begins with its format.
  const [format] = formats.filter((each) => kind.startsWith(each)).toSorted((a, b) => b.length - a.length);
  return format;
}

async function kindOf(path: string, given: ImportFormat | undefined): Promise<FileKind> {
  const lines = await firstLines(path);
  const found = lines.some((line) => /^WARC\/\d/.test(line)) ? await archiveKind(path) : textKind(lines);
  if (found !== undefined) return found;
  const [first = ""] = lines;
  const start = first.length > SHOWN_CHARACTERS ? `${first.slice(0, SHOWN_CHARACTERS)}...` : first;
  const got = lines.length === 0 ? "an empty file" : `a file that begins with ${quoted(start)}`;
  throw new UsageError(`${path}: got ${got}; expected ${given === undefined ? ANY : EXPECTED[given]}`);
}

const EXPECTED: Readonly<Record<ImportFormat, string>> = {
  warc: "WARC records",
  wat: "WARC records of metadata in JSON",
  scrapy: 'items of Scrapy as JSON lines, with "url" and "links"',
  "cc-graph": "lines of vertices (number, tab, reversed host) or edges (number, tab, number)",
  nutch:
    'a CrawlDb as CSV with the columns "Url", "Status code" (nutch readdb -dump -format csv), or a dump of a LinkDb',
  "screaming-frog":
    'a table with the columns "Address", "Status Code" (internal_all.csv) or "Source", "Destination" ' +
    "(all_outlinks.csv)",
};
const ANY = `one of: ${formats.map((format) => EXPECTED[format]).join("; ")}`;

async function firstLines(path: string): Promise<string[]> {
  for await (const lines of linesOf(path, noProgress)) {
    return lines
      .slice(0, LINES_LOOKED_AT)
      .map((line) => line.replace(/^\ufeff/, ""))
      .filter((line) => line.trim() !== "");
  }
  return [];
}

/** A WAT file is a WARC file whose records of metadata are about responses elsewhere. */
async function archiveKind(path: string): Promise<FileKind> {
  let count = 0;
  for await (const { type, block } of warcRecords(path, { progress: noProgress, blockBytesMax: LOOK_BYTES })) {
    if (type === "metadata" && isEnvelope(block)) return "wat";
    if (type === "response" || type === "revisit" || type === "resource") return "warc";
    if (++count >= RECORDS_LOOKED_AT) break;
  }
  return "warc";
}

function textKind(lines: readonly string[]): FileKind | undefined {
  for (const line of lines) {
    if (/^\[?\s*\{/.test(line)) return "scrapy";
    if (/^\S+\tInlinks:/.test(line)) return "nutch-linkdb";
    if (/^\d+\t\d+\s*$/.test(line)) return "cc-edges";
    if (/^\d+\t[^\s\t]+/.test(line)) return "cc-vertices";
    const { names } = headerOf(line);
    if (names.includes("url") && names.includes("status code")) return "nutch-crawldb";
    if (names.includes("address") && names.includes("status code")) return "screaming-frog-pages";
    if (names.includes("source") && names.includes("destination")) return "screaming-frog-links";
  }
  return undefined;
}
