/**
 * Reads a crawl that may be running: small questions, each answered from what is committed at that moment. It holds no
 * snapshot between two questions, so it may stay open for days while a crawl runs. If the crawl was deleted and made
 * anew, it reads the new one. A window as of an earlier moment shows what was known then, whatever comes later.
 *
 * Every question is bounded: by the number of ids, or by a budget of time after which it says how far it came.
 */
import { assert, type Clock, systemClock } from "../base/index.ts";
import { decodeLinks, type Outcome, outcomes } from "../log/index.ts";
import { OUTCOME_CODES } from "./row-codes.ts";
import { closeDirectory, identityOf, type OpenDirectory, openDirectoryToLook } from "./crawl-directory.ts";
import { isLocked } from "./directory-lock.ts";
import { expectView, Moment, type ReadOptions, visitAt } from "./moment.ts";
import type { Database, Row, Statement } from "./sqlite.ts";
import {
  anchorsSql,
  finalSql,
  lineSql,
  LOG_SQL,
  lineOf,
  REREADS_SQL,
  type SqlOfFinal,
  textSql,
  VISIT_SQL,
  type WindowLine,
  type WindowReread,
  type WindowVisit,
  windowRereadOf,
  windowVisitOf,
} from "./window-rows.ts";

/** Rows of one question. */
const ROWS_MAX = 1000;
const REREADS_MAX = 100;
/** What is read between two looks at the clock. */
const ROWS_AT_ONCE = 4096;
const TEXTS_AT_ONCE = 512;
const BUDGET_MS = 90;

export interface LogQuestion {
  /** Only visits before this number. */
  readonly before: number;
  readonly count: number;
  /** Left out: all. */
  readonly outcomes?: readonly Outcome[];
  /** As in "a.example:8080", of http and https alike. */
  readonly host?: string;
}

export interface LogPiece {
  /** The newest first. */
  readonly visits: readonly WindowVisit[];
  /** Where to go on: all visits from this number on were looked at. 1 where there are no more. */
  readonly reached: number;
}

export interface TextPiece {
  /** Those that have the text, in the order in which they were given. */
  readonly found: readonly number[];
  /** How many of the given ids were looked at. */
  readonly looked: number;
}

export interface RereadPiece {
  /** The oldest first. */
  readonly rereads: readonly WindowReread[];
  /** False where there are, or may be, older ones. */
  readonly isWhole: boolean;
}

export function openWindow(dir: string, clock: Clock = systemClock, moment: ReadOptions = {}): CrawlWindow {
  return new CrawlWindow(dir, clock, moment);
}

export class CrawlWindow {
  readonly #dir: string;
  #directory: OpenDirectory;
  #identity: string | undefined;
  readonly #clock: Clock;
  readonly #statements = new Map<string, Statement>();
  readonly #atMs: number | undefined;
  #view: View | undefined;
  #closed = false;

  constructor(dir: string, clock: Clock, { atMs }: ReadOptions) {
    this.#dir = dir;
    this.#identity = identityOf(dir);
    this.#directory = openDirectoryToLook(dir);
    this.#clock = clock;
    this.#atMs = atMs;
  }

  settings(): string {
    const settings = this.meta("settings");
    assert(settings !== undefined, "a crawl has settings");
    return settings;
  }

  meta(key: string): string | undefined {
    return this.#prepared("SELECT value FROM meta WHERE key = ?").get(key)?.[0] as string | undefined;
  }

  /** False where an earlier moment is read. */
  get isNow(): boolean {
    return this.#viewed().moment.isNow;
  }

  /** The number of the last visit, 0 before the first. */
  lastVisit(): number {
    const { isNow, visit } = this.#viewed().moment;
    return isNow ? Number(this.#prepared("SELECT max(number) FROM visits").get()?.[0] ?? 0) : visit;
  }

  /** Whether the text of any page was stored. */
  get hasTexts(): boolean {
    if (!this.#hasTable("texts")) return false;
    return this.#prepared("SELECT 1 FROM texts LIMIT 1").get() !== undefined;
  }

  urlCount(): number {
    const { moment, urls } = this.#viewed();
    return moment.isNow ? Number(this.#prepared("SELECT max(id) + 1 FROM urls").get()?.[0] ?? 0) : urls;
  }

  /** In the order given; ids that no URL has are left out. */
  lines(ids: ArrayLike<number>): WindowLine[] {
    const { urls } = this.#viewed();
    const known = Array.from(ids).filter((id) => id < urls);
    return this.#rows(this.#sql(lineSql), known).map(lineOf);
  }

  /** The same for more ids than one question may have: several questions, for a list that is bounded elsewhere. */
  allLines(ids: Iterable<number>): WindowLine[] {
    const all = [...ids];
    const lines: WindowLine[] = [];
    for (let from = 0; from < all.length; from += ROWS_MAX) lines.push(...this.lines(all.slice(from, from + ROWS_MAX)));
    return lines;
  }

  /** In the order given; numbers that no visit has are left out. */
  visits(numbers: ArrayLike<number>): WindowVisit[] {
    return this.#rows(VISIT_SQL, numbers).map(windowVisitOf);
  }

  finalVisit(url: number): WindowVisit | undefined {
    const row = this.#prepared(this.#sql(finalSql)).get(url);
    return row === undefined ? undefined : windowVisitOf(row);
  }

  /** The last hundred rereads of a URL. The table has no index: it is searched from its end while time allows. */
  rereads(url: number): RereadPiece {
    if (!this.#hasTable("rereads")) return { rereads: [], isWhole: true };
    const last = Number(this.#prepared("SELECT max(number) FROM rereads").get()?.[0] ?? 0);
    const { untilMs } = this.#viewed();
    const statement = this.#prepared(REREADS_SQL);
    const rereads: WindowReread[] = [];
    let reached = last + 1;
    for (const { from, to } of this.#piecesBefore(reached)) {
      if (rereads.length === REREADS_MAX) break;
      rereads.push(...statement.all(url, from, to, untilMs, REREADS_MAX - rereads.length).map(windowRereadOf));
      reached = from;
    }
    return { rereads: rereads.toReversed(), isWhole: reached === 1 && rereads.length < REREADS_MAX };
  }

  /** Ids of the URLs that a page links to, as written; none for one that was not downloaded. */
  linksOf(url: number): Uint32Array {
    const number = this.finalVisit(url)?.number ?? 0;
    const targets = this.#prepared("SELECT targets FROM links WHERE visit = ?").get(number)?.[0];
    return targets instanceof Uint8Array ? decodeLinks(targets) : new Uint32Array(0);
  }

  trustOf(url: number): number | undefined {
    return this.#prepared("SELECT weight FROM trust WHERE url = ?").get(url)?.[0] as number | undefined;
  }

  /** Visits before a number. Looks through as many as its time allows, one piece at the least. */
  log({ before, count, outcomes: wanted = outcomes, host }: LogQuestion): LogPiece {
    assert(count <= ROWS_MAX, `at most ${ROWS_MAX} visits are read at once`);
    const codes = JSON.stringify(wanted.map((outcome) => OUTCOME_CODES[outcome]));
    const origins = host === undefined ? null : JSON.stringify(this.#originsOf(host));
    const statement = this.#prepared(LOG_SQL);
    const numbers: number[] = [];
    let reached = Math.max(1, Math.min(before, this.lastVisit() + 1));
    for (const { from, to } of this.#piecesBefore(reached)) {
      const room = count - numbers.length;
      if (room === 0) break;
      const rows = statement.all(from, to, codes, origins, origins, room);
      const found = rows.map(([number]) => number as number);
      numbers.push(...found);
      reached = found.length === room ? found[room - 1] : from;
    }
    return { visits: this.visits(numbers), reached };
  }

  /** Which of these URLs have a text in their name or title, in any case. Looks at as many as its time allows. */
  withText(text: string, ids: Uint32Array): TextPiece {
    const sought = text.toLowerCase();
    const statement = this.#prepared(this.#sql(textSql));
    const until = this.#clock.nowMs() + BUDGET_MS;
    const found: number[] = [];
    let looked = 0;
    while (looked < ids.length) {
      const piece = ids.subarray(looked, looked + TEXTS_AT_ONCE);
      for (const [id, url, title] of statement.all(JSON.stringify(Array.from(piece)))) {
        if (has(url, sought) || has(title, sought)) found.push(id as number);
      }
      looked += piece.length;
      if (this.#clock.nowMs() >= until) break;
    }
    return { found, looked };
  }

  /** The texts of the links of a page, one per line; undefined where none were stored. */
  anchorsOf(url: number): string | undefined {
    if (!this.#hasTable("anchors")) return undefined;
    return this.#prepared(this.#sql(anchorsSql)).get(url)?.[0] as string | undefined;
  }

  isHeld(): boolean {
    return isLocked(this.#dir);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeDirectory(this.#directory);
  }

  /** Ranges of numbers from 1 on, the newest first, until the time is over; one at the least. */
  *#piecesBefore(end: number): Iterable<{ readonly from: number; readonly to: number }> {
    const until = this.#clock.nowMs() + BUDGET_MS;
    let to = end;
    do {
      const from = Math.max(1, to - ROWS_AT_ONCE);
      if (from < to) yield { from, to };
      to = from;
    } while (to > 1 && this.#clock.nowMs() < until);
  }

  /** A crawl of an older version lacks some until somebody opens it to write. */
  #hasTable(name: string): boolean {
    return this.#prepared("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;
  }

  #rows(sql: string, keys: ArrayLike<number>): Row[] {
    assert(keys.length <= ROWS_MAX, `at most ${ROWS_MAX} rows are read at once`);
    const statement = this.#prepared(sql);
    return Array.from(keys, (key) => statement.get(key)).filter((row) => row !== undefined);
  }

  #originsOf(host: string): number[] {
    const sql = "SELECT id FROM origins WHERE origin IN (?, ?)";
    return this.#prepared(sql)
      .all(`http://${host}`, `https://${host}`)
      .map(([id]) => id as number);
  }

  /** A file that is open keeps its identity, so another file has another. */
  #followPath(): void {
    const identity = identityOf(this.#dir);
    if (identity === undefined || identity === this.#identity) return;
    const before = this.#directory;
    this.#directory = openDirectoryToLook(this.#dir);
    this.#identity = identity;
    this.#statements.clear();
    this.#view = undefined;
    closeDirectory(before);
  }

  /** A crawl of an older version is brought up to date by whoever opens it to write, perhaps meanwhile. */
  #viewed(): View {
    this.#followPath();
    const { database } = this.#directory;
    // A refresh may have deleted visits that counted then.
    if (this.#view?.moment.isNow === false) expectView(database, this.#view.moment.visit);
    if (this.#view?.moment.isPlain !== false) {
      const visit = this.#atMs === undefined ? undefined : visitAt(database, this.#atMs);
      this.#view = viewOf(database, new Moment(database, visit));
    }
    return this.#view;
  }

  #sql(sqlOf: SqlOfFinal): string {
    const { moment } = this.#viewed();
    return sqlOf((url) => moment.finalVisitOf(url));
  }

  #prepared(sql: string): Statement {
    this.#followPath();
    const statement = this.#statements.get(sql) ?? this.#directory.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

interface View {
  readonly moment: Moment;
  /** How many URLs were known; no bound now, when there may be more at any time. */
  readonly urls: number;
  /** When the last visit that counts ended, Unix time in milliseconds; no bound now. */
  readonly untilMs: number;
}

function viewOf(database: Database, moment: Moment): View {
  if (moment.isNow) return { moment, urls: Number.MAX_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };
  const untilMs = database.prepare("SELECT at_ms FROM visits WHERE number = ?").get(moment.visit)?.[0] as number;
  return { moment, urls: moment.urlCount(database), untilMs };
}

function has(text: unknown, sought: string): boolean {
  return typeof text === "string" && text.toLowerCase().includes(sought);
}
