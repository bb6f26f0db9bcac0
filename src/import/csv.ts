/** Tables with a header, as spreadsheets and crawlers write them (RFC 4180; commas, semicolons or tabs). */
import { type Progress, quoted, UsageError } from "../base/index.ts";
import { damaged } from "./files.ts";
import { linesOf } from "./lines.ts";

const RECORD_CHARACTERS_MAX = 1 << 20;
const SEPARATORS = [",", ";", "\t"];
const COLUMNS_NAMED = 8;

/** A row by its columns, whose names are in lower case. */
export type CsvRow = (column: string) => string | undefined;

/** The rows below the header, which must have these columns. */
export async function* csvRows(
  path: string,
  columns: readonly string[],
  progress: Progress,
): AsyncGenerator<CsvRow, void> {
  let places: ReadonlyMap<string, number> | undefined;
  let separator = ",";
  for await (const record of csvRecords(path, progress)) {
    if (places !== undefined) {
      const cells = cellsOf(record, separator);
      const found = places;
      yield (column) => cells[found.get(column) ?? -1];
      continue;
    }
    const header = headerOf(record);
    // Some programs write a title above the header.
    if (header.names.length === 1) continue;
    separator = header.separator;
    places = new Map(header.names.map((name, k) => [name, k]));
    if (columns.some((column) => places?.has(column) !== true)) throw otherShape(path, columns, header.names);
  }
  if (places === undefined) throw otherShape(path, columns, []);
}

/** The names of the columns of a table, as a header has them. */
export function headerOf(record: string): { readonly names: readonly string[]; readonly separator: string } {
  const text = record.replace(/^\ufeff/, "");
  const [separator] = SEPARATORS.toSorted((a, b) => text.split(b).length - text.split(a).length);
  return { names: cellsOf(text, separator).map((name) => name.trim().toLowerCase()), separator };
}

function otherShape(path: string, columns: readonly string[], got: readonly string[]): UsageError {
  const named = got.slice(0, COLUMNS_NAMED).map((name) => quoted(name));
  return new UsageError(
    `${path}: expected a table with the columns ${columns.map((name) => quoted(name)).join(", ")}; got ` +
      `${named.length === 0 ? "none" : named.join(", ")}${got.length > COLUMNS_NAMED ? ", ..." : ""}`,
  );
}

/** Lines, joined as long as a quotation mark is open. */
async function* csvRecords(path: string, progress: Progress): AsyncGenerator<string> {
  let open = "";
  for await (const lines of linesOf(path, progress)) {
    for (const line of lines) {
      const record = open === "" ? line : `${open}\n${line}`;
      open = record.split('"').length % 2 === 1 ? "" : record;
      if (open.length > RECORD_CHARACTERS_MAX) throw damaged(path, 0, "a quotation mark is never closed");
      if (open === "" && record !== "") yield record;
    }
  }
  if (open !== "") throw damaged(path, 0, "the file ends inside quotation marks");
}

function cellsOf(record: string, separator: string): string[] {
  if (!record.includes('"')) return record.split(separator);
  const cells: string[] = [];
  for (let at = 0; at <= record.length; ) {
    if (record[at] === '"') {
      let end = record.indexOf('"', at + 1);
      while (end >= 0 && record[end + 1] === '"') end = record.indexOf('"', end + 2);
      cells.push(record.slice(at + 1, end < 0 ? undefined : end).replaceAll('""', '"'));
      const next = end < 0 ? -1 : record.indexOf(separator, end);
      at = next < 0 ? record.length + 1 : next + 1;
      continue;
    }
    const next = record.indexOf(separator, at);
    cells.push(record.slice(at, next < 0 ? undefined : next));
    at = next < 0 ? record.length + 1 : next + 1;
  }
  return cells;
}
