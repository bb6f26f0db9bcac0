/**
 * The URLs of pages, in order of the pages. They are read as often as needed rather than kept: the URLs of ten million
 * pages would take a gigabyte.
 */
import { FailureError } from "../../base/index.ts";
import { readLines } from "./lines.ts";

/** A file with the URL of page i in line i, by its path; or a reader, such as one of a crawl. */
export type UrlSource = string | UrlReader;

export interface UrlReader {
  /** For messages. */
  readonly name: string;
  /** Some at a time. */
  lines(): AsyncIterable<string[]> | Iterable<string[]>;
}

export function urlLines(source: UrlSource): ReturnType<UrlReader["lines"]> {
  return typeof source === "string" ? readLines(source) : source.lines();
}

export function nameOfUrls(source: UrlSource): string {
  return typeof source === "string" ? source : source.name;
}

const URLS_AT_ONCE = 4096;

/** Some at a time. */
export function* inChunks(urls: Iterable<string>): Generator<string[]> {
  let some: string[] = [];
  for (const url of urls) {
    some.push(url);
    if (some.length < URLS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  yield some;
}

/** The pages of some URLs. Unknown URLs are left out; of a URL that stands twice, the first page counts. */
export async function pagesOfUrls(
  source: UrlSource,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  let page = 0;
  for await (const lines of urlLines(source)) {
    for (const line of lines) {
      const url = line.trim();
      if (wanted.has(url) && !found.has(url)) found.set(url, page);
      page++;
    }
    if (found.size === wanted.size) break;
  }
  return found;
}

/** The URLs of some pages. */
export async function urlsOfPages(
  source: UrlSource,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  let page = 0;
  for await (const lines of urlLines(source)) {
    for (const line of lines) {
      if (wanted.has(page)) found.set(page, line.trim());
      page++;
    }
    if (found.size === wanted.size) return found;
  }
  throw becameShorter(source);
}

export function becameShorter(source: UrlSource): FailureError {
  return new FailureError(`${nameOfUrls(source)} became shorter while it was read; run the command again`);
}
