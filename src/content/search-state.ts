/** How far a full-text index is, and of which crawl it is: its table `state`, which has one row. */
import { VERSION } from "../base/index.ts";
import type { Database, SqliteStore } from "../store/index.ts";

/** Raised whenever what is indexed changes: an index of another version is made again. */
const FORMAT = 3;

export interface State {
  readonly crawl: string;
  readonly visits: number;
  /** The time of the last of them. */
  readonly lastMs: number;
  /** The archive in which texts were looked for. */
  readonly archive: string;
  /** Textless pages up to this URL were looked for again since the archive changed; null if all were. */
  readonly retried: number | null;
}

export function readState(database: Database): State | undefined {
  const row = database.prepare("SELECT crawl, visits, last_ms, archive, retried FROM state").get();
  if (row === undefined) return undefined;
  const [crawl, visits, lastMs, archive, retried] = row as readonly [string, number, number, string, number | null];
  return { crawl, visits, lastMs, archive, retried };
}

export function putState(database: Database, { crawl, visits, lastMs, archive, retried }: State): void {
  database.exec("DELETE FROM state");
  database.prepare("INSERT INTO state VALUES (?, ?, ?, ?, ?)").run(crawl, visits, lastMs, archive, retried);
}

/** False for another crawl, and for an older copy of this one that took another course. */
export function fits(store: SqliteStore, { crawl, visits, lastMs }: State): boolean {
  if (crawl !== crawlOf(store) || visits >= store.nextVisit) return false;
  if (visits === 0) return true;
  const [last] = store.visits(visits);
  return last.atMs === lastMs;
}

/**
 * Whether an index has just what was known after its last visit, then or since: it can go to any other moment of the
 * crawl, visit by visit. One that is being made has no old texts, and is of no moment before it has the last change.
 */
export function isOfMoment(store: SqliteStore, state: State): boolean {
  const { visits } = state;
  return visits < store.nextVisit && store.hasView(visits) && fits(store.asOf(visits), state);
}

/** Whether an index gets to a moment sooner by so many visits, back or forth, than it is made anew. */
export function isNear(store: SqliteStore, visits: number): boolean {
  // Each visit takes one page out and puts one in, at most; anew, each visit or URL puts one in, at most.
  return 2 * visits < Math.min(store.nextVisit - 1, store.urlCount);
}

/**
 * The hash seed is random for each crawl and never changes. Pages that were read again have other texts. Another
 * version may find other words in a page.
 */
export function crawlOf(store: SqliteStore): string {
  const { web } = JSON.parse(store.settings()) as { readonly web?: { readonly hashSeed?: number } };
  return `${VERSION} ${FORMAT} ${web?.hashSeed} ${store.generation}`;
}
