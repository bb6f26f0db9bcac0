/** Searches the crawl in a directory: brings its index up to date, then finds pages by words and importance. */
import type { ProgressStep } from "../base/index.ts";
import { type Found, searchCrawl, SearchIndex, type SearchOptions, TextReader } from "../content/index.ts";
import { reading, type ReadOptions, type SqliteStore } from "../store/index.ts";
import { searchImportance } from "./search-importance.ts";
import type { Survey } from "./survey.ts";

export interface DirectorySearch extends Omit<SearchOptions, "importance">, ReadOptions {
  /** As of the same moment. */
  readonly survey: Survey;
  /** Called between the steps of the index; awaited. */
  readonly onStep: (step: ProgressStep) => void | Promise<void>;
}

export interface FoundInDirectory extends Found {
  /** The directory may not be written or has no room, so the index was made for this search alone. */
  readonly isIndexTemporary: boolean;
}

export async function searchDirectory(
  dir: string,
  { survey, onStep, atMs, ...search }: DirectorySearch,
): Promise<FoundInDirectory> {
  const index = new SearchIndex(dir, { atMs });
  try {
    for (const step of index.update()) await onStep(step);
    const find = (store: SqliteStore): Found =>
      searchCrawl(
        { index, store, texts: new TextReader(dir, store) },
        { ...search, importance: searchImportance(survey) },
      );
    const found = await reading(dir, find, { atMs });
    return { ...found, isIndexTemporary: index.isTemporary };
  } finally {
    index.close();
  }
}
