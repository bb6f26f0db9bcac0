/**
 * The full-text index of a crawl as it was known at an earlier moment, made of the index of now: of a copy of it, pages
 * that were fetched later are taken out, and put in as they were then. So it costs what has changed since, and scores
 * are those of an index that is made anew.
 *
 * Let the index have what was known after visit V, and the moment be after visit n < V. Of its pages, those of visits
 * n+1 to V are to go. The pages of the visits up to n that were replaced by one of these are to come. If V < n, what is
 * between is left to the next update.
 */
import { existsSync } from "node:fs";
import { type Database, openDatabase, SqliteFailure, type SqliteStore } from "../store/index.ts";
import { IndexedPages } from "./indexed-pages.ts";
import { crawlOf, isNear, isOfMoment, putState, readState, type State } from "./search-state.ts";

/**
 * FTS5 merges parts of an index as it grows, which takes a quarter of the time and pays for an index that goes on
 * growing. This one is only searched from then on; it is a tenth larger.
 */
const UNMERGED = "INSERT INTO pages (pages, rank) VALUES ('automerge', 0)";

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

function isUseful(state: State, { now, earlier }: TwoMoments, archive: string): boolean {
  const isWhole = isOfMoment(now, state) && state.archive === archive && state.retried === null;
  return isWhole && isNear(earlier, Math.abs(state.visits - lastVisit(earlier)));
}

export interface Rewinding extends TwoMoments {
  /** A copy of the index of now. */
  readonly index: Database;
  /** Puts a page in as it was then. */
  readonly add: (url: number) => void;
}

/**
 * Makes the copy an index of then; yields how many pages were changed. If it cannot, because texts are not with the
 * log, the state of the copy stays that of now, so it does not fit and is made anew.
 */
export function* rewind({ index, now, earlier, add }: Rewinding): Generator<number> {
  const state = readState(index);
  const [last, pages] = [lastVisit(earlier), new IndexedPages(index)];
  if (state === undefined || state.visits <= last || !isOfMoment(now, state)) return;
  index.exec(UNMERGED);
  let changed = 0;
  for (const { number, url, by, found } of now.changes(last + 1)) {
    if (number > state.visits) break;
    if (found === undefined || by <= state.visits) continue;
    if (pages.remove(now, { url, ...found }) === undefined) return;
    yield ++changed;
  }
  for (const { number, url, replaced } of now.changes(last + 1)) {
    if (number > state.visits) break;
    if (replaced === undefined || replaced.visit > last) continue;
    add(url);
    yield ++changed;
  }
  putState(index, { ...state, crawl: crawlOf(earlier), visits: last, lastMs: earlier.untilMs });
}

function lastVisit(store: SqliteStore): number {
  return store.nextVisit - 1;
}
