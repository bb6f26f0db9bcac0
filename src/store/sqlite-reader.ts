/**
 * Reads the log: whole tables in the order of their keys, a range of keys at a time (key-ranges.ts). What counts, now
 * or as of an earlier visit, is said by a `Moment`.
 */
import { assert, counted } from "../base/index.ts";
import {
  type CutRecord,
  earlierReads,
  type ListedUrl,
  type LookRecord,
  type PageTexts,
  type ReceivedRecord,
  type ReplacedVisit,
  type Reread,
  type RobotsRecord,
  type RoundRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import { splitUrl } from "../web/index.ts";
import { CONDENSED_TO } from "./condensed-reads.ts";
import { StoreError } from "./contract.ts";
import { type Deletions, keyRanges, type RangeOptions, ROWS_AT_ONCE } from "./key-ranges.ts";
import {
  contentsOfRow,
  type PageContents,
  pageOfRow,
  type PageRow,
  selectContents,
  selectPagesSql,
  selectVisits,
  supersededOf,
  visitOfRow,
} from "./page-rows.ts";
import { OUTCOME_CODES, OUTCOME_NAMES } from "./row-codes.ts";
import { Moment, viewsFromMs } from "./moment.ts";
import { type PageChange, pageChanges } from "./page-changes.ts";
import { rereadOf, urlOf } from "./record-rows.ts";
import type { Database, Row, Statement } from "./sqlite.ts";

const VISITS_AT_ONCE = 256;

export abstract class StoreReader {
  protected readonly database: Database;
  protected readonly moment: Moment;
  /** Tables that a crawl of an older version lacks until somebody opens it to write. */
  protected readonly hasRereads: boolean;
  protected readonly hasLooks: boolean;
  readonly #hasReceived: boolean;
  readonly #hasSitemaps: boolean;
  readonly #hasAnchors: boolean;
  readonly #hasTexts: boolean;
  readonly #deletions: Deletions;
  readonly #path: Statement;
  readonly #meta: Statement;
  /** Prepared when first used: few readers ask for single pages. */
  #page: Statement | undefined;
  #anchors: Statement | undefined;
  #texts: Statement | undefined;
  #visitTexts: Statement | undefined;

  /** `asOf`: what was known after this visit (default: what is known now). */
  constructor(database: Database, asOf?: number) {
    this.database = database;
    this.moment = new Moment(database, asOf);
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const names = new Set(tables.map(([name]) => name));
    this.hasRereads = names.has("rereads");
    this.hasLooks = names.has("looks");
    this.#hasReceived = names.has("received");
    this.#hasSitemaps = names.has("sitemaps");
    this.#hasAnchors = names.has("anchors");
    this.#hasTexts = names.has("texts");
    this.#deletions = { areListed: names.has("deleted_visits"), areForgotten: names.has("deleted_ranges") };
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

  abstract readonly urlCount: number;

  /** False where an earlier moment is read. */
  get isNow(): boolean {
    return this.moment.isNow;
  }

  /** When the last visit that may count ended, Unix time in milliseconds; -Infinity before the first. */
  get untilMs(): number {
    const sql = "SELECT at_ms FROM visits WHERE number <= ? ORDER BY number DESC LIMIT 1";
    const ms = this.database.prepare(sql).get(Math.min(this.moment.visit, Number.MAX_SAFE_INTEGER))?.[0];
    return Number(ms ?? Number.NEGATIVE_INFINITY);
  }

  /** When the first visit ended as of which nothing is missing, in Unix milliseconds; undefined if none was deleted. */
  get viewsFromMs(): number | undefined {
    return viewsFromMs(this.database);
  }

  /** Whether reads made until an earlier moment were folded into later ones, which do not count then. */
  get areReadsCondensed(): boolean {
    return !this.isNow && this.untilMs < Number(this.meta(CONDENSED_TO) ?? Number.NEGATIVE_INFINITY);
  }

  get generation(): number {
    return this.moment.generation(this.database);
  }

  *origins(first = 0): Iterable<string> {
    // Origins are not dated; those of the URLs known then come first.
    const until = this.moment.isNow ? Number.POSITIVE_INFINITY : this.#originsOfUrls();
    for (const rows of this.#ranges("origins", "id", first)) {
      for (const row of rows) if ((row[0] as number) < until) yield row[1] as string;
    }
  }

  *urls(first = 0): Iterable<UrlRecord> {
    const until = this.moment.isNow ? Number.POSITIVE_INFINITY : this.urlCount;
    for (const rows of this.#ranges("urls", "id", first, { until })) for (const row of rows) yield urlOf(row);
  }

  *visits(first = 1): Iterable<Visit> {
    const ranges = this.#ranges("visits", "number", first, {
      select: selectVisits(this.database, this.moment),
      atOnce: VISITS_AT_ONCE,
      until: this.moment.visit + 1,
    });
    for (const rows of ranges) {
      for (const row of rows) {
        if (this.moment.isCounted(row[0] as number, supersededOf(row))) yield visitOfRow(row);
      }
    }
  }

  *replacedVisits(): Iterable<ReplacedVisit> {
    if (this.generation === 0) return;
    // Those of a URL that were deleted are older than those that were not, and older than any view.
    if (this.#deletions.areListed) yield* this.#replacedIn("deleted_visits", "number");
    const until = this.moment.isNow ? "" : `AND superseded <= ${this.moment.visit}`;
    yield* this.#replacedIn("visits", "superseded", `superseded IS NOT NULL ${until} AND`);
  }

  *#replacedIn(table: string, key: "number" | "superseded", condition = ""): Iterable<ReplacedVisit> {
    const next = this.database.prepare(
      `SELECT number, url, at_ms, outcome, superseded FROM ${table}
       WHERE ${condition} ${key} > ? ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`,
    );
    const place = key === "number" ? 0 : 4;
    for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)?.[place] ?? 0)) {
      for (const [number, url, atMs, outcome, by] of rows as readonly (readonly number[])[]) {
        yield { number, url, atMs, outcome: OUTCOME_NAMES[outcome], by };
      }
    }
  }

  /** What each visit from `first` on has changed, whether it counts or was replaced itself. */
  changes(first: number): Iterable<PageChange> {
    return pageChanges(this.database, { first, last: this.moment.visit });
  }

  /** Whether all visits that counted after this one are there, so that `asOf` can be asked for it. */
  hasView(visit: number): boolean {
    return this.moment.hasView(this.database, visit);
  }

  /** What was found at the pages of the first visits, without their links. */
  *contents(visits: number): Iterable<PageContents> {
    const statement = this.database.prepare(selectContents(this.moment));
    for (let from = 1; from <= visits; from += ROWS_AT_ONCE) {
      const rows = statement.all(from, Math.min(from + ROWS_AT_ONCE, visits + 1));
      for (const row of rows) yield contentsOfRow(row);
    }
  }

  *rereads(): Iterable<Reread> {
    if (!this.hasRereads) return;
    const until = this.moment.isNow ? Number.POSITIVE_INFINITY : this.untilMs;
    const next = this.database.prepare(`SELECT * FROM rereads WHERE number > ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`);
    let [last, reads] = [0, 0];
    for (let rows = next.all(0); rows.length > 0; rows = next.all(last)) {
      for (const row of rows) {
        const reread = rereadOf(row);
        last = reread.number;
        reads += 1 + earlierReads(reread.earlier);
        if (reread.atMs <= until) yield reread;
      }
    }
    if (reads !== last) throw missingRereads(last - reads);
  }

  /** The view `pages`, in the order of ids: every URL that is no sink, with its final outcome. */
  *pages(): Iterable<PageRow> {
    const statement = this.database.prepare(selectPagesSql(this.database, this.moment));
    const end = this.moment.urlCount(this.database);
    for (let from = 0; from < end; from += ROWS_AT_ONCE) {
      for (const row of statement.all(from, Math.min(from + ROWS_AT_ONCE, end))) yield pageOfRow(row);
    }
  }

  /** A row of the view `pages`; undefined for a sink, and for an id that no URL has. */
  page(id: number): PageRow | undefined {
    if (id >= this.urlCount) return undefined;
    this.#page ??= this.database.prepare(selectPagesSql(this.database, this.moment));
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
    this.#anchors ??= this.database.prepare(
      `SELECT texts FROM ${this.#visitOfWanted} JOIN anchors ON anchors.visit = visits.number`,
    );
    return this.#anchors.get(url)?.[0] as string | undefined;
  }

  textsOf(url: number): PageTexts | undefined {
    if (!this.#hasTexts) return undefined;
    this.#texts ??= this.database.prepare(
      `SELECT text, markdown, html FROM ${this.#visitOfWanted} JOIN texts ON texts.visit = visits.number`,
    );
    return textsOfRow(this.#texts.get(url));
  }

  /** What was stored of the text that a visit found. */
  textsOfVisit(visit: number): PageTexts | undefined {
    if (!this.#hasTexts) return undefined;
    this.#visitTexts ??= this.database.prepare("SELECT text, markdown, html FROM texts WHERE visit = ?");
    return textsOfRow(this.#visitTexts.get(visit));
  }

  /** Whether any page was downloaded. */
  get hasPages(): boolean {
    const { counts } = this.moment;
    const sql = `SELECT 1 FROM visits WHERE outcome <= ${OUTCOME_CODES["links-unknown"]} AND ${counts} LIMIT 1`;
    return this.database.prepare(sql).get() !== undefined;
  }

  /** Whether the text of any page was stored. */
  get hasTexts(): boolean {
    return this.#hasTexts && this.database.prepare("SELECT 1 FROM texts LIMIT 1").get() !== undefined;
  }

  *trust(): Iterable<TrustRecord> {
    const rows = this.database.prepare("SELECT url, weight FROM trust ORDER BY url").all();
    for (const [url, weight] of rows as readonly (readonly number[])[]) if (url < this.urlCount) yield { url, weight };
  }

  *received(): Iterable<ReceivedRecord> {
    if (!this.#hasReceived) return;
    const rows = this.database.prepare("SELECT url, sender, total FROM received ORDER BY url, sender").all();
    for (const [url, sender, total] of rows as readonly (readonly number[])[]) {
      if (url < this.urlCount) yield { url, sender, total };
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
    for (const [look, afterVisit, walks] of rows as readonly (readonly number[])[]) {
      if (afterVisit <= this.moment.visit) yield { look, afterVisit, walks };
    }
  }

  *cuts(): Iterable<CutRecord> {
    if (!this.hasLooks) return;
    const rows = this.database.prepare("SELECT look, url FROM cuts ORDER BY look, url").all();
    for (const [look, url] of rows as readonly (readonly number[])[]) if (url < this.urlCount) yield { look, url };
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
        if (url < this.urlCount) yield { url, modifiedMs, sitemap, listedMs };
      }
    }
  }

  /** When a sitemap was read last, Unix time in milliseconds; 0 if none was. What they list is not dated. */
  get sitemapsReadMs(): number {
    return this.#hasSitemaps ? Number(this.database.prepare("SELECT max(read_ms) FROM sitemaps").get()?.[0] ?? 0) : 0;
  }

  pathOf(url: number): string {
    const row = this.#path.get(url);
    if (row === undefined) this.expectKnown(url);
    const path = row?.[0];
    assert(typeof path === "string", `URL ${url} is a sink and has no path`);
    return path;
  }

  protected abstract expectKnown(url: number): void;

  #ranges(table: string, key: string, first: number, options: RangeOptions = {}): Iterable<readonly Row[]> {
    return keyRanges(this.database, { table, key, first, deletions: this.#deletions, ...options });
  }

  /** The final visit of the URL that a statement is given. */
  get #visitOfWanted(): string {
    return `(SELECT ? AS url) AS wanted CROSS JOIN visits ON ${this.moment.finalVisitOf("wanted.url")}`;
  }

  #originsOfUrls(): number {
    const last = this.database.prepare("SELECT max(origin) + 1 FROM urls WHERE id < ?");
    return Number(last.get(this.urlCount)?.[0] ?? 0);
  }
}

function textsOfRow(row: Row | undefined): PageTexts | undefined {
  if (row === undefined) return undefined;
  const [text, markdown, html] = row as readonly (Uint8Array | null)[];
  return { text, markdown, html };
}

/** Whatever was folded into another row is counted there. */
function missingRereads(missing: number): StoreError {
  return new StoreError(
    "failed",
    missing > 0
      ? `${counted(missing, "row")} missing from the table rereads: restore the crawl from a copy`
      : "the table rereads stands for more reads than were made: restore the crawl from a copy",
  );
}
