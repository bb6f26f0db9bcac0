/**
 * Reads the log: whole tables in the order of their keys, a range of keys at a time, so that no statement is under way
 * meanwhile. Keys count up without a gap, so a range is full until the table ends.
 */
import { assert } from "../base/index.ts";
import {
  type CutRecord,
  decodeRereadReason,
  type ListedUrl,
  type LookRecord,
  type PageTexts,
  type ReceivedRecord,
  refusalReason,
  type Reread,
  type RobotsRecord,
  type RoundRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import { splitUrl } from "../web/index.ts";
import { StoreError } from "./contract.ts";
import {
  contentsOfRow,
  OUTCOME_CODES,
  type PageContents,
  pageOfRow,
  type PageRow,
  REREAD_NAMES,
  SELECT_ANCHORS,
  SELECT_CONTENTS,
  selectPagesSql,
  selectVisits,
  SOURCE_NAMES,
  visitOfRow,
} from "./page-rows.ts";
import type { Database, Row, Statement } from "./sqlite.ts";

const SELECT_TEXTS = `SELECT text, markdown, html FROM visits JOIN texts ON texts.visit = visits.number
  WHERE visits.url = ? AND visits.outcome <> ${OUTCOME_CODES["try-again"]}`;
const ROWS_AT_ONCE = 1024;
const VISITS_AT_ONCE = 256;

export abstract class StoreReader {
  protected readonly database: Database;
  /** Tables that a crawl of an older version lacks until somebody opens it to write. */
  protected readonly hasRereads: boolean;
  protected readonly hasLooks: boolean;
  readonly #hasReceived: boolean;
  readonly #hasSitemaps: boolean;
  readonly #hasAnchors: boolean;
  readonly #hasTexts: boolean;
  readonly #path: Statement;
  readonly #meta: Statement;
  /** Prepared when first used: few readers ask for single pages. */
  #page: Statement | undefined;
  #anchors: Statement | undefined;
  #texts: Statement | undefined;

  constructor(database: Database) {
    this.database = database;
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const names = new Set(tables.map(([name]) => name));
    this.hasRereads = names.has("rereads");
    this.hasLooks = names.has("looks");
    this.#hasReceived = names.has("received");
    this.#hasSitemaps = names.has("sitemaps");
    this.#hasAnchors = names.has("anchors");
    this.#hasTexts = names.has("texts");
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
    for (const rows of this.#ranges("origins", "id", first)) for (const row of rows) yield row[1] as string;
  }

  *urls(first = 0): Iterable<UrlRecord> {
    for (const rows of this.#ranges("urls", "id", first)) for (const row of rows) yield urlOf(row);
  }

  *visits(first = 1): Iterable<Visit> {
    const ranges = this.#ranges("visits", "number", first, {
      select: selectVisits(this.database),
      atOnce: VISITS_AT_ONCE,
    });
    for (const rows of ranges) for (const row of rows) yield visitOfRow(row);
  }

  /** What was found at the pages of the first visits, without their links. */
  *contents(visits: number): Iterable<PageContents> {
    const statement = this.database.prepare(SELECT_CONTENTS);
    for (let from = 1; from <= visits; from += ROWS_AT_ONCE) {
      const rows = statement.all(from, Math.min(from + ROWS_AT_ONCE, visits + 1));
      for (const row of rows) yield contentsOfRow(row);
    }
  }

  *rereads(): Iterable<Reread> {
    if (!this.hasRereads) return;
    for (const rows of this.#ranges("rereads", "number", 1)) for (const row of rows) yield rereadOf(row);
  }

  /** The view `pages`, in the order of ids: every URL that is no sink, with its final outcome. */
  *pages(): Iterable<PageRow> {
    const statement = this.database.prepare(selectPagesSql(this.database));
    const last = Number(this.database.prepare("SELECT max(id) FROM urls").get()?.[0] ?? -1);
    for (let from = 0; from <= last; from += ROWS_AT_ONCE) {
      for (const row of statement.all(from, from + ROWS_AT_ONCE)) yield pageOfRow(row);
    }
  }

  /** A row of the view `pages`; undefined for a sink, and for an id that no URL has. */
  page(id: number): PageRow | undefined {
    this.#page ??= this.database.prepare(selectPagesSql(this.database));
    const [row] = this.#page.all(id, id + 1);
    return row === undefined ? undefined : pageOfRow(row);
  }

  /** The id of a URL in canonical form; undefined if the crawl does not know it. There is no index: it takes a scan. */
  idOf(url: string): number | undefined {
    const { origin, path } = splitUrl(url);
    const sql =
      "SELECT urls.id FROM urls JOIN origins ON origins.id = urls.origin WHERE path = ? AND origins.origin = ?";
    return this.database.prepare(sql).get(path, origin)?.[0] as number | undefined;
  }

  anchorsOf(url: number): string | undefined {
    if (!this.#hasAnchors) return undefined;
    this.#anchors ??= this.database.prepare(SELECT_ANCHORS);
    return this.#anchors.get(url)?.[0] as string | undefined;
  }

  textsOf(url: number): PageTexts | undefined {
    if (!this.#hasTexts) return undefined;
    this.#texts ??= this.database.prepare(SELECT_TEXTS);
    const row = this.#texts.get(url);
    if (row === undefined) return undefined;
    const [text, markdown, html] = row as readonly (Uint8Array | null)[];
    return { text, markdown, html };
  }

  /** Whether any page was downloaded. */
  get hasPages(): boolean {
    const sql = `SELECT 1 FROM visits WHERE outcome <= ${OUTCOME_CODES["links-unknown"]} LIMIT 1`;
    return this.database.prepare(sql).get() !== undefined;
  }

  /** Whether the text of any page was stored. */
  get hasTexts(): boolean {
    return this.#hasTexts && this.database.prepare("SELECT 1 FROM texts LIMIT 1").get() !== undefined;
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

  *looks(): Iterable<LookRecord> {
    if (!this.hasLooks) return;
    const rows = this.database.prepare("SELECT * FROM looks ORDER BY number").all();
    for (const [number, seed, confidence, target, trustDigest] of rows as readonly (readonly number[])[]) {
      yield { number, seed, confidence, target, trustDigest };
    }
  }

  *rounds(): Iterable<RoundRecord> {
    if (!this.hasLooks) return;
    const rows = this.database.prepare("SELECT look, after_visit, walks FROM rounds ORDER BY number").all();
    for (const [look, afterVisit, walks] of rows as readonly (readonly number[])[]) yield { look, afterVisit, walks };
  }

  *cuts(): Iterable<CutRecord> {
    if (!this.hasLooks) return;
    const rows = this.database.prepare("SELECT look, url FROM cuts ORDER BY look, url").all();
    for (const [look, url] of rows as readonly (readonly number[])[]) yield { look, url };
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

  *listedUrls(): Iterable<ListedUrl> {
    if (!this.#hasSitemaps) return;
    const next = this.database.prepare(
      `SELECT url, modified_ms, address, read_ms FROM sitemap_urls JOIN sitemaps ON id = sitemap
       WHERE url >= ? ORDER BY url LIMIT ${ROWS_AT_ONCE}`,
    );
    for (let rows = next.all(0); rows.length > 0; rows = next.all((rows.at(-1)?.[0] as number) + 1)) {
      for (const [url, modifiedMs, sitemap, listedMs] of rows as readonly [number, number | null, string, number][]) {
        yield { url, modifiedMs, sitemap, listedMs };
      }
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

  *#ranges(
    table: string,
    key: string,
    first: number,
    { select = `SELECT * FROM ${table}`, atOnce = ROWS_AT_ONCE } = {},
  ): Iterable<readonly Row[]> {
    const statement = this.database.prepare(`${select} WHERE ${key} >= ? AND ${key} < ? ORDER BY ${key}`);
    for (let from = first; ; from += atOnce) {
      const rows = statement.all(from, from + atOnce);
      if (rows.length < atOnce) this.#expectEnd(table, key, from, rows);
      yield rows;
      if (rows.length < atOnce) return;
    }
  }

  /** A row that somebody deleted by hand is not the end: coverage would be computed from half of the facts. */
  #expectEnd(table: string, key: string, from: number, rows: readonly Row[]): void {
    const next = from + rows.length;
    const gap = rows.findIndex((row, k) => row[0] !== from + k);
    const following = this.database.prepare(`SELECT min(${key}) FROM ${table} WHERE ${key} >= ?`).get(next)?.[0];
    // The crawl may have grown meanwhile, by the row `next` and more.
    if (gap < 0 && (following ?? next) === next) return;
    const missing = gap < 0 ? next : from + gap;
    throw new StoreError("failed", `row ${missing} of the table ${table} is missing: restore the crawl from a copy`);
  }
}

function urlOf(row: Row): UrlRecord {
  return {
    id: row[0] as number,
    origin: row[1] as number,
    path: row[2] as string | null,
    depth: row[3] as number,
    source: SOURCE_NAMES[row[4] as number],
    discoveredAt: row[5] as number,
    reason: row[6] === null ? null : refusalReason(row[6] as string),
  };
}

function rereadOf(row: Row): Reread {
  const outcome = REREAD_NAMES[row[3] as number];
  return {
    number: row[0] as number,
    url: row[1] as number,
    atMs: row[2] as number,
    outcome,
    ...decodeRereadReason(outcome, row[4] as string | null),
    status: row[5] as number | null,
    digest: row[6] as Uint8Array | null,
    etag: row[7] as string | null,
    lastModified: row[8] as string | null,
    milliseconds: row[9] as number,
    wireBytes: row[10] as number,
  };
}
