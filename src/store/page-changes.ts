/**
 * What visits have changed, one after the other: which page each has found, and which one it replaced. Also visits that
 * were replaced themselves are told, so that whoever has what was known after one visit can go to any other.
 */
import { isDownloaded } from "../coverage/index.ts";
import { OUTCOME_NAMES } from "./row-codes.ts";
import type { Database, Row } from "./sqlite.ts";

/** A page as a visit found it. */
export interface PageVersion {
  readonly visit: number;
  readonly title: string | null;
}

export interface PageChange {
  /** Of the visit. */
  readonly number: number;
  readonly url: number;
  readonly atMs: number;
  /** The visit that replaced this one; Infinity if none has. */
  readonly by: number;
  /** The page that it has downloaded; left out if it has not. */
  readonly found?: PageVersion;
  /** The downloaded page that counted until then; left out if there was none. */
  readonly replaced?: PageVersion;
}

const VISITS_AT_ONCE = 256;

const SELECT = `
  SELECT visits.number, visits.url, visits.at_ms, visits.superseded, visits.outcome, visits.title,
    replaced.number, replaced.outcome, replaced.title
  FROM visits LEFT JOIN visits AS replaced ON replaced.superseded = visits.number
  WHERE visits.number >= ? AND visits.number <= ? ORDER BY visits.number LIMIT ${VISITS_AT_ONCE}`;

/** Of the visits from `first` to `last`, in the order of their numbers. Visits that were deleted are left out. */
export function* pageChanges(
  database: Database,
  { first, last }: { readonly first: number; readonly last: number },
): Iterable<PageChange> {
  const statement = database.prepare(SELECT);
  const until = Math.min(last, Number.MAX_SAFE_INTEGER);
  let rows = statement.all(first, until);
  while (rows.length > 0) {
    for (const row of rows) yield changeOf(row);
    rows = statement.all((rows.at(-1)![0] as number) + 1, until);
  }
}

function changeOf(row: Row): PageChange {
  const [number, url, atMs] = row as readonly number[];
  const by = (row[3] as number | null) ?? Number.POSITIVE_INFINITY;
  const found = versionOf(row[0], row[4], row[5]);
  const replaced = versionOf(row[6], row[7], row[8]);
  return { number, url, atMs, by, ...(found && { found }), ...(replaced && { replaced }) };
}

function versionOf(visit: Row[number], outcome: Row[number], title: Row[number]): PageVersion | undefined {
  if (visit === null || !isDownloaded(OUTCOME_NAMES[outcome as number])) return undefined;
  return { visit: visit as number, title: title as string | null };
}
