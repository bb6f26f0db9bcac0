/**
 * The full-text index of a crawl: `search.sqlite` in its directory, or that of an earlier moment (earlier-index.ts,
 * earlier-file.ts). It is derived from the log, and may be deleted at any time.
 *
 * Invariant: it has exactly the pages of the first `visits` visits, except for those in `textless`. A step of an update
 * adds the next visits and raises the number in one transaction, so a crash leaves the index before or after a step,
 * and processes that update it at once take turns. The crawl is opened inside of the transaction: what another process
 * has indexed before is then part of what is read, and an index that knows more visits than the crawl is of another.
 *
 * The words are stored, the text is not: FTS5 calls such a table contentless. A later visit may replace one that was
 * indexed. Then the crawl is of another generation, and the index goes forward visit by visit (later-index.ts). It is
 * made anew if that is sooner done, or if the log no longer has the texts that it is made of: then only visits are
 * added that nothing has replaced.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { FailureError, type ProgressStep } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import { type Database, openCrawlReadOnly, type ReadOptions, type SqliteStore, WarcReader } from "../store/index.ts";
import { folderForEarlier, keepEarlier, keptPath, openKept, openToRead, temporaryFolder } from "./earlier-file.ts";
import { copyIndex, rewind } from "./earlier-index.ts";
import { IndexedPages } from "./indexed-pages.ts";
import { forward } from "./later-index.ts";
import { FILE, isBusy, isDamage, isUnwritable, openedOrNew, removeIndex, TABLES } from "./search-file.ts";
import { crawlOf, fits, isNear, isOfMoment, putState, readState, type State } from "./search-state.ts";
import { TextReader } from "./text-reader.ts";

/** A step takes about so many visits or characters, whichever comes first: about half a second. */
const VISITS_PER_STEP = 256;
const CHARACTERS_PER_STEP = 2 ** 21;
/** How long a step waits for another process, and how many steps may wait in a row without any progress. */
const TURN_MS = 500;
const TURNS_MAX = 120;

/** What a match in the title, in the URL and in the text counts: titles are few words that say what a page is about. */
const SELECT_MATCHES = "SELECT rowid, -bm25(pages, 8, 4, 1) FROM pages WHERE pages MATCH ?";

/** A page that has the words, and how well they fit; greater is better. */
export interface Match {
  readonly id: number;
  readonly score: number;
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
  #pages: IndexedPages;
  /** The last visit that counts, if the index is of an earlier moment. */
  readonly #visit: number | undefined;
  /** Where the index is until it is kept, or because the directory of the crawl may not be written. */
  #folder: string | undefined;
  /** Kept between steps: it may have read the index of an archive. */
  #texts: { readonly archive: string; readonly reader: TextReader } | undefined;
  #store: SqliteStore | undefined;

  /** Opens the index of the crawl in `dir`, or makes an empty one. */
  constructor(dir: string, { atMs }: ReadOptions = {}) {
    this.#dir = dir;
    this.#archive = new WarcReader(dir);
    this.#visit = atMs === undefined ? undefined : visitAt(dir, atMs);
    this.#database = this.#visit === undefined ? this.#openNow() : this.#openEarlier(this.#visit);
    this.#pages = new IndexedPages(this.#database);
  }

  /** False for the index of an earlier moment. */
  get isNow(): boolean {
    return this.#visit === undefined;
  }

  /** Whether it is lost when it is closed, because the directory may not be written or has no room. */
  get isTemporary(): boolean {
    return this.#folder !== undefined;
  }

  /** Adds the pages that the crawl has by now. Whoever stops in between has an index of the pages so far. */
  *update(): Generator<ProgressStep> {
    // One that was kept is complete.
    if (this.#visit !== undefined && this.#folder !== undefined) yield* this.#rewind(this.#visit);
    const { done: before, total } = this.#reading((store) => this.#reached(store));
    let turns = 0;
    for (let last = before; last < total; ) {
      const { done } = this.#whole(() => this.#step());
      if (done >= total) break;
      turns = done > last ? 0 : turns + 1;
      if (turns > TURNS_MAX) throw new FailureError(`another process keeps ${this.#path}: end it`);
      last = done;
      yield { task: "indexing", done, total, unit: "visits" };
    }
    if (this.#visit !== undefined && this.#folder !== undefined) this.#keep(this.#visit, this.#folder);
  }

  /** The pages that fit an expression (`searchExpression`), in no order. */
  matches(expression: string): Match[] {
    const rows = this.#whole(() => this.#database.prepare(SELECT_MATCHES).all(expression));
    return rows.map(([id, score]) => ({ id: id as number, score: score as number }));
  }

  close(): void {
    this.#database.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A damaged index is of no use to anybody, and easily made again. */
  #whole<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (!isDamage(error)) throw error;
      const path = this.#path;
      removeIndex(path);
      throw new FailureError(`${path} was damaged and is deleted; search again, and it is made again`, {
        cause: error,
      });
    }
  }

  get #path(): string {
    if (this.#folder === undefined && this.#visit !== undefined) return keptPath(this.#dir, this.#visit);
    return join(this.#folder ?? this.#dir, FILE);
  }

  #step(): Reached {
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${TURN_MS}; BEGIN IMMEDIATE`);
      const reached = this.#reading((store) => this.#advance(store));
      this.#database.exec("COMMIT");
      return reached;
    } catch (error) {
      rollBack(this.#database);
      // SQLite begins to write to a file that may only be read, as one that is kept, and fails later.
      const isToMove = isUnwritable(error) && this.#folder === undefined;
      if (!isToMove && !isBusy(error)) throw error;
      if (isToMove) {
        this.#database.close();
        const visit = this.#visit;
        this.#use(this.#openIn(visit === undefined ? temporaryFolder() : folderForEarlier(this.#dir, visit)));
      }
      return this.#reading((store) => this.#reached(store));
    }
  }

  /** What it has of the index of now becomes what was known then. Nobody else has the file. */
  *#rewind(visit: number): Generator<ProgressStep> {
    const now = openCrawlReadOnly(this.#dir);
    const earlier = now.asOf(visit);
    this.#store = earlier;
    try {
      const add = (url: number): void => void this.#add(earlier, url);
      this.#database.exec("BEGIN");
      for (const done of rewind({ index: this.#database, now, earlier, add })) {
        if (done % VISITS_PER_STEP === 0) yield { task: "indexing", done, unit: "changed pages" };
      }
      this.#database.exec("COMMIT");
    } finally {
      rollBack(this.#database);
      this.#store = undefined;
      now.close();
    }
  }

  /** The next search of this moment finds the index complete, if it can be kept. */
  #keep(visit: number, folder: string): void {
    this.#database.close();
    const path = keepEarlier(this.#dir, visit, folder);
    if (path !== keptPath(this.#dir, visit)) return this.#use(openedOrNew(path));
    this.#folder = undefined;
    try {
      this.#use(openToRead(path));
    } catch (error) {
      throw new FailureError(`${path} is gone again: search again`, { cause: error });
    }
  }

  #reading<T>(read: (store: SqliteStore, now: SqliteStore) => T): T {
    return reading(this.#dir, {}, (now) => {
      this.#store = this.#visit === undefined ? now : now.asOf(this.#visit);
      try {
        return read(this.#store, now);
      } finally {
        this.#store = undefined;
      }
    });
  }

  #advance(store: SqliteStore): Reached {
    let state = this.#usable(store) ?? this.#empty(store);
    const archive = this.#archive.stamp;
    if (archive !== state.archive) state = { ...state, archive, retried: -1 };
    // Pages are looked for again when their visits are those of now: what was indexed may have been replaced.
    if (state.visits < store.nextVisit - 1) state = this.#follow(store, state);
    else if (state.retried !== null) state = this.#retry(store, state, state.retried);
    putState(this.#database, state);
    return this.#reached(store);
  }

  /** The state of an index to go on with; undefined if it is to be made anew. */
  #usable(store: SqliteStore): State | undefined {
    const state = readState(this.#database);
    if (state === undefined || fits(store, state)) return state;
    return isOfMoment(store, state) && isNear(store, store.nextVisit - 1 - state.visits) ? state : undefined;
  }

  #follow(store: SqliteStore, state: State): State {
    if (state.crawl === crawlOf(store)) return this.#addVisits(store, state);
    const add = (url: number): number => this.#add(store, url);
    const reached = forward({ index: this.#database, store, state, add, isEnough });
    return reached ?? this.#addVisits(store, this.#empty(store));
  }

  #addVisits(store: SqliteStore, state: State): State {
    let { visits, lastMs } = state;
    let characters = 0;
    for (const { number, atMs, outcome, url } of store.visits(visits + 1)) {
      [visits, lastMs] = [number, atMs];
      if (isDownloaded(outcome)) characters += this.#add(store, url);
      if (isEnough(visits - state.visits, characters)) break;
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
    return this.#pages.add({ id, url, title, text: this.#reader().read(id, url, "text") });
  }

  #reader(): TextReader {
    const archive = this.#archive.stamp;
    if (this.#texts?.archive !== archive) {
      const { isNow = true, untilMs } = this.#store ?? {};
      const textsOf = (url: number) => this.#store?.textsOf(url);
      const store = { textsOf, isNow, ...(untilMs === undefined ? {} : { untilMs }) };
      this.#texts = { archive, reader: new TextReader(this.#dir, store) };
    }
    return this.#texts.reader;
  }

  #reached(store: SqliteStore): Reached {
    const total = store.nextVisit - 1;
    const state = this.#usable(store);
    if (state?.archive !== this.#archive.stamp) return { done: 0, total };
    if (state.retried === null) return { done: state.visits, total };
    const [left] = this.#database.prepare("SELECT count(*) FROM textless WHERE url > ?").get(state.retried) ?? [];
    // One step more says that no page is left.
    return { done: state.visits - Number(left) - 1, total };
  }

  #empty(store: SqliteStore): State {
    this.#database.exec(TABLES);
    return { crawl: crawlOf(store), visits: 0, lastMs: 0, archive: this.#archive.stamp, retried: null };
  }

  #openNow(): Database {
    try {
      return openedOrNew(join(this.#dir, FILE));
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      // Also where an index is there that may be read: it is not up to date.
      return this.#openIn(temporaryFolder());
    }
  }

  #openEarlier(visit: number): Database {
    const from = join(this.#dir, FILE);
    return this.#reading(
      (earlier, now) =>
        openKept(this.#dir, earlier, this.#archive.stamp) ??
        this.#openIn(folderForEarlier(this.#dir, visit), (path) =>
          copyIndex(from, path, { now, earlier }, this.#archive.stamp),
        ),
    );
  }

  #openIn(folder: string, prepare: (path: string) => void = () => {}): Database {
    this.#folder = folder;
    const path = join(folder, FILE);
    try {
      prepare(path);
      const database = openedOrNew(path);
      // It need not survive anything.
      database.exec("PRAGMA synchronous = OFF");
      return database;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  #use(database: Database): void {
    this.#database = database;
    this.#pages = new IndexedPages(database);
  }
}

/** Whether a step has done its part. */
function isEnough(visits: number, characters: number): boolean {
  return visits >= VISITS_PER_STEP || characters >= CHARACTERS_PER_STEP;
}

/** The last visit at this time; undefined if that is now. */
function visitAt(dir: string, atMs: number): number | undefined {
  return reading(dir, { atMs }, (store) => (store.isNow ? undefined : store.nextVisit - 1));
}

function reading<T>(dir: string, moment: ReadOptions, read: (store: SqliteStore) => T): T {
  const store = openCrawlReadOnly(dir, moment);
  try {
    return read(store);
  } finally {
    store.close();
  }
}

function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // Nothing was begun, or SQLite has rolled back by itself.
  }
}
