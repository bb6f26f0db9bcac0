/**
 * The file of page values: either line i is the value of page i, or each line is an id or URL and a value (what follows is
 * not read, so that the output of `tidemark rank` will do). `#` starts a comment at the head of a word. Every page has one value.
 */
import { type Progress, quoted, UsageError } from "../../base/index.ts";
import { readLines } from "../input/lines.ts";
import { nameOfUrls, pagesOfUrls, type UrlSource } from "../input/urls.ts";
import { decimal } from "../options/numbers.ts";

export interface ValuesContext {
  /** Pages of the graph. */
  readonly pages: number;
  /** Those that need a value; all unless given. */
  readonly needed?: Uint32Array | undefined;
  readonly urls: UrlSource | undefined;
  readonly progress: Progress;
}

/** The value of every page of the graph; NaN for those that need none and have none. */
export async function readValues(path: string, context: ValuesContext): Promise<Float64Array> {
  const { pages, urls } = context;
  const values = new Float64Array(pages).fill(Number.NaN);
  const byUrl = new Map<string, { readonly value: number; readonly line: number }>();
  let lines = 0;
  let entries = 0;
  let columns = 0;
  for await (const some of readLines(path, context.progress)) {
    for (const text of some) {
      lines++;
      const words = text
        .replace(/(^|\s)#.*/s, "")
        .trim()
        .split(/\s+/);
      if (words[0] === "") continue;
      const line = lines;
      columns ||= Math.min(2, words.length);
      if (Math.min(2, words.length) !== columns) {
        throw wrong(
          path,
          line,
          `expected ${columns === 1 ? "one value" : "a page and its value"} as in the lines before`,
        );
      }
      const value = decimal(words[columns - 1]);
      if (!Number.isFinite(value)) {
        throw wrong(path, line, `the value is ${quoted(words[columns - 1])}, expected a finite number`);
      }
      const name = columns === 1 ? String(entries) : words[0];
      entries++;
      if (columns === 1 && entries > pages) continue;
      if (/^[+-]?[\d.]+$/.test(name)) set(path, values, { page: Number(name), value, line });
      else if (byUrl.has(name))
        throw wrong(path, line, `${quoted(name)} has a value in line ${byUrl.get(name)!.line} already`);
      else byUrl.set(name, { value, line });
    }
  }
  if (columns === 1 && entries !== pages) throw miscounted(path, entries, pages);
  if (byUrl.size > 0) {
    const pageOfUrl = urls === undefined ? undefined : await pagesOfUrls(urls, new Set(byUrl.keys()));
    for (const [url, { value, line }] of byUrl) {
      const page = pageOfUrl?.get(url);
      if (page === undefined) throw wrong(path, line, unknownPage(url, urls));
      set(path, values, { page, value, line });
    }
  }
  checkComplete(path, values, context.needed);
  return values;
}

function set(path: string, values: Float64Array, entry: { page: number; value: number; line: number }): void {
  const { page, value, line } = entry;
  if (!(Number.isInteger(page) && page >= 0 && page < values.length)) {
    throw wrong(
      path,
      line,
      `page ${page} is out of range, the graph has the pages 0 to ${values.length - 1}`,
    );
  }
  if (!Number.isNaN(values[page])) throw wrong(path, line, `page ${page} has a value already`);
  values[page] = value;
}

function checkComplete(path: string, values: Float64Array, needed: Uint32Array | undefined): void {
  const expected = needed?.length ?? values.length;
  let given = 0;
  if (needed === undefined) given = values.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  else for (const page of needed) if (!Number.isNaN(values[page])) given++;
  if (given < expected) throw miscounted(path, given, expected);
}

function miscounted(path: string, given: number, expected: number): UsageError {
  return new UsageError(`${path}: values for ${given} of ${expected} pages; expected one for each`);
}

function unknownPage(name: string, urls: UrlSource | undefined): string {
  return urls === undefined
    ? `${quoted(name)} is no page id; if it is a URL, say with --urls which page it is`
    : `${quoted(name)} is not among the URLs of ${nameOfUrls(urls)}`;
}

function wrong(path: string, line: number, problem: string): UsageError {
  return new UsageError(`${path}: line ${line}: ${problem}`);
}
