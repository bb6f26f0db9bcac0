/**
 * Pages as CSV (RFC 4180): a line of names, then one line a URL; commas, CRLF, fields quoted where they need it; empty where there is
 * nothing to say.
 *
 * What stands on a stranger's page must not run in a reader's spreadsheet: a text that begins, after blanks, with `=`, `+`, `-`, `@`, a tab or
 * a line end (or a full-width form of these) gets an apostrophe in front, which spreadsheets take for "this is text"
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
import { type ExportOptions, exportRows } from "./export-pages.ts";
import type { PageRow } from "./sqlite-reader.ts";

const COLUMNS: readonly (readonly [name: string, value: (row: PageRow) => string | number | null])[] = [
  ["id", ({ id }) => id],
  ["url", ({ url }) => url],
  ["state", ({ state }) => state],
  ["reason", ({ reason }) => reason],
  ["status", ({ status }) => status],
  ["depth", ({ depth }) => depth],
  ["source", ({ source }) => source],
  ["content_type", ({ contentType }) => contentType],
  ["title", ({ title }) => title],
  ["bytes", ({ bytes }) => bytes],
  ["fetched_at", ({ fetchedAt }) => fetchedAt],
  ["target", ({ target }) => target],
];

const FORMULA = /^(?:[\t\r\n]|[\s\0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

export function* pagesAsCsv(rows: Iterable<PageRow>, options: ExportOptions = {}): Generator<string> {
  const { rankOf } = options;
  const names = COLUMNS.map(([name]) => name);
  if (rankOf !== undefined) names.push("rank_low", "rank_high");
  yield `${names.join(",")}\r\n`;
  yield* exportRows(rows, options, (row) => {
    let line = "";
    for (const [, value] of COLUMNS) line += `${line === "" ? "" : ","}${fieldOf(value(row))}`;
    if (rankOf !== undefined) {
      const rank = rankOf(row.id);
      line += `,${fieldOf(rank?.low ?? null)},${fieldOf(rank?.high ?? null)}`;
    }
    return `${line}\r\n`;
  });
}

function fieldOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
