/**
 * Searches a crawl: the pages that have the words, best first.
 *
 * The score of a page is its BM25 times (1 + L). L is its importance on a logarithmic scale, from 0 for a page without
 * any to 1 for the most important page of the crawl: L = log(1 + n·i) / log(1 + n·I), where i is the page's certain
 * share of all importance, I the greatest one, and n the number of fetched pages, so that n·i is 1 for an average page.
 *
 * Why so: BM25 has no scale of its own (its values depend on the words and on the crawl), so importance multiplies it
 * rather than being added; importance spans many powers of ten, so its logarithm is taken; and it at most doubles the
 * score, so that a page that only mentions the words does not pass one that is about them because everybody links to
 * it. Reciprocal rank fusion, which forgets how well the words fit, is worse (docs/benchmarks.md).
 */
import type { SqliteStore } from "../store/index.ts";
import { type ExcerptPart, excerptsOf } from "./excerpts.ts";
import type { SearchedPage } from "./page-words.ts";
import type { SearchIndex } from "./search-index.ts";
import { searchExpression } from "./search-query.ts";
import type { TextReader } from "./text-reader.ts";

/** What importance adds to a search: facts hold none, whoever searches knows it. */
export interface Importance {
  /** The certain share of all importance of a page. */
  readonly of: (id: number) => number;
  readonly greatest: number;
  /** How many pages the crawl has fetched. */
  readonly pages: number;
}

export interface SearchOptions {
  readonly query: string;
  readonly importance: Importance;
  /** Only pages for which it is true. */
  readonly isWanted: (id: number) => boolean;
  readonly from: number;
  readonly count: number;
}

export interface FoundPage {
  readonly id: number;
  readonly url: string;
  readonly title: string | null;
  /** Greater is better; only scores of one search can be compared. */
  readonly score: number;
  readonly excerpt: readonly ExcerptPart[];
}

export interface Found {
  /** How many pages have the words. */
  readonly total: number;
  /** The best ones, as many as were asked for. */
  readonly pages: readonly FoundPage[];
}

export interface SearchedCrawl {
  readonly index: SearchIndex;
  readonly store: SqliteStore;
  readonly texts: TextReader;
}

/** Searches what is indexed. A usage error if the query has no word to search for. */
export function searchCrawl({ index, store, texts }: SearchedCrawl, options: SearchOptions): Found {
  const { query, importance, isWanted, from, count } = options;
  const expression = searchExpression(query);
  const found = index.matches(expression).filter(({ id }) => isWanted(id));
  const scored = found.map(({ id, score }) => ({ id, score: score * (1 + weight(importance, id)) }));
  scored.sort((a, b) => b.score - a.score || a.id - b.id);
  const shown = scored.slice(from, from + count).flatMap(({ id, score }) => {
    // Older than the index, if another crawl takes the place of this one at this moment.
    const page = store.page(id);
    return page === undefined ? [] : [{ id, score, url: page.url, title: page.title }];
  });
  const read = shown.map(({ id, url, title }): SearchedPage => {
    return { id, url, title, text: texts.read(id, url, "text") ?? "" };
  });
  const excerpts = excerptsOf(read, expression);
  return { total: scored.length, pages: shown.map((page) => ({ ...page, excerpt: excerpts.get(page.id) ?? [] })) };
}

/** L: from 0 to 1. */
function weight({ of, greatest, pages }: Importance, id: number): number {
  return greatest > 0 ? Math.log1p(pages * of(id)) / Math.log1p(pages * greatest) : 0;
}
