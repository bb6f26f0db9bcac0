/**
 * The full-text index of a crawl: `search.sqlite` in its directory. It is derived from the log, and may be deleted at
 * any time.
 *
 * Invariant: it has exactly the pages of the first `visits` visits, except for those in `textless`. A step of an update
 * adds the next visits and raises the number in one transaction, so a crash leaves the index before or after a step,
 * and processes that update it at once take turns. The crawl is opened inside of the transaction: what another process
 * has indexed before is then part of what is read, and an index that knows more visits than the crawl is of another.
 *
 * The words are stored, the text is not: FTS5 calls such a table contentless. Pages are only added, never changed,
 * since a URL has one final outcome.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FailureError, type ProgressStep, UsageError } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import {
  closedOnError,
  type Database,
  openCrawlReadOnly,
  openDatabase,
  SqliteFailure,
  type SqliteStore,
  WarcReader,
} from "../store/index.ts";
import { createPages, INSERT_PAGE, rowOfPage } from "./page-words.ts";
import { TextReader } from "./text-reader.ts";

const FILE = "search.sqlite";
/** "Tsea": what tells an index from any other SQLite file. */
const APPLICATION_ID = 0x54736561;
/** Raised whenever what is indexed changes: an index of another version is made again. */
const FORMAT = 2;

/** A step takes about so many visits or characters, whichever comes first: about half a second. */
const VISITS_PER_STEP = 256;
const CHARACTERS_PER_STEP = 2 ** 21;
/** How long a step waits for another process, and how many steps may wait in a row without any progress. */
const TURN_MS = 500;
const TURNS_MAX = 120;

const TABLES = `
DROP TABLE IF EXISTS pages; DROP TABLE IF EXISTS textless; DROP TABLE IF EXISTS state;
${createPages({ hasText: false })}
CREATE TABLE textless (url INTEGER PRIMARY KEY);
CREATE TABLE state (crawl TEXT NOT NULL, visits INTEGER NOT NULL, last_ms INTEGER NOT NULL, archive TEXT NOT NULL,
  retried INTEGER);
PRAGMA application_id = ${APPLICATION_ID};
`;

/** What a match in the title, in the URL and in the text counts: titles are few words that say what a page is about. */
const SELECT_MATCHES = "SELECT rowid, -bm25(pages, 8, 4, 1) FROM pages WHERE pages MATCH ?";

/** A page that has the words, and how well they fit; greater is better. */
export interface Match {
  readonly id: number;
  readonly score: number;
}

interface State {
  readonly crawl: string;
  readonly visits: number;
  /** The time of the last of them. */
  readonly lastMs: number;
  /** The archive in which texts were looked for. */
  readonly archive: string;
  /** Textless pages up to this URL were looked for again since the archive changed; null if all were. */
  readonly retried: number | null;
}

/** How far an index is, counted in visits. */
interface Reached {
  readonly done: number;
  readonly total: number;
}

export class SearchIndex {
  readonly #dir: string;
  readonly #archive: WarcReader;
  #database: Database;
  /** Where the index is if the directory of the crawl may not be written. */
  #temporary: string | undefined;
  /** Kept between steps: it may have read the index of an archive. */
  #texts: { readonly archive: string; readonly reader: TextReader } | undefined;
  #store: SqliteStore | undefined;

  /** Opens the index of the crawl in `dir`, or makes an empty one. */
  constructor(dir: string) {
    this.#dir = dir;
    this.#archive = new WarcReader(dir);
    try {
      this.#database = openedOrNew(join(dir, FILE));
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      this.#database = this.#openTemporary();
    }
  }

  /** Whether it is lost when it is closed. */
  get isTemporary(): boolean {
    return this.#temporary !== undefined;
  }

  /** Adds the pages that the crawl has by now. Whoever stops in between has an index of the pages so far. */
  *update(): Generator<ProgressStep> {
    const { done: before, total } = this.#reading((store) => this.#reached(store));
    let turns = 0;
    for (let last = before; last < total; ) {
      const { done } = this.#whole(() => this.#step());
      if (done >= total) return;
      turns = done > last ? 0 : turns + 1;
      if (turns > TURNS_MAX) throw new FailureError(`another process keeps ${join(this.#dir, FILE)}: end it`);
      last = done;
      yield { task: "indexing", done, total, unit: "visits" };
    }
  }

  /** The pages that fit an expression (`searchExpression`), in no order. */
  matches(expression: string): Match[] {
    const rows = this.#whole(() => this.#database.prepare(SELECT_MATCHES).all(expression));
    return rows.map(([id, score]) => ({ id: id as number, score: score as number }));
  }

  close(): void {
    this.#database.close();
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  }

  /** A damaged index is of no use to anybody, and easily made again. */
  #whole<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (!isDamage(error)) throw error;
      const path = join(this.#temporary ?? this.#dir, FILE);
      removeIndex(path);
      throw new FailureError(`${path} was damaged and is deleted; search again, and it is made again`, {
        cause: error,
      });
    }
  }

  #step(): Reached {
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${TURN_MS}; BEGIN IMMEDIATE`);
      const reached = this.#reading((store) => this.#advance(store));
      this.#database.exec("COMMIT");
      return reached;
    } catch (error) {
      rollBack(this.#database);
      // SQLite begins to write to a file that may only be read, and fails later.
      const isToMove = isUnwritable(error) && this.#temporary === undefined;
      if (!isToMove && !isBusy(error)) throw error;
      if (isToMove) {
        this.#database.close();
        this.#database = this.#openTemporary();
      }
      return this.#reading((store) => this.#reached(store));
    }
  }

  #reading<T>(read: (store: SqliteStore) => T): T {
    const store = openCrawlReadOnly(this.#dir);
    this.#store = store;
    try {
      return read(store);
    } finally {
      this.#store = undefined;
      store.close();
    }
  }

  #advance(store: SqliteStore): Reached {
    const stored = this.#state();
    let state = stored !== undefined && fits(store, stored) ? stored : this.#empty(store);
    const archive = this.#archive.stamp;
    if (archive !== state.archive) state = { ...state, archive, retried: -1 };
    state = state.retried === null ? this.#addVisits(store, state) : this.#retry(store, state, state.retried);
    this.#put(state);
    return this.#reached(store);
  }

  #addVisits(store: SqliteStore, state: State): State {
    let { visits, lastMs } = state;
    let characters = 0;
    for (const { number, atMs, outcome, url } of store.visits(visits + 1)) {
      [visits, lastMs] = [number, atMs];
      if (isDownloaded(outcome)) characters += this.#add(store, url);
      if (visits - state.visits >= VISITS_PER_STEP || characters >= CHARACTERS_PER_STEP) break;
    }
    return { ...state, visits, lastMs };
  }

  /** Pages whose text was not there may have it now: the archive of a crawl is readable when the crawl has ended. */
  #retry(store: SqliteStore, state: State, from: number): State {
    const select = `SELECT url FROM textless WHERE url > ? ORDER BY url LIMIT ${VISITS_PER_STEP}`;
    const urls = this.#database.prepare(select).all(from).flat() as number[];
    this.#database.prepare("DELETE FROM textless WHERE url > ? AND url <= ?").run(from, urls.at(-1) ?? from);
    for (const url of urls) this.#add(store, url);
    return { ...state, retried: urls.at(-1) ?? null };
  }

  /** Returns the length of the text. */
  #add(store: SqliteStore, id: number): number {
    const { url, title } = store.page(id)!;
    const text = this.#reader().read(id, url, "text");
    if (text === undefined) {
      this.#database.prepare("INSERT INTO textless VALUES (?)").run(id);
      return 0;
    }
    this.#database.prepare(INSERT_PAGE).run(...rowOfPage({ id, url, title, text }));
    return text.length;
  }

  #reader(): TextReader {
    const archive = this.#archive.stamp;
    if (this.#texts?.archive !== archive) {
      const store = { textsOf: (url: number) => this.#store?.textsOf(url) };
      this.#texts = { archive, reader: new TextReader(this.#dir, store) };
    }
    return this.#texts.reader;
  }

  #reached(store: SqliteStore): Reached {
    const total = store.nextVisit - 1;
    const state = this.#state();
    if (state === undefined || !fits(store, state) || state.archive !== this.#archive.stamp) return { done: 0, total };
    if (state.retried === null) return { done: state.visits, total };
    const [left] = this.#database.prepare("SELECT count(*) FROM textless WHERE url > ?").get(state.retried) ?? [];
    // One step more says that no page is left.
    return { done: state.visits - Number(left) - 1, total };
  }

  #state(): State | undefined {
    const row = this.#database.prepare("SELECT crawl, visits, last_ms, archive, retried FROM state").get();
    if (row === undefined) return undefined;
    const [crawl, visits, lastMs, archive, retried] = row as readonly [string, number, number, string, number | null];
    return { crawl, visits, lastMs, archive, retried };
  }

  #put({ crawl, visits, lastMs, archive, retried }: State): void {
    this.#database.exec("DELETE FROM state");
    this.#database.prepare("INSERT INTO state VALUES (?, ?, ?, ?, ?)").run(crawl, visits, lastMs, archive, retried);
  }

  #empty(store: SqliteStore): State {
    this.#database.exec(TABLES);
    return { crawl: crawlOf(store), visits: 0, lastMs: 0, archive: this.#archive.stamp, retried: null };
  }

  /** Also where an index is there that may be read: it is not up to date. */
  #openTemporary(): Database {
    this.#temporary = mkdtempSync(join(tmpdir(), "tidemark-search-"));
    return openedOrNew(join(this.#temporary, FILE));
  }
}

function openedOrNew(path: string): Database {
  try {
    return opened(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeIndex(path);
    return opened(path);
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof SqliteFailure && (error.code === "NOTADB" || error.code === "CORRUPT");
}

/** With its journal, which would be applied to a new one. */
function removeIndex(path: string): void {
  for (const file of [path, `${path}-journal`]) rmSync(file, { force: true });
}

function opened(path: string): Database {
  const database = openDatabase(path, { access: "write", fullText: true });
  return closedOnError(database, () => {
    if (tablesOf(database) === 0) {
      database.exec("BEGIN IMMEDIATE");
      // Another process may have made them meanwhile.
      database.exec(tablesOf(database) === 0 ? `${TABLES} COMMIT` : "COMMIT");
    }
    if (database.prepare("PRAGMA application_id").get()?.[0] !== APPLICATION_ID) {
      throw new UsageError(`${path} is not an index of ours, and its name is needed for one: move it away`);
    }
    return database;
  });
}

function tablesOf(database: Database): number {
  return Number(database.prepare("SELECT count(*) FROM sqlite_master").get()?.[0]);
}

function isUnwritable(error: unknown): boolean {
  return error instanceof SqliteFailure && ["PERM", "READONLY", "CANTOPEN"].includes(error.code);
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteFailure && error.isBusy;
}

function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // Nothing was begun, or SQLite has rolled back by itself.
  }
}

/** False for another crawl, and for an older copy of this one that took another course. */
function fits(store: SqliteStore, { crawl, visits, lastMs }: State): boolean {
  if (crawl !== crawlOf(store) || visits >= store.nextVisit) return false;
  if (visits === 0) return true;
  const [last] = store.visits(visits);
  return last.atMs === lastMs;
}

/** The hash seed is random for each crawl and never changes. Pages that were read again have other texts. */
function crawlOf(store: SqliteStore): string {
  const { web } = JSON.parse(store.settings()) as { readonly web?: { readonly hashSeed?: number } };
  return `${FORMAT} ${web?.hashSeed} ${store.generation}`;
}
