/**
 * A visit as a row: the columns of the table `visits`, and both ways between a row and a record. A new fact of a page
 * is added here, in log/records.ts, and where the reader finds it.
 */
import { decodeLinks, decodeReason, encodeReason, type Visit } from "../log/index.ts";
import { OUTCOME_NAMES, outcomeCode } from "./codes.ts";
import type { SqlValue } from "./sqlite.ts";

const COLUMNS = [
  "number INTEGER PRIMARY KEY",
  "url INTEGER NOT NULL REFERENCES urls",
  "at_ms INTEGER NOT NULL",
  "outcome INTEGER NOT NULL REFERENCES outcomes",
  "reason TEXT",
  "status INTEGER",
  "wire_bytes INTEGER NOT NULL",
  "milliseconds INTEGER NOT NULL",
  "content_type TEXT",
  "title TEXT",
  "digest BLOB",
  "etag TEXT",
  "last_modified TEXT",
  "target INTEGER REFERENCES urls",
];

export const CREATE_VISITS = `CREATE TABLE visits (\n  ${COLUMNS.join(",\n  ")}\n);`;
export const INSERT_VISIT = `INSERT INTO visits VALUES (${COLUMNS.map(() => "?").join(", ")})`;
/** Visits of a range of numbers, with their links. */
export const SELECT_VISITS = `
  SELECT ${COLUMNS.map((column) => column.split(" ", 1)[0]).join(", ")}, targets
  FROM visits LEFT JOIN links ON visit = number WHERE number >= ? AND number < ? ORDER BY number`;

export function rowOfVisit(visit: Visit): SqlValue[] {
  return [
    visit.number,
    visit.url,
    visit.atMs,
    outcomeCode(visit.outcome),
    encodeReason(visit),
    visit.status,
    visit.wireBytes,
    visit.milliseconds,
    visit.contentType,
    visit.title,
    visit.digest,
    visit.etag,
    visit.lastModified,
    visit.target,
  ];
}

/**
 * One literal: an object that is spread and then grows takes a hundred times as long, and there are millions of visits.
 */
export function visitOfRow(row: readonly SqlValue[]): Visit {
  const targets = row[14] as Uint8Array | null;
  const outcome = OUTCOME_NAMES[row[3] as number];
  const { reason, detail, isRewritten } = decodeReason(outcome, row[4] as string | null);
  return {
    number: row[0] as number,
    url: row[1] as number,
    atMs: row[2] as number,
    outcome,
    reason,
    detail,
    isRewritten,
    status: row[5] as number | null,
    wireBytes: row[6] as number,
    milliseconds: row[7] as number,
    contentType: row[8] as string | null,
    title: row[9] as string | null,
    digest: row[10] as Uint8Array | null,
    etag: row[11] as string | null,
    lastModified: row[12] as string | null,
    target: row[13] as number | null,
    links: targets === null ? null : decodeLinks(targets),
  };
}
