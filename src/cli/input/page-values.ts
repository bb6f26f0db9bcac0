/**
 * Files that give numbers to the pages of a graph: values for `tidemark seeds`, change rates for `tidemark refresh`.
 */
import { quoted, UsageError } from "../../base/index.ts";
import { decimal } from "../options/numbers.ts";
import { fileName, forEachEntry, wrongLine } from "./lines.ts";
import { type PageListContext, PageNames } from "./page-list.ts";

/**
 * The value of every page. Either line i is the value of page i, or each line is an id or URL and a value. What follows
 * is not read, so that the output of `tidemark rank` can be used. `needed` are the pages that need a value (default:
 * all); the others have NaN where the file gives none.
 */
export async function readValues(
  path: string,
  context: PageListContext & { readonly needed?: Uint32Array | undefined },
): Promise<Float64Array> {
  const { pages, needed } = context;
  const values = new PageNumbers(path, context, { what: "value", min: -Number.MAX_VALUE });
  let isPlain: boolean | undefined;
  let entries = 0;
  const visit = (name: string, rest: string, line: number): void => {
    isPlain ??= rest === "";
    if ((rest === "") !== isPlain) {
      const expected = isPlain ? "a value alone" : "a page and its value";
      throw wrongLine(path, line, `expected ${expected}, as in the lines before`);
    }
    if (!isPlain) values.add(name, rest, line);
    else if (entries < pages) values.add(String(entries), name, line);
    entries++;
  };
  await forEachEntry(path, visit, context.progress);
  if (isPlain === true && entries !== pages) throw miscounted(path, entries, pages);
  const all = await values.finish();
  const wanted = needed === undefined ? all : Float64Array.from(needed, (page) => all[page]);
  const given = wanted.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  if (given < wanted.length) throw miscounted(path, given, wanted.length);
  return all;
}

/**
 * The change rate of every page: each line is an id or URL and a rate. Pages that the file does not name never change.
 */
export async function readRates(path: string, context: PageListContext): Promise<Float64Array> {
  const rates = new PageNumbers(path, context, { what: "change rate", min: 0 });
  await forEachEntry(path, (name, rest, line) => rates.add(name, rest, line), context.progress);
  return (await rates.finish()).map((rate) => (Number.isNaN(rate) ? 0 : rate));
}

/** One number per page; NaN for pages that have none. */
class PageNumbers {
  readonly #names: PageNames;
  readonly #numbers: Float64Array;

  constructor(path: string, context: PageListContext, { what, min }: { what: string; min: number }) {
    this.#numbers = new Float64Array(context.pages).fill(Number.NaN);
    this.#names = new PageNames(path, context, (page, rest, line) => {
      const [text] = rest.split(/\s/, 1);
      const value = decimal(text);
      if (!(value >= min && value < Infinity)) {
        const expected = min === 0 ? "a finite number of at least 0" : "a finite number";
        throw wrongLine(path, line, `the ${what} is ${quoted(text)}, expected ${expected}`);
      }
      if (!Number.isNaN(this.#numbers[page])) {
        throw wrongLine(path, line, `page ${page} has a ${what} already`);
      }
      this.#numbers[page] = value;
    });
  }

  add(name: string, rest: string, line: number): void {
    this.#names.add(name, rest, line);
  }

  async finish(): Promise<Float64Array> {
    await this.#names.finish();
    return this.#numbers;
  }
}

function miscounted(path: string, given: number, expected: number): UsageError {
  return new UsageError(`${fileName(path)}: values for ${given} of ${expected} pages; expected one per page`);
}
