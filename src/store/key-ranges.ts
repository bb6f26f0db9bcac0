/**
 * Rows of a table in the order of their keys, a range of keys at a time, so that no statement is under way meanwhile.
 *
 * Keys count up without a gap, but for visits that were deleted on purpose (deleted-visits.ts, condensed-reads.ts), so
 * a range is full until the table ends. A row that somebody deleted by hand is not the end: coverage would be computed
 * from half of the facts.
 */
import { forgottenNumbers } from "./condensed-reads.ts";
import { StoreError } from "./contract.ts";
import type { Database, Row } from "./sqlite.ts";

export const ROWS_AT_ONCE = 1024;

/** Which tables of deleted visits there are: a crawl of an older version lacks them. */
export interface Deletions {
  readonly areListed: boolean;
  readonly areForgotten: boolean;
}

export interface RangeOptions {
  /** Columns and tables; the key comes first (default: all columns of the table). */
  readonly select?: string;
  readonly atOnce?: number;
  /** Keys from this one on are not read (default: to the end of the table). */
  readonly until?: number;
}

export interface KeyRanges extends RangeOptions {
  readonly table: string;
  readonly key: string;
  readonly first: number;
  readonly deletions: Deletions;
}

export function* keyRanges(database: Database, ranges: KeyRanges): Iterable<readonly Row[]> {
  const { table, key, first, deletions } = ranges;
  const { select = `SELECT * FROM ${table}`, atOnce = ROWS_AT_ONCE, until = Number.POSITIVE_INFINITY } = ranges;
  const statement = database.prepare(`${select} WHERE ${key} >= ? AND ${key} < ? ORDER BY ${key}`);
  for (let from = first; from < until; from += atOnce) {
    const end = Math.min(from + atOnce, until);
    const rows = statement.all(from, end);
    const isShort = rows.length < end - from;
    const known =
      isShort && table === "visits" ? [...rows, ...deletedVisits(database, { from, end }, deletions)] : rows;
    if (known.length < end - from) expectEnd(database, ranges, from, known);
    yield rows;
    if (known.length < end - from) return;
  }
}

/** The numbers of visits that were deleted, as rows. */
function deletedVisits(
  database: Database,
  { from, end }: { readonly from: number; readonly end: number },
  { areListed, areForgotten }: Deletions,
): readonly Row[] {
  if (!areListed) return [];
  const sql = "SELECT number FROM deleted_visits WHERE number >= ? AND number < ?";
  const forgotten = areForgotten ? forgottenNumbers(database, from, end) : [];
  return [...database.prepare(sql).all(from, end), ...forgotten.map((number) => [number])];
}

function expectEnd(database: Database, { table, key }: KeyRanges, from: number, rows: readonly Row[]): void {
  const next = from + rows.length;
  const keys = rows.map((row) => row[0] as number).sort((a, b) => a - b);
  const gap = keys.findIndex((known, k) => known !== from + k);
  const following = database.prepare(`SELECT min(${key}) FROM ${table} WHERE ${key} >= ?`).get(next)?.[0];
  // The crawl may have grown meanwhile, by the row `next` and more.
  if (gap < 0 && (following ?? next) === next) return;
  const missing = gap < 0 ? next : from + gap;
  throw new StoreError("failed", `row ${missing} of the table ${table} is missing: restore the crawl from a copy`);
}
