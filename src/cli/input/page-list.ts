/**
 * Files that name pages: one id or URL a line, then perhaps a weight; `#` starts a comment at the head of a word. What is
 * kept of a line is a number in an array as long as the graph, so a list of all pages of a large graph is no trouble.
 */
import { type Progress, quoted, UsageError } from "../../base/index.ts";
import { decimal } from "../options/numbers.ts";
import { readLines } from "./lines.ts";
import { nameOfUrls, pagesOfUrls, type UrlSource } from "./urls.ts";

export interface PageListContext {
  /** Pages of the graph. */
  readonly pages: number;
  /** Where they are known. */
  readonly urls: UrlSource | undefined;
  readonly progress?: Progress;
}

export interface Trust {
  /** Those named, ascending. */
  readonly pages: Uint32Array;
  /** Of every page of the graph; 0 for those not named. */
  readonly weights: Float64Array;
  readonly total: number;
}

/** Weights of decimal fractions that are meant to sum to 1 do so only nearly. */
const EXCESS_MAX = 1e-9;

/**
 * Lines without a weight weigh 1. Weights must sum to at most 1; a file without any weight is normalised to 1 anyway.
 * Naming a page twice is a mistake.
 */
export async function readTrust(
  path: string,
  context: PageListContext & { readonly normalise: boolean },
): Promise<Trust> {
  const weights = new Float64Array(context.pages);
  const lineOf = new Uint32Array(context.pages);
  let total = 0;
  let anyWeight = false;
  const count = await readEntries(path, context, (page, rest, line) => {
    const other = lineOf[page];
    if (other > 0) {
      const [first, second] = [Math.min(other, line), Math.max(other, line)];
      throw wrong(path, second, `page ${page} is trusted in line ${first} already`);
    }
    lineOf[page] = line;
    const weight = rest === "" ? 1 : decimal(rest);
    if (!(weight >= 0 && weight < Infinity)) {
      throw wrong(path, line, `the weight is ${quoted(rest)}, expected a finite number not below 0`);
    }
    anyWeight ||= rest !== "";
    total += weight;
    weights[page] = weight;
  });
  if (total === 0) throw new UsageError(`${path}: no page is trusted, expected at least one weight above 0`);
  if (total === Infinity) throw new UsageError(`${path}: the weights are too large to be added`);
  const normalise = context.normalise || !anyWeight;
  if (!normalise && total > 1 + EXCESS_MAX) {
    throw new UsageError(
      `${path}: trust sums to ${total}, expected at most 1; --normalise-trust makes it sum to 1`,
    );
  }
  const pages = pagesMarked(lineOf, count);
  if (!normalise && total <= 1) return { pages, weights, total };
  for (let page = 0; page < weights.length; page++) weights[page] /= total;
  return { pages, weights, total: 1 };
}

/** The same weight for each of the pages named, 1 in sum. */
export function equalTrust(named: Uint32Array, pages: number): Trust {
  const weights = new Float64Array(pages);
  for (const page of named) weights[page] = 1 / named.length;
  return { pages: named.toSorted(), weights, total: 1 };
}

/** Trust page by page, as ledgers and orders are told of it. */
export function* trustEntries({ pages, weights }: Trust): Generator<readonly [page: number, weight: number]> {
  for (const page of pages) yield [page, weights[page]];
}

/** The pages of a list, ascending and once each, whatever the order and the repetitions in the file. */
export async function readPages(path: string, context: PageListContext): Promise<Uint32Array> {
  const isNamed = new Uint8Array(context.pages);
  let count = 0;
  await readEntries(path, context, (page) => {
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
type Visit = (page: number, rest: string, line: number) => void;

/** Visits what a file names, URLs last, since they are looked up all at once; answers how many entries there are. */
async function readEntries(path: string, context: PageListContext, visit: Visit): Promise<number> {
  const { pages, urls, progress } = context;
  const byUrl: { readonly url: string; readonly rest: string; readonly line: number }[] = [];
  let count = 0;
  let line = 0;
  for await (const lines of readLines(path, progress)) {
    for (const text of lines) {
      line++;
      const [name, rest] = wordsOf(text);
      if (name === "") continue;
      count++;
      if (!isNumber(name)) {
        byUrl.push({ url: name, rest, line });
        continue;
      }
      const page = Number(name);
      if (!(page >= 0 && page < pages && Number.isInteger(page))) {
        throw wrong(path, line, `page ${name} is out of range, the graph has the pages 0 to ${pages - 1}`);
      }
      visit(page, rest, line);
    }
  }
  if (count === 0) throw new UsageError(`${path}: names no page, expected one id or URL a line`);
  if (byUrl.length === 0) return count;
  const wanted = new Set(byUrl.map(({ url }) => url));
  const pageOfUrl = urls === undefined ? undefined : await pagesOfUrls(urls, wanted);
  for (const { url, rest, line } of byUrl) {
    const page = pageOfUrl?.get(url);
    if (page === undefined)
      throw wrong(path, line, unknownPage(url, urls === undefined ? undefined : nameOfUrls(urls)));
    visit(page, rest, line);
  }
  return count;
}

/** The name of a page and what follows it; an empty name where the line names none. */
function wordsOf(text: string): readonly [name: string, rest: string] {
  // A short cut for nearly all lines of long lists.
  if (/^\d+$/.test(text)) return [text, ""];
  const [, name = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(text.replace(/(^|\s)#.*/s, "").trim()) ?? [];
  return [name, rest];
}

function unknownPage(name: string, urls: string | undefined): string {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(name)) return `${quoted(name)} is neither a page id nor a URL`;
  return urls === undefined
    ? `${quoted(name)} is a URL; say with --urls which page it is`
    : `${quoted(name)} is not among the URLs of ${urls}`;
}

function isNumber(name: string): boolean {
  return /^[+-]?[\d.]+$/.test(name);
}

function wrong(path: string, line: number, problem: string): UsageError {
  return new UsageError(`${path}: line ${line}: ${problem}`);
}
