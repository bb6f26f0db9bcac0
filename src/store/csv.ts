/** Lines of CSV (RFC 4180), and text in chunks worth writing. */

const CHUNK_CHARACTERS = 1 << 16;

export function* inChunks<Row>(rows: Iterable<Row>, textOf: (row: Row) => string): Generator<string> {
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
 * A line of CSV.
 *
 * Text of a page must not run in a spreadsheet: a text that begins, after blanks, with `=`, `+`, `-`, `@`, a tab or a
 * line end (or a full-width form of these) gets an apostrophe in front, which spreadsheets take for "this is text"
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  let line = "";
  for (let k = 0; k < values.length; k++) line += `${k === 0 ? "" : ","}${fieldOf(values[k])}`;
  return `${line}\r\n`;
}

function fieldOf(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
