/**
 * Reading the log: whole tables in the order of their keys, a range of keys at a time, so that no statement is under
 * way while the reader does something else. Keys count up without a gap, so a range is full until the table ends.
 */
import { assert } from "../base/index.ts";
import {
  type ReceivedRecord,
  refusalReason,
  type Reread,
  type RobotsRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import { REREAD_NAMES, SOURCE_NAMES } from "./codes.ts";
import { StoreError } from "./contract.ts";
import type { Database, SqlValue, Statement } from "./sqlite.ts";
import { pageOfRow, type PageRow, selectPages, selectVisits, visitOfRow } from "./page-rows.ts";

const URLS_AT_ONCE = 1024;
const VISITS_AT_ONCE = 256;

/** The fields of a URL, without an object a URL. */
export type UrlVisitor = (
  id: number,
  origin: number,
  path: string | null,
  depth: number,
  source: UrlRecord["source"],
  discoveredAt: number,
  reason: string | null,
) => void;

export abstract class StoreReader {
  protected readonly database: Database;
  /** Tables that a crawl of an older version lacks until somebody opens it to write. */
  protected readonly hasRereads: boolean;
  readonly #hasReceived: boolean;
  readonly #path: Statement;
  readonly #meta: Statement;

  constructor(database: Database) {
    this.database = database;
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const names = new Set(tables.map(([name]) => name));
    this.hasRereads = names.has("rereads");
    this.#hasReceived = names.has("received");
    this.#path = database.prepare("SELECT path FROM urls WHERE id = ?");
    this.#meta = database.prepare("SELECT value FROM meta WHERE key = ?");
  }

  settings(): string {
    const settings = this.meta("settings");
    assert(settings !== undefined, "a crawl has settings");
    return settings;
  }

  meta(key: string): string | undefined {
    return this.#meta.get(key)?.[0] as string | undefined;
  }

  *origins(first = 0): Iterable<string> {
    const statement = this.database.prepare("SELECT origin FROM origins WHERE id >= ? AND id < ? ORDER BY id");
    for (let from = first; ; from += URLS_AT_ONCE) {
      const rows = statement.all(from, from + URLS_AT_ONCE);
      for (const row of rows) yield row[0] as string;
      if (rows.length < URLS_AT_ONCE) return this.#expectEnd("origins", "id", from + rows.length);
    }
  }

  *urls(first = 0): Iterable<UrlRecord> {
    const statement = this.database.prepare(URLS_SQL);
    let id = first;
    for (;;) {
      const rows = statement.all(id, id + URLS_AT_ONCE);
      for (const row of rows) {
        yield {
          id: id++,
          origin: row[0] as number,
          path: row[1] as string | null,
          depth: row[2] as number,
          source: SOURCE_NAMES[row[3] as number],
          discoveredAt: row[4] as number,
          reason: row[5] === null ? null : refusalReason(row[5] as string),
        };
      }
      if (rows.length < URLS_AT_ONCE) return this.#expectEnd("urls", "id", id);
    }
  }

  /** As `urls`, for tens of millions. */
  forEachUrl(visit: UrlVisitor): void {
    const statement = this.database.prepare(URLS_SQL);
    let id = 0;
    for (;;) {
      const rows = statement.all(id, id + URLS_AT_ONCE);
      for (const row of rows) {
        visit(
          id++,
          row[0] as number,
          row[1] as string | null,
          row[2] as number,
          SOURCE_NAMES[row[3] as number],
          row[4] as number,
          row[5] as string | null,
        );
      }
      if (rows.length < URLS_AT_ONCE) return this.#expectEnd("urls", "id", id);
    }
  }

  *visits(first = 1): Iterable<Visit> {
    const statement = this.database.prepare(selectVisits(this.database));
    for (let from = first; ; from += VISITS_AT_ONCE) {
      const rows = statement.all(from, from + VISITS_AT_ONCE);
      for (const row of rows) yield visitOfRow(row);
      if (rows.length < VISITS_AT_ONCE) return this.#expectEnd("visits", "number", from + rows.length);
    }
  }

  *rereads(): Iterable<Reread> {
    if (!this.hasRereads) return;
    const statement = this.database.prepare("SELECT * FROM rereads WHERE number >= ? AND number < ? ORDER BY number");
    for (let from = 1; ; from += URLS_AT_ONCE) {
      const rows = statement.all(from, from + URLS_AT_ONCE);
      for (const row of rows) yield rereadOf(row);
      if (rows.length < URLS_AT_ONCE) return this.#expectEnd("rereads", "number", from + rows.length);
    }
  }

  /** The view `pages`, in the order of ids: every URL that is no sink, with its final outcome. */
  *pages(): Iterable<PageRow> {
    const statement = this.database.prepare(selectPages(this.database));
    const last = Number(this.database.prepare("SELECT max(id) FROM urls").get()?.[0] ?? -1);
    for (let from = 0; from <= last; from += URLS_AT_ONCE) {
      for (const row of statement.all(from, from + URLS_AT_ONCE)) yield pageOfRow(row);
    }
  }

  *trust(): Iterable<TrustRecord> {
    const rows = this.database.prepare("SELECT url, weight FROM trust ORDER BY url").all();
    for (const [url, weight] of rows) yield { url: url as number, weight: weight as number };
  }

  *received(): Iterable<ReceivedRecord> {
    if (!this.#hasReceived) return;
    const rows = this.database.prepare("SELECT url, sender, total FROM received ORDER BY url, sender").all();
    for (const [url, sender, total] of rows) {
      yield { url: url as number, sender: sender as number, total: total as number };
    }
  }

  *robots(): Iterable<RobotsRecord> {
    const next = this.database.prepare("SELECT * FROM robots WHERE origin > ? ORDER BY origin LIMIT 1");
    for (let row = next.get(-1); row !== undefined; row = next.get(row[0])) {
      yield {
        origin: row[0] as number,
        atMs: row[1] as number,
        status: row[2] as number | null,
        body: row[3] as Uint8Array | null,
      };
    }
  }

  pathOf(url: number): string {
    const row = this.#path.get(url);
    if (row === undefined) this.expectKnown(url);
    const path = row?.[0];
    assert(typeof path === "string", `URL ${url} is a sink and has no path`);
    return path;
  }

  protected abstract expectKnown(url: number): void;

  /**
   * A row that somebody deleted by hand must not pass for the end: coverage would be computed from half of the facts.
   */
  #expectEnd(table: string, key: string, next: number): void {
    const beyond = this.database.prepare(`SELECT ${key} FROM ${table} WHERE ${key} > ? LIMIT 1`).get(next);
    if (beyond === undefined) return;
    throw new StoreError("failed", `row ${next} of the table ${table} is missing: restore the crawl from a copy`);
  }
}

const URLS_SQL = "SELECT origin, path, depth, source, heard_at, reason FROM urls WHERE id >= ? AND id < ? ORDER BY id";

function rereadOf(row: readonly SqlValue[]): Reread {
  return {
    number: row[0] as number,
    url: row[1] as number,
    atMs: row[2] as number,
    outcome: REREAD_NAMES[row[3] as number],
    reason: row[4] as string | null,
    status: row[5] as number | null,
    digest: row[6] as Uint8Array | null,
    etag: row[7] as string | null,
    lastModified: row[8] as string | null,
    milliseconds: row[9] as number,
    wireBytes: row[10] as number,
  };
}
