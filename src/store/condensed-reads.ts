/**
 * What stays of reads for ever in a crawl that is refreshed for years, condensed: rereads that were folded into later
 * ones (log/reread-folding.ts), and ranges of numbers instead of rows for visits that were deleted.
 *
 * A row of `rereads` that is missing and folded nowhere is damage; so is a number of a visit that is in no table.
 */
import {
  decodeEarlierReads,
  DeletedFirstReads,
  encodeEarlierReads,
  type FoldableReread,
  type RereadFolds,
  RereadFolding,
} from "../log/index.ts";
import { OUTCOME_NAMES, REREAD_NAMES } from "./row-codes.ts";
import type { Database, Row } from "./sqlite.ts";

/** The key in `meta` of the latest read, Unix time in milliseconds, into which others were folded. */
export const CONDENSED_TO = "readsCondensedTo";

/** Rows that are looked at in one step. */
const ROWS_AT_ONCE = 1024;
/** URLs of which rows are held in memory at the same time. */
const URLS_AT_ONCE = 2 ** 17;

/** What can be folded, in pieces, each of which is written before the next one is asked for. */
export function* foldableRereads(database: Database, untilMs: number): Iterable<RereadFolds> {
  const urls = Number(database.prepare("SELECT max(id) + 1 FROM urls").get()?.[0] ?? 0);
  const parts = Math.max(1, Math.ceil(urls / URLS_AT_ONCE));
  const next = database.prepare(
    `SELECT number, url, at_ms, outcome, last_modified, visit, earlier FROM rereads
     WHERE number > ? AND url % ${parts} = ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
  );
  for (let part = 0; part < parts; part++) {
    const folding = new RereadFolding(untilMs);
    for (let rows = next.all(0, part); rows.length > 0; rows = next.all(rows.at(-1)![0], part)) {
      for (const row of rows) folding.add(foldableOf(row));
      yield folding.take();
    }
  }
}

/** Inside of a transaction. */
export function foldRereads(database: Database, { folded, into }: RereadFolds): void {
  const condensedMs = database.prepare(
    "SELECT max(at_ms) FROM rereads WHERE number IN (SELECT value FROM json_each(?))",
  );
  const lastMs = Number(condensedMs.get(JSON.stringify([...into.keys()]))?.[0] ?? Number.NEGATIVE_INFINITY);
  database.prepare("DELETE FROM rereads WHERE number IN (SELECT value FROM json_each(?))").run(JSON.stringify(folded));
  const update = database.prepare("UPDATE rereads SET earlier = ? WHERE number = ?");
  for (const [number, earlier] of into) update.run(encodeEarlierReads(earlier), number);
  database
    .prepare("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = max(CAST(value AS INTEGER), ?)")
    .run(CONDENSED_TO, String(lastMs), lastMs);
}

/** Deleted visits whose rows tell nothing that an earlier one does not tell, in pieces as above. */
export function* forgettableDeletions(database: Database, untilMs: number): Iterable<readonly number[]> {
  const first = new DeletedFirstReads();
  const next = database.prepare(
    `SELECT number, url, at_ms, outcome FROM deleted_visits WHERE number > ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
  );
  const isOld = ([, url, atMs, outcome]: Row): boolean => {
    const visit = { url: url as number, atMs: atMs as number, outcome: OUTCOME_NAMES[outcome as number] };
    return first.isKnown(visit) && visit.atMs <= untilMs;
  };
  for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)![0])) {
    yield rows.filter(isOld).map(([number]) => number as number);
  }
}

/** Inside of a transaction. */
export function forgetDeletions(database: Database, numbers: readonly number[]): void {
  const list = JSON.stringify(numbers);
  database.prepare("DELETE FROM deleted_visits WHERE number IN (SELECT value FROM json_each(?))").run(list);
  const before = database.prepare("SELECT first FROM deleted_ranges WHERE first < ? ORDER BY first DESC LIMIT 1");
  const extend = database.prepare("UPDATE deleted_ranges SET last = ? WHERE first = ? AND last = ? RETURNING first");
  const take = database.prepare("DELETE FROM deleted_ranges WHERE first = ? RETURNING last");
  const insert = database.prepare("INSERT INTO deleted_ranges VALUES (?, ?)");
  for (const number of numbers) {
    const last = (take.get(number + 1)?.[0] ?? number) as number;
    const first = before.get(number)?.[0] ?? 0;
    if (extend.get(last, first, number - 1) === undefined) insert.run(number, last);
  }
}

/** Numbers in a range that visits had whose deletion is all that is known of them. */
export function forgottenNumbers(database: Database, from: number, end: number): number[] {
  const ranges = database.prepare(
    `SELECT first, last FROM deleted_ranges
     WHERE first >= coalesce((SELECT max(first) FROM deleted_ranges WHERE first <= ?), 0) AND first < ?`,
  );
  return (ranges.all(from, end) as readonly (readonly number[])[]).flatMap(([first, last]) => {
    const start = Math.max(first, from);
    return Array.from({ length: Math.max(0, Math.min(last + 1, end) - start) }, (_, k) => start + k);
  });
}

function foldableOf(row: Row): FoldableReread {
  const [number, url, atMs, outcome, lastModified, visit, earlier] = row;
  return {
    number: number as number,
    url: url as number,
    atMs: atMs as number,
    outcome: REREAD_NAMES[outcome as number],
    lastModified: lastModified as string | null,
    visit: visit as number | null,
    ...(earlier === null ? {} : { earlier: decodeEarlierReads(earlier as string) }),
  };
}
