/**
 * Files that name pages: one id or URL per line, optionally followed by a weight. What is kept of a line is a number in
 * an array as long as the graph, so that a list of all pages of a large graph fits into memory.
 */
import { type Progress, quoted, UsageError } from "../../base/index.ts";
import { decimal } from "../options/numbers.ts";
import { fileName, forEachEntry, wrongLine } from "./lines.ts";
import { nameOfUrls, pagesOfUrls, type UrlSource } from "./urls.ts";

export interface PageListContext {
  /** Pages of the graph. */
  readonly pages: number;
  /** Undefined where they are not known. */
  readonly urls: UrlSource | undefined;
  readonly progress?: Progress;
}

export interface Trust {
  /** The pages named, ascending. */
  readonly pages: Uint32Array;
  /** Of every page of the graph; 0 for those not named. */
  readonly weights: Float64Array;
  readonly total: number;
}

/** Naming a page twice is a mistake. */
export async function readTrust(
  path: string,
  context: PageListContext & { readonly normalise: boolean },
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

  /** What all weights are to be divided by. */
  divisor(normalise: boolean): number {
    const { total } = this;
    const name = fileName(this.#path);
    if (total === 0) throw new UsageError(`${name}: nothing is trusted; expected at least one weight above 0`);
    if (total === Infinity) throw new UsageError(`${name}: the weights are too large to be added`);
    if (normalise || !this.#anyWeight) return total;
    if (total <= 1 + EXCESS_MAX) return Math.max(1, total);
    throw new UsageError(`${name}: trust sums to ${total}, expected at most 1; --normalise-trust scales it to 1`);
  }
}

/** The same weight for each of the pages named; the weights sum to 1. */
export function equalTrust(named: Uint32Array, pages: number): Trust {
  const weights = new Float64Array(pages);
  for (const page of named) weights[page] = 1 / named.length;
  return { pages: named.toSorted(), weights, total: 1 };
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

/** The pages whose mark is not 0, `count` of them. */
function pagesMarked(marks: Uint8Array | Uint32Array, count: number): Uint32Array {
  const pages = new Uint32Array(count);
  let at = 0;
  for (let page = 0; at < count; page++) if (marks[page] > 0) pages[at++] = page;
  return pages;
}

/** `rest` is what follows the page in its line. */
type PageVisitor = (page: number, rest: string, line: number) => void;

/** Visits the pages that a file names and returns the number of entries. */
async function forEachPage(path: string, context: PageListContext, visit: PageVisitor): Promise<number> {
  const names = new PageNames(path, context, visit);
  await forEachEntry(path, (name, rest, line) => names.add(name, rest, line), context.progress);
  await names.finish();
  return names.count;
}

/**
 * From names in a file to pages of the graph. Ids are visited at once, URLs at the end: they are looked up together.
 */
export class PageNames {
  count = 0;
  readonly #path: string;
  readonly #context: PageListContext;
  readonly #visit: PageVisitor;
  readonly #byUrl: { readonly url: string; readonly rest: string; readonly line: number }[] = [];

  constructor(path: string, context: PageListContext, visit: PageVisitor) {
    this.#path = path;
    this.#context = context;
    this.#visit = visit;
  }

  add(name: string, rest: string, line: number): void {
    this.count++;
    if (!/^[+-]?[\d.]+$/.test(name)) {
      this.#byUrl.push({ url: name, rest, line });
      return;
    }
    const page = Number(name);
    const { pages } = this.#context;
    if (!(page >= 0 && page < pages && Number.isInteger(page))) {
      throw wrongLine(this.#path, line, `page ${name} is out of range; the graph has pages 0 to ${pages - 1}`);
    }
    this.#visit(page, rest, line);
  }

  async finish(): Promise<void> {
    const { urls } = this.#context;
    if (this.count === 0) {
      throw new UsageError(`${fileName(this.#path)}: names no page; expected one id or URL per line`);
    }
    if (this.#byUrl.length === 0) return;
    const wanted = new Set(this.#byUrl.map(({ url }) => url));
    const pageOfUrl = urls === undefined ? undefined : await pagesOfUrls(urls, wanted);
    for (const { url, rest, line } of this.#byUrl) {
      const page = pageOfUrl?.get(url);
      if (page === undefined) throw wrongLine(this.#path, line, unknownPage(url, urls));
      this.#visit(page, rest, line);
    }
  }
}

function unknownPage(name: string, urls: UrlSource | undefined): string {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(name)) return `${quoted(name)} is neither a page id nor a URL`;
  return urls === undefined
    ? `${quoted(name)} is a URL; give the URLs of the pages with --urls FILE`
    : `${quoted(name)} is not among the URLs of ${nameOfUrls(urls)}`;
}
