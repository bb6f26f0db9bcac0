/**
 * The full-text index of a crawl as it was known at an earlier moment, made of the index of now: of a copy of it, pages
 * that were fetched later are taken out, and put in as they were then. So it costs what has changed since, and scores
 * are those of an index that is made anew.
 *
 * Let the index of now have the first V visits, and the moment be after visit n. Of its pages, those of visits n+1 to V
 * are to go. The pages of the visits up to n (and V) that were replaced after n are to come. What comes after V, where
 * V < n, is left to the next update.
 */
import { existsSync } from "node:fs";
import { isDownloaded } from "../coverage/index.ts";
import { type Database, openDatabase, SqliteFailure, type SqliteStore } from "../store/index.ts";
import { DELETE_PAGE, rowOfPage } from "./page-words.ts";
import { crawlOf, fits, putState, readState, type State } from "./search-state.ts";
import { TextReader } from "./text-reader.ts";

export interface TwoMoments {
  readonly now: SqliteStore;
  readonly earlier: SqliteStore;
}

/** Copies the index of now, if an index of then is sooner made of it than anew. */
export function copyIndex(from: string, to: string, stores: TwoMoments, archive: string): void {
  if (!existsSync(from)) return;
  try {
    const index = openDatabase(from, { access: "read", fullText: true });
    try {
      const state = readState(index);
      if (state === undefined || !isUseful(state, stores, archive)) return;
      index.prepare("VACUUM INTO ?").run(to);
    } finally {
      index.close();
    }
  } catch (error) {
    // Damaged, busy or no index at all: the one of then is made without it.
    if (!(error instanceof SqliteFailure)) throw error;
  }
}

/** Each later visit takes one page out and puts one in, at most; anew, each visit or URL puts one in, at most. */
function isUseful(state: State, { now, earlier }: TwoMoments, archive: string): boolean {
  const isWhole = fits(now, state) && state.archive === archive && state.retried === null;
  const later = Math.max(0, state.visits - lastVisit(earlier));
  return isWhole && 2 * later < Math.min(lastVisit(earlier), earlier.urlCount);
}

export interface Rewinding extends TwoMoments {
  readonly dir: string;
  /** A copy of the index of now. */
  readonly index: Database;
  /** Puts a page in as it was then. */
  readonly add: (url: number) => void;
}

/**
 * Makes the copy an index of then; yields how many pages were changed. If it cannot, because texts are not with the
 * log, the state of the copy stays that of now, so it does not fit and is made anew.
 */
export function* rewind({ dir, index, now, earlier, add }: Rewinding): Generator<number> {
  const state = readState(index);
  if (state === undefined || !fits(now, state) || fits(earlier, state)) return;
  const last = Math.min(lastVisit(earlier), state.visits);
  let changed = 0;
  const remove = remover(index, now, new TextReader(dir, now));
  for (const { number, url, outcome } of now.visits(last + 1)) {
    if (number > state.visits) break;
    if (!isDownloaded(outcome)) continue;
    if (!remove(url)) return;
    yield ++changed;
  }
  for (const { number, url, by, outcome } of now.replacedVisits()) {
    if (number > last || by <= lastVisit(earlier) || !isDownloaded(outcome)) continue;
    add(url);
    yield ++changed;
  }
  const lastMs = state.visits > last ? earlier.untilMs : state.lastMs;
  putState(index, { ...state, crawl: crawlOf(earlier), visits: last, lastMs });
}

/** FTS5 must be given the very words that were put in. The text of an archive may be another by now. */
function remover(index: Database, now: SqliteStore, reader: TextReader): (id: number) => boolean {
  const deleteTextless = index.prepare("DELETE FROM textless WHERE url = ? RETURNING url");
  const deletePage = index.prepare(DELETE_PAGE);
  return (id) => {
    if (deleteTextless.get(id) !== undefined) return true;
    if (now.textsOf(id) === undefined) return false;
    const { url, title } = now.page(id)!;
    const text = reader.read(id, url, "text");
    if (text === undefined) return false;
    deletePage.run(...rowOfPage({ id, url, title, text }));
    return true;
  };
}

function lastVisit(store: SqliteStore): number {
  return store.nextVisit - 1;
}
