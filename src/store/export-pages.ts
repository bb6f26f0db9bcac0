/** Pages as CSV and as JSON lines, with or without importance: text in chunks worth writing. */
import { PAGE_COLUMNS, type PageRow } from "./page-rows.ts";

/** Place in the ranking of the downloaded pages, from 1, and bounds of a page's share of all importance. */
interface RankInterval {
  readonly place: number | undefined;
  readonly low: number;
  readonly high: number;
}

/** Adds columns of importance: facts hold none, whoever exports computes it. */
type RankOf = (id: number) => RankInterval | undefined;

const CHUNK_CHARACTERS = 1 << 16;

function* inChunks(rows: Iterable<PageRow>, textOf: (row: PageRow) => string): Generator<string> {
  let text = "";
  for (const row of rows) {
    text += textOf(row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

const FORMULA = /^(?:[\t\r\n]|[\s\0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * Pages as CSV (RFC 4180): a line of names, then one line per URL.
 *
 * Text of a page must not run in a spreadsheet: a text that begins, after blanks, with `=`, `+`, `-`, `@`, a tab or a
 * line end (or a full-width form of these) gets an apostrophe in front, which spreadsheets take for "this is text"
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function* pagesAsCsv(rows: Iterable<PageRow>, rankOf?: RankOf): Generator<string> {
  const names = PAGE_COLUMNS.map(([name]) => name);
  if (rankOf !== undefined) names.push("rank", "rank_low", "rank_high");
  yield `${names.join(",")}\r\n`;
  yield* inChunks(rows, (row) => {
    let line = "";
    for (const [, , key] of PAGE_COLUMNS) line += `${line === "" ? "" : ","}${fieldOf(row[key])}`;
    if (rankOf !== undefined) {
      const rank = rankOf(row.id);
      line += `,${fieldOf(rank?.place ?? null)},${fieldOf(rank?.low ?? null)},${fieldOf(rank?.high ?? null)}`;
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

/**
 * Pages as JSON lines, in the order of discovery, with the same keys in every line; null where there is nothing to say.
 */
export function pagesAsJsonLines(rows: Iterable<PageRow>, rankOf?: RankOf): Iterable<string> {
  return inChunks(rows, (row) => {
    if (rankOf === undefined) return `${JSON.stringify(row)}\n`;
    const rank = rankOf(row.id);
    const [place, low, high] = [rank?.place ?? null, rank?.low ?? null, rank?.high ?? null];
    return `${JSON.stringify({ ...row, rank: place, rankLow: low, rankHigh: high })}\n`;
  });
}
