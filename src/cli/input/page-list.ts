/** Files that name pages: one id or URL a line, then perhaps a weight; `#` starts a comment at the head of a word. */
import { UsageError } from "../../base/index.ts";
import { decimal } from "../numbers.ts";
import { readLines } from "./lines.ts";
import { pagesOfUrls } from "./urls.ts";

export interface PageListContext {
  /** Pages of the graph. */
  readonly pages: number;
  /** The file of URLs, where there is one. */
  readonly urls: string | undefined;
}

/** Trust as pairs in the order of the file, and its sum. */
export interface Trust {
  readonly weights: readonly (readonly [page: number, weight: number])[];
  readonly total: number;
}

/** Weights of decimal fractions that are meant to sum to 1 do so only nearly. */
const EXCESS_MAX = 1e-9;
const QUOTED_LENGTH_MAX = 60;

/**
 * Lines without a weight weigh 1. Weights must sum to at most 1; a file without any weight is normalised to 1 anyway.
 * Naming a page twice is a mistake.
 */
export async function readTrust(
  path: string,
  context: PageListContext & { readonly normalise: boolean },
): Promise<Trust> {
  const entries = await readEntries(path, context);
  const lineOfPage = new Map<number, number>();
  let total = 0;
  let anyWeight = false;
  const weights = entries.map(({ page, rest, line }): [number, number] => {
    const before = lineOfPage.get(page);
    if (before !== undefined) throw wrong(path, line, `page ${page} is trusted in line ${before} already`);
    lineOfPage.set(page, line);
    const weight = rest === "" ? 1 : decimal(rest);
    if (!(weight >= 0 && weight < Infinity)) {
      throw wrong(path, line, `the weight is ${quoted(rest)}, expected a finite number not below 0`);
    }
    anyWeight ||= rest !== "";
    total += weight;
    return [page, weight];
  });
  if (total === 0) throw new UsageError(`${path}: no page is trusted, expected at least one weight above 0`);
  if (total === Infinity) throw new UsageError(`${path}: the weights are too large to be added`);
  const normalise = context.normalise || !anyWeight;
  if (!normalise && total > 1 + EXCESS_MAX) {
    throw new UsageError(
      `${path}: trust sums to ${total}, expected at most 1; --normalise-trust makes it sum to 1`,
    );
  }
  return normalise || total > 1
    ? { weights: weights.map(([page, weight]) => [page, weight / total]), total: 1 }
    : { weights, total };
}

/** The same weight for every page, 1 in sum. */
export function equalTrust(pages: Iterable<number>): Trust {
  const list = [...pages];
  return { weights: list.map((page) => [page, 1 / list.length]), total: 1 };
}

/** The pages of a list, ascending and once each, whatever the order and the repetitions in the file. */
export async function readPages(path: string, context: PageListContext): Promise<Uint32Array> {
  const pages = new Set<number>();
  for (const { page } of await readEntries(path, context)) pages.add(page);
  return Uint32Array.from(pages).sort();
}

interface Entry {
  readonly page: number;
  /** What follows the page. */
  readonly rest: string;
  readonly line: number;
}

async function readEntries(path: string, { pages, urls }: PageListContext): Promise<Entry[]> {
  const named: { name: string; rest: string; line: number }[] = [];
  let line = 0;
  for await (const lines of readLines(path)) {
    for (const text of lines) {
      line++;
      const [, name, rest] = /^(\S+)\s*(.*)$/s.exec(text.replace(/(^|\s)#.*/s, "").trim()) ?? [];
      if (name !== undefined && rest !== undefined) named.push({ name, rest, line });
    }
  }
  if (named.length === 0) throw new UsageError(`${path}: names no page, expected one id or URL a line`);
  const wanted = new Set(named.map(({ name }) => name).filter((name) => !isNumber(name)));
  const pageOfUrl =
    wanted.size > 0 && urls !== undefined ? await pagesOfUrls(urls, wanted) : new Map<string, number>();
  return named.map(({ name, rest, line }) => {
    const page = isNumber(name) ? Number(name) : pageOfUrl.get(name);
    if (page === undefined) throw wrong(path, line, unknownPage(name, urls));
    if (page < pages && Number.isInteger(page)) return { page, rest, line };
    throw wrong(path, line, `page ${name} is out of range, the graph has the pages 0 to ${pages - 1}`);
  });
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

function quoted(text: string): string {
  const short = text.length > QUOTED_LENGTH_MAX ? `${text.slice(0, QUOTED_LENGTH_MAX)}...` : text;
  return `"${short.replace(/\p{C}/gu, "?")}"`;
}
