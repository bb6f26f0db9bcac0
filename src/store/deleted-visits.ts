/**
 * Visits that count no more and are deleted, so that a crawl which is refreshed for months stays small. Of each, a row
 * of `deleted_visits` stays: a visit that is missing and not there is damage, and change rates go on from the first
 * time that a page was read.
 *
 * As of visit n, a deleted visit counted if `number <= n < superseded`. So the views from the greatest `superseded` on
 * are whole. That number is in `meta`, and earlier views are refused (moment.ts).
 */
import { assert } from "../base/index.ts";
import type { KeptVisits } from "./contract.ts";
import { notFirst, notReplaced } from "./memory-visits.ts";
import { VIEWS_FROM } from "./moment.ts";
import type { Database, Row } from "./sqlite.ts";

/** Visits with all their texts that one transaction deletes. */
const DELETED_AT_ONCE = 256;

/** Visits that are not kept, in pieces, the oldest of a URL first. Between two pieces they may be deleted. */
export function deletableVisits(database: Database, kept: KeptVisits): Iterable<readonly number[]> {
  return "newest" in kept ? beyondNewest(database, kept.newest) : replacedBy(database, kept.sinceMs);
}

/** URL by URL. */
function* beyondNewest(database: Database, newest: number): Iterable<readonly number[]> {
  // The visit that counts is the newest of its URL, so one that was replaced goes if `newest - 1` such ones are later.
  const isBeyond = `EXISTS (SELECT 1 FROM visits AS later
    WHERE later.url = visits.url AND later.superseded > visits.superseded LIMIT 1 OFFSET ${newest - 2})`;
  const next = database.prepare(
    `SELECT url, superseded, number, ${newest === 1 ? "TRUE" : isBeyond} AS is_beyond FROM visits
     WHERE superseded IS NOT NULL AND (url, superseded) > (?, ?)
     ORDER BY url, superseded LIMIT ${DELETED_AT_ONCE}`,
  );
  for (let rows = next.all(-1, 0); rows.length > 0; rows = next.all(...(rows.at(-1) as Row).slice(0, 2))) {
    yield rows.filter(([, , , isBeyond]) => isBeyond === 1).map(([, , number]) => number as number);
  }
}

/** If the clock was set back, numbers rule, as in views of an earlier moment. */
function* replacedBy(database: Database, sinceMs: number): Iterable<readonly number[]> {
  const lastBy = (table: string): number => {
    const sql = `SELECT number FROM ${table} WHERE at_ms <= ? ORDER BY number DESC LIMIT 1`;
    return Number(database.prepare(sql).get(sinceMs)?.[0] ?? 0);
  };
  const last = Math.max(lastBy("visits"), lastBy("deleted_visits"));
  const next = database.prepare(
    `SELECT superseded, number FROM visits
     WHERE superseded IS NOT NULL AND superseded > ? AND superseded <= ?
     ORDER BY superseded LIMIT ${DELETED_AT_ONCE}`,
  );
  for (let rows = next.all(0, last); rows.length > 0; rows = next.all((rows.at(-1) as Row)[0], last)) {
    yield rows.map(([, number]) => number as number);
  }
}

/** The visits that replaced these. Throws if one of them counts, or is deleted before an earlier one of its URL. */
export function expectDeletable(database: Database, numbers: readonly number[]): number[] {
  const replaced = database.prepare("SELECT superseded FROM visits WHERE number = ?");
  const earlier = database.prepare("SELECT number FROM visits WHERE superseded = ?");
  const all = new Set(numbers);
  return numbers.map((number) => {
    const by = replaced.get(number)?.[0];
    assert(typeof by === "number", notReplaced(number));
    const before = earlier.get(number)?.[0];
    assert(before === undefined || all.has(before as number), notFirst(number));
    return by;
  });
}

/** Inside of a transaction. `by`: the visits that replaced them. */
export function deleteVisits(database: Database, numbers: readonly number[], by: readonly number[]): void {
  const list = JSON.stringify(numbers);
  const these = "IN (SELECT value FROM json_each(?))";
  database
    .prepare(
      `INSERT INTO deleted_visits SELECT number, url, at_ms, outcome, superseded FROM visits WHERE number ${these}`,
    )
    .run(list);
  for (const table of ["links", "anchors", "texts"]) {
    database.prepare(`DELETE FROM ${table} WHERE visit ${these}`).run(list);
  }
  database.prepare(`DELETE FROM visits WHERE number ${these}`).run(list);
  const from = Number(database.prepare("SELECT value FROM meta WHERE key = ?").get(VIEWS_FROM)?.[0] ?? 0);
  const viewsFrom = by.reduce((last, each) => Math.max(last, each), from);
  database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(VIEWS_FROM, String(viewsFrom));
}
