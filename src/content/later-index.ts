/**
 * A full-text index that has what was known after one visit, brought to a later one: each visit in between takes out
 * the page that it replaced, and puts in the one that it found. So it costs what has changed since, not what there is,
 * and scores are those of an index that is made anew. After each visit it is the index of that moment, so it may stop
 * anywhere.
 */
import type { Database, SqliteStore } from "../store/index.ts";
import { IndexedPages } from "./indexed-pages.ts";
import { crawlOf, type State } from "./search-state.ts";

export interface Forwarding {
  readonly index: Database;
  /** Of the moment to which it goes. */
  readonly store: SqliteStore;
  /** Of an index that `isOfMoment`. */
  readonly state: State;
  /** Puts a page in as that moment knows it; returns the length of its text. */
  readonly add: (url: number) => number;
  /** Called after each visit: whether it may stop there. */
  readonly isEnough: (visits: number, characters: number) => boolean;
}

/**
 * A page that is taken out leaves a mark until the parts of the index are merged that have both. By itself FTS5 merges
 * four parts of a size, which lets an index grow to four times its size. This merges two, a little at each step.
 */
const MERGE = `
  INSERT INTO pages (pages, rank) VALUES ('usermerge', 2);
  INSERT INTO pages (pages, rank) VALUES ('merge', 256)`;

/** Returns the state that was reached, or undefined if words are to be taken out that are not certain any more. */
export function forward({ index, store, state, add, isEnough }: Forwarding): State | undefined {
  const pages = new IndexedPages(index);
  let { visits, lastMs } = state;
  let characters = 0;
  for (const { number, url, atMs, by, found, replaced } of store.changes(visits + 1)) {
    const removed = replaced === undefined ? 0 : pages.remove(store, { url, ...replaced });
    if (removed === undefined) return undefined;
    characters += removed;
    // Of a page that was replaced once more, an archive has another text by now.
    const isLast = by >= store.nextVisit;
    if (found !== undefined) characters += isLast ? add(url) : pages.addStored(store, { url, ...found });
    [visits, lastMs] = [number, atMs];
    if (isEnough(visits - state.visits, characters)) break;
  }
  index.exec(MERGE);
  return { ...state, crawl: crawlOf(store.asOf(visits)), visits, lastMs };
}
