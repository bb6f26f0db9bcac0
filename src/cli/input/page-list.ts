/**
 * Files that name pages: one id or URL per line, optionally followed by a number. What is kept of a line is a number in
 * an array as long as the graph, so that a list of all pages of a large graph fits into memory.
 */
import { type Progress, quoted, UsageError } from "../../base/index.ts";
import { decimal } from "../../crawl/settings/index.ts";
import { type EntryVisitor, fileName, forEachEntry, wrongLine } from "./files.ts";
import { pagesOfUrls, type UrlReader } from "./urls.ts";

export interface PageListContext {
  /** Pages of the graph. */
  readonly pages: number;
  /** Undefined where they are not known. */
  readonly urls: UrlReader | undefined;
  readonly progress?: Progress;
}

export interface Trust {
  /** Trusted pages, ascending. */
  readonly pages: Uint32Array;
  /** Of every page of the graph; 0 for those not trusted. */
  readonly weights: Float64Array;
  readonly total: number;
}

/** Naming a page twice is a mistake. */
export async function readTrust(
  path: string,
  context: PageListContext & { readonly normalise: boolean | undefined },
): Promise<Trust> {
  const weights = new Float64Array(context.pages);
  const lineOf = new Uint32Array(context.pages);
  const sum = new TrustSum(path);
  const count = await forEachPage(path, context, (page, rest, line) => {
    const other = lineOf[page];
    if (other > 0) {
      const [first, second] = [Math.min(other, line), Math.max(other, line)];
      throw wrongLine(path, second, `page ${page} is trusted in line ${first} already`);
    }
    lineOf[page] = line;
    weights[page] = sum.add(rest, line);
  });
  const divisor = sum.divisor(context.normalise);
  const pages = pagesMarked(lineOf, count);
  if (divisor === 1) return { pages, weights, total: sum.total };
  for (let page = 0; page < weights.length; page++) weights[page] /= divisor;
  return { pages, weights, total: 1 };
}

/** Decimal fractions that are meant to sum to 1 may exceed it slightly. */
const EXCESS_MAX = 1e-9;

/**
 * The weights of a trust file. A line without a weight weighs 1. Weights must sum to at most 1; a file without any
 * weight is normalised to 1 anyway.
 */
export class TrustSum {
  total = 0;
  readonly #path: string;
  #anyWeight = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The weight that a line gives after its page. */
  add(text: string, line: number): number {
    const weight = text === "" ? 1 : decimal(text);
    if (!(weight >= 0 && weight < Infinity)) {
      throw wrongLine(this.#path, line, `the weight is ${quoted(text)}, expected a number of at least 0`);
    }
    this.#anyWeight ||= text !== "";
    this.total += weight;
    return weight;
  }

  /** All weights are to be divided by this. */
  divisor(normalise = false): number {
    const { total } = this;
    const name = fileName(this.#path);
    if (total === 0) throw new UsageError(`${name}: nothing is trusted; expected at least one weight above 0`);
    if (total === Infinity) throw new UsageError(`${name}: the weights are too large to be added`);
    if (normalise || !this.#anyWeight) return total;
    if (total <= 1 + EXCESS_MAX) return Math.max(1, total);
    throw new UsageError(`${name}: trust sums to ${total}, expected at most 1; --normalise-trust scales it to 1`);
  }
}

/** The same weight for each of these pages; the weights sum to 1. */
export function equalTrust(trusted: Uint32Array, pages: number): Trust {
  const weights = new Float64Array(pages);
  for (const page of trusted) weights[page] = 1 / trusted.length;
  return { pages: trusted.toSorted(), weights, total: 1 };
}

/** Trust page by page, as ledgers and orders take it. */
export function* trustEntries({ pages, weights }: Trust): Generator<readonly [page: number, weight: number]> {
  for (const page of pages) yield [page, weights[page]];
}

/** The pages of a list, ascending and each once, whatever the order and the repetitions in the file. */
export async function readPages(path: string, context: PageListContext): Promise<Uint32Array> {
  const isNamed = new Uint8Array(context.pages);
  let count = 0;
  await forEachPage(path, context, (page) => {
    count += 1 - isNamed[page];
    isNamed[page] = 1;
  });
  return pagesMarked(isNamed, count);
}

function pagesMarked(marks: Uint8Array | Uint32Array, count: number): Uint32Array {
  const pages = new Uint32Array(count);
  let at = 0;
  for (let page = 0; at < count; page++) if (marks[page] > 0) pages[at++] = page;
  return pages;
}

/**
 * The value of every page. Either line i is the value of page i, or each line is an id or URL and a value. What follows
 * is not read, so that the output of `tidemark rank` can be used. `needed` are the pages that need a value (default:
 * all); the others have NaN where the file gives none.
 */
export async function readValues(
  path: string,
  context: PageListContext & { readonly needed?: Uint32Array | undefined },
): Promise<Float64Array> {
  const { pages, needed, progress } = context;
  let isPlain: boolean | undefined;
  let entries = 0;
  const all = await readNumbers(path, context, { what: "value", min: -Number.MAX_VALUE }, (visit) => {
    const visitEntry: EntryVisitor = (name, rest, line) => {
      isPlain ??= rest === "";
      if ((rest === "") !== isPlain) {
        const expected = isPlain ? "a value alone" : "a page and its value";
        throw wrongLine(path, line, `expected ${expected}, as in the lines before`);
      }
      if (!isPlain) visit(name, rest, line);
      else if (entries < pages) visit(String(entries), name, line);
      entries++;
    };
    return forEachEntry(path, visitEntry, progress);
  });
  if (isPlain === true && entries !== pages) throw miscounted(path, entries, pages);
  const wanted = needed === undefined ? all : Float64Array.from(needed, (page) => all[page]);
  const given = wanted.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  if (given < wanted.length) throw miscounted(path, given, wanted.length);
  return all;
}

function miscounted(path: string, given: number, expected: number): UsageError {
  return new UsageError(`${fileName(path)}: values for ${given} of ${expected} pages; expected one per page`);
}

/** The change rate of every page: each line is an id or URL and a rate. Pages that are not in the file never change. */
export async function readRates(path: string, context: PageListContext): Promise<Float64Array> {
  const rates = await readNumbers(path, context, { what: "change rate", min: 0 });
  return rates.map((rate) => (Number.isNaN(rate) ? 0 : rate));
}

/** What each page counts: each line is an id or URL and a value from 0 to 1. Pages that are not in the file count 1. */
export async function readWorths(path: string, context: PageListContext): Promise<Float64Array> {
  const worths = await readNumbers(path, context, { what: "value", min: 0, max: 1 });
  return worths.map((value) => (Number.isNaN(value) ? 1 : value));
}

/** One number per page; NaN for pages that have none. */
async function readNumbers(
  path: string,
  context: PageListContext,
  { what, min, max }: { readonly what: string; readonly min: number; readonly max?: number },
  readEntries?: EntryReader,
): Promise<Float64Array> {
  const numbers = new Float64Array(context.pages).fill(Number.NaN);
  const visit: PageVisitor = (page, rest, line) => {
    const [text] = rest.split(/\s/, 1);
    const value = decimal(text);
    if (!(value >= min && value <= (max ?? Number.MAX_VALUE))) {
      const expected = min === 0 ? "a finite number of at least 0" : "a finite number";
      if (max === undefined) throw wrongLine(path, line, `the ${what} is ${quoted(text)}, expected ${expected}`);
      const problem = `the ${what} of page ${page} is ${quoted(text)}, expected a number from ${min} to ${max}`;
      throw wrongLine(path, line, problem);
    }
    if (!Number.isNaN(numbers[page])) throw wrongLine(path, line, `page ${page} has a ${what} already`);
    numbers[page] = value;
  };
  await forEachPage(path, context, visit, readEntries);
  return numbers;
}

type PageVisitor = (page: number, rest: string, line: number) => void;
type EntryReader = (visit: EntryVisitor) => Promise<void>;

/**
 * Visits the pages of a file and returns the number of entries. Ids are visited at once, URLs at the end: they are
 * looked up together.
 */
async function forEachPage(
  path: string,
  { pages, urls, progress }: PageListContext,
  visit: PageVisitor,
  readEntries: EntryReader = (visitEntry) => forEachEntry(path, visitEntry, progress),
): Promise<number> {
  const byUrl: { readonly url: string; readonly rest: string; readonly line: number }[] = [];
  let count = 0;
  await readEntries((name, rest, line) => {
    count++;
    if (!/^[+-]?[\d.]+$/.test(name)) {
      byUrl.push({ url: name, rest, line });
      return;
    }
    const page = Number(name);
    if (!(page >= 0 && page < pages && Number.isInteger(page))) {
      throw wrongLine(path, line, `page ${name} is out of range; the graph has pages 0 to ${pages - 1}`);
    }
    visit(page, rest, line);
  });
  if (count === 0) throw new UsageError(`${fileName(path)}: names no page; expected one id or URL per line`);
  if (byUrl.length === 0) return count;
  const wanted = new Set(byUrl.map(({ url }) => url));
  const pageOfUrl = urls === undefined ? undefined : await pagesOfUrls(urls, wanted);
  for (const { url, rest, line } of byUrl) {
    const page = pageOfUrl?.get(url);
    if (page === undefined) throw wrongLine(path, line, unknownPage(url, urls));
    visit(page, rest, line);
  }
  return count;
}

function unknownPage(name: string, urls: UrlReader | undefined): string {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(name)) return `${quoted(name)} is neither a page id nor a URL`;
  return urls === undefined
    ? `${quoted(name)} is a URL; give the URLs of the pages with --urls FILE`
    : `${quoted(name)} is not among the URLs of ${urls.name}`;
}
