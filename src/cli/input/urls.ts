/**
 * The URLs of pages, in order of the pages. They are read as often as needed rather than kept: the URLs of ten million
 * pages would take a gigabyte.
 */
import { FailureError } from "../../base/index.ts";

export interface UrlReader {
  /** For messages: a file, or the directory of a crawl. */
  readonly name: string;
  /** The URL of page 0, 1, 2, ..., some at a time. */
  lines(): AsyncIterable<string[]> | Iterable<string[]>;
}

/** The pages of some URLs. Unknown URLs are left out; if several pages have the same URL, the first counts. */
export async function pagesOfUrls(
  source: UrlReader,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  let page = 0;
  for await (const lines of source.lines()) {
    for (const line of lines) {
      const url = line.trim();
      if (wanted.has(url) && !found.has(url)) found.set(url, page);
      page++;
    }
    if (found.size === wanted.size) break;
  }
  return found;
}

/** The URLs of some pages; none where no URLs are known. */
export async function urlsOfPages(
  source: UrlReader | undefined,
  pages: Iterable<number>,
): Promise<ReadonlyMap<number, string>> {
  const wanted = new Set(pages);
  const found = new Map<number, string>();
  if (source === undefined) return found;
  let page = 0;
  for await (const lines of source.lines()) {
    for (const line of lines) {
      if (wanted.has(page)) found.set(page, line.trim());
      page++;
    }
    if (found.size === wanted.size) return found;
  }
  throw becameShorter(source);
}

export function becameShorter({ name }: UrlReader): FailureError {
  return new FailureError(`${name} became shorter while it was read; run the command again`);
}

export interface TopPage {
  readonly id: number;
  readonly url: string | undefined;
  readonly value: number;
}

/** The pages of greatest value, best first, with their URLs where these are known. */
export async function topPagesOf(
  values: Float64Array,
  { count, urls }: { readonly count: number; readonly urls: UrlReader | undefined },
): Promise<TopPage[]> {
  const { topPages } = await import("../../rank/index.ts");
  const best = topPages(values, count);
  const found = await urlsOfPages(urls, best);
  return Array.from(best, (id) => ({ id, url: found.get(id), value: values[id] }));
}
