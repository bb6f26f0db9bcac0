/**
 * The pages in the tables of a full-text index: put in, and taken out.
 *
 * FTS5 has only the words, and must be given the very words that were put in to take a page out. They are certain where
 * the text was stored with the log, for such a text never changes. That of an archive may be another by now.
 */
import type { Database, PageVersion, SqliteStore } from "../store/index.ts";
import { DELETE_PAGE, INSERT_PAGE, rowOfPage, type SearchedPage } from "./page-words.ts";
import { storedPlainText } from "./text-reader.ts";

/** A page as a visit found it. */
export interface FoundVersion extends PageVersion {
  readonly url: number;
}

export class IndexedPages {
  readonly #index: Database;
  /** Prepared when first used: the tables may not be there yet. */
  #insert: ReturnType<Database["prepare"]> | undefined;
  #delete: ReturnType<Database["prepare"]> | undefined;

  constructor(index: Database) {
    this.#index = index;
  }

  /** Returns the length of the text. */
  add(page: Omit<SearchedPage, "text"> & { readonly text: string | undefined }): number {
    const { id, text } = page;
    if (text === undefined) {
      this.#index.prepare("INSERT INTO textless VALUES (?)").run(id);
      return 0;
    }
    this.#insert ??= this.#index.prepare(INSERT_PAGE);
    this.#insert.run(...rowOfPage({ ...page, text }));
    return text.length;
  }

  /** Puts a page in by what the log has of its text. Returns the length of that. */
  addStored(store: SqliteStore, version: FoundVersion): number {
    return this.add(storedPage(store, version));
  }

  /** Takes a page out. Returns the length of its text, or undefined if the words that were put in are not certain. */
  remove(store: SqliteStore, version: FoundVersion): number | undefined {
    const textless = this.#index.prepare("DELETE FROM textless WHERE url = ? RETURNING url");
    if (textless.get(version.url) !== undefined) return 0;
    const { text, ...page } = storedPage(store, version);
    if (text === undefined) return undefined;
    this.#delete ??= this.#index.prepare(DELETE_PAGE);
    this.#delete.run(...rowOfPage({ ...page, text }));
    return text.length;
  }
}

function storedPage(store: SqliteStore, { visit, url: id, title }: FoundVersion) {
  const { url } = store.page(id)!;
  const stored = store.textsOfVisit(visit);
  return { id, url, title, text: stored && storedPlainText(stored, url) };
}
