/**
 * Which visits and URLs of a log count: those of now, or as of an earlier visit. The one place that says so in SQL.
 *
 * As of visit n, a visit counts if its number is at most n and no visit up to n has replaced it. URLs are numbered in
 * the order of their discovery, so those known then are the first ones.
 */
import { UsageError } from "../base/index.ts";
import { OUTCOME_CODES } from "./row-codes.ts";
import type { Database } from "./sqlite.ts";

/** The key in `meta` of the first visit as of which nothing is missing; none while no visit was deleted. */
export const VIEWS_FROM = "viewsFrom";

/** A visit of now that is final: what the unique index is about. */
const FINAL_NOW = `outcome <> ${OUTCOME_CODES["try-again"]} AND superseded IS NULL`;

/** Which moment of a crawl is read. */
export interface ReadOptions {
  /** Unix time in milliseconds: what was known after the last visit that ended by then (default: now). */
  readonly atMs?: number | undefined;
}

export class Moment {
  readonly isNow: boolean;
  /** The last visit that counts; Infinity: there may be more at any time. */
  readonly visit: number;
  /** Whether no visit of the log was ever replaced, because its version knew no such thing. */
  readonly isPlain: boolean;

  constructor(database: Database, visit = Number.POSITIVE_INFINITY) {
    this.isNow = visit === Number.POSITIVE_INFINITY;
    this.visit = visit;
    this.isPlain = !hasColumn(database, "visits", "superseded");
    if (this.isPlain && !this.isNow) throw tooOld();
    expectView(database, visit);
  }

  /** A condition on `visits`: it counts. */
  get counts(): string {
    if (this.isPlain) return "TRUE";
    if (this.isNow) return "visits.superseded IS NULL";
    return `visits.number <= ${this.visit} AND (visits.superseded IS NULL OR visits.superseded > ${this.visit})`;
  }

  /** A condition on `visits`: it is the final visit of a URL, given by an SQL expression. */
  finalVisitOf(url: string): string {
    if (this.isPlain) return `visits.url = ${url} AND visits.outcome <> ${OUTCOME_CODES["try-again"]}`;
    if (this.isNow) return finalVisitNow(url);
    // Each part is found by an index of its own.
    return `visits.number = coalesce(
      (SELECT number FROM visits AS final WHERE final.url = ${url} AND ${FINAL_NOW} AND number <= ${this.visit}),
      (SELECT number FROM visits AS final WHERE final.url = ${url} AND superseded > ${this.visit}
        AND number <= ${this.visit}))`;
  }

  /** The same of a row that was read. */
  isCounted(number: number, superseded: number | null): boolean {
    return number <= this.visit && (superseded === null || superseded > this.visit);
  }

  /** The last visit up to this moment that has replaced another; 0 if none has. */
  generation(database: Database): number {
    if (this.isPlain) return 0;
    const until = this.isNow ? "" : ` AND superseded <= ${this.visit}`;
    const sql = `SELECT max(superseded) FROM visits WHERE superseded IS NOT NULL${until}`;
    return Math.max(Number(database.prepare(sql).get()?.[0] ?? 0), viewsFrom(database));
  }

  /** Whether all visits that counted after this one are there. */
  hasView(database: Database, visit: number): boolean {
    return !this.isPlain && visit >= viewsFrom(database);
  }

  /** How many URLs were known. */
  urlCount(database: Database): number {
    const count = Number(database.prepare("SELECT max(id) + 1 FROM urls").get()?.[0] ?? 0);
    if (this.isNow) return count;
    const discoveredAt = database.prepare("SELECT heard_at FROM urls WHERE id = ?");
    let [low, high] = [0, count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((discoveredAt.get(middle)?.[0] as number) <= this.visit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The last visit at this time; undefined if there is none after it, so that this is now. */
export function visitAt(database: Database, atMs: number): number | undefined {
  const number = (sql: string, ...values: number[]) => database.prepare(sql).get(...values)?.[0] as number | undefined;
  const last = number("SELECT max(number) FROM visits") ?? 0;
  const visit = number("SELECT number FROM visits WHERE at_ms <= ? ORDER BY number DESC LIMIT 1", atMs);
  if (visit !== undefined) return visit === last ? undefined : visit;
  expectView(database, 0);
  const firstMs = number("SELECT at_ms FROM visits ORDER BY number LIMIT 1");
  const first = firstMs === undefined ? "which has none yet" : `at ${new Date(firstMs).toISOString()}`;
  throw new UsageError(
    `${new Date(atMs).toISOString()} is before the first visit of the crawl, ${first}: expected a later time`,
  );
}

/** A condition on `visits`: it is the final visit of a URL that counts now. */
export function finalVisitNow(url: string): string {
  return `visits.url = ${url} AND visits.outcome <> ${OUTCOME_CODES["try-again"]} AND visits.superseded IS NULL`;
}

/** Throws if visits that counted as of this one were deleted (deleted-visits.ts). */
export function expectView(database: Database, visit: number): void {
  if (visit < viewsFrom(database)) throw lostView(viewsFromMs(database)!);
}

/** When the visit ended from which on views are whole; undefined if none was deleted. */
export function viewsFromMs(database: Database): number | undefined {
  // That visit itself was not deleted: it would have been replaced by a later one, from which on views are whole.
  const sql = "SELECT at_ms FROM visits WHERE number = ?";
  return database.prepare(sql).get(viewsFrom(database))?.[0] as number | undefined;
}

/** Said by all stores. */
export function lostView(firstMs: number): UsageError {
  const time = new Date(firstMs).toISOString();
  return new UsageError(
    `what was known before ${time} is no longer whole, because tidemark refresh --keep-visits has deleted visits: ` +
      `expected ${time} or a later time`,
  );
}

/** It is itself the last visit that replaced one of those that were deleted; 0 if none was. */
function viewsFrom(database: Database): number {
  return Number(database.prepare("SELECT value FROM meta WHERE key = ?").get(VIEWS_FROM)?.[0] ?? 0);
}

function hasColumn(database: Database, table: string, column: string): boolean {
  const sql = `SELECT 1 FROM pragma_table_info('${table}') WHERE name = ?`;
  return database.prepare(sql).get(column) !== undefined;
}

function tooOld(): UsageError {
  return new UsageError(
    "this crawl was made by an older version of tidemark, which kept no earlier visits: tidemark refresh or tidemark " +
      "crawl brings it up to date; until then leave out --at",
  );
}
