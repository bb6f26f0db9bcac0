/** The statements of a window and their rows as objects. Joins go from a few rows by their keys: microseconds each. */
import {
  decodeEarlierReads,
  decodeReason,
  decodeRereadReason,
  earlierReads,
  type Reread,
  type Source,
  type Visit,
} from "../log/index.ts";
import { type PageRow } from "./page-rows.ts";
import { OUTCOME_NAMES, REREAD_NAMES, SOURCE_NAMES } from "./row-codes.ts";
import type { Row, SqlValue } from "./sqlite.ts";

/** A URL with its final outcome, as a list shows it. */
export interface WindowLine {
  readonly id: number;
  /** Of a sink a name in brackets: it stands for many. */
  readonly url: string;
  readonly title: string | null;
  readonly state: PageRow["state"];
  /** As in the database (log/codecs.ts). */
  readonly reason: string | null;
  readonly status: number | null;
  readonly depth: number;
  readonly source: Source;
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** Unix time in milliseconds. */
  readonly fetchedMs: number | null;
  readonly target: { readonly id: number; readonly url: string } | null;
}

/** A visit with the name of its URL. */
export interface WindowVisit
  extends Pick<Visit, "number" | "url" | "atMs" | "outcome" | "reason" | "detail" | "isRewritten" | "status">,
    Pick<Visit, "wireBytes" | "milliseconds" | "title"> {
  readonly name: string;
  readonly target: string | null;
}

export interface WindowReread extends Pick<Reread, "atMs" | "outcome" | "reason" | "target" | "status"> {
  /** How many reads before it have no row of their own any more (log/reread-folding.ts); left out if none. */
  readonly earlierCount?: number;
}

/** No two columns of a statement may have the same name: see `rowOf` in sqlite.ts. */
const TARGET = "target_origins.origin AS target_origin, targets.path AS target_path, targets.reason AS target_reason";

/** Takes the condition for the final visit of a URL (moment.ts). */
export type SqlOfFinal = (finalVisitOf: (url: string) => string) => string;

export const lineSql: SqlOfFinal = (finalVisitOf) => `
  SELECT urls.id, origins.origin, urls.path, urls.reason, urls.depth, urls.source,
    visits.outcome, visits.reason AS why, visits.status, visits.content_type, visits.title, visits.wire_bytes,
    visits.at_ms, visits.target, ${TARGET}
  FROM urls
  JOIN origins ON origins.id = urls.origin
  LEFT JOIN visits ON ${finalVisitOf("urls.id")}
  LEFT JOIN urls AS targets ON targets.id = visits.target
  LEFT JOIN origins AS target_origins ON target_origins.id = targets.origin
  WHERE urls.id = ?`;

const visitsFrom = (visits: string): string => `
  SELECT visits.number, visits.url, visits.at_ms, visits.outcome, visits.reason, visits.status, visits.wire_bytes,
    visits.milliseconds, visits.title, origins.origin, urls.path, urls.reason AS sink_reason, ${TARGET}
  FROM ${visits}
  JOIN urls ON urls.id = visits.url
  JOIN origins ON origins.id = urls.origin
  LEFT JOIN urls AS targets ON targets.id = visits.target
  LEFT JOIN origins AS target_origins ON target_origins.id = targets.origin`;

/** The condition may name the URL more than once. */
const finalOfWanted: SqlOfFinal = (finalVisitOf) =>
  `(SELECT ? AS url) AS wanted CROSS JOIN visits ON ${finalVisitOf("wanted.url")}`;

export const VISIT_SQL = `${visitsFrom("visits")} WHERE visits.number = ?`;
export const finalSql: SqlOfFinal = (finalVisitOf) => visitsFrom(finalOfWanted(finalVisitOf));

/** Visits in a range, the newest first, of these outcomes and origins: lists in JSON, the latter null for all. */
export const LOG_SQL = `
  SELECT visits.number FROM visits CROSS JOIN urls ON urls.id = visits.url
  WHERE visits.number >= ? AND visits.number < ?
    AND visits.outcome IN (SELECT value FROM json_each(?))
    AND (? IS NULL OR urls.origin IN (SELECT value FROM json_each(?)))
  ORDER BY visits.number DESC LIMIT ?`;

/** Rereads of a URL in a range of numbers, up to a time, the newest first. The last column is new in version 11. */
export const REREADS_SQL = `
  SELECT * FROM rereads
  WHERE url = ? AND number >= ? AND number < ? AND at_ms <= ? ORDER BY number DESC LIMIT ?`;

/** The texts of URLs, in the order of the ids, which are a list in JSON. */
export const textSql: SqlOfFinal = (finalVisitOf) => `
  SELECT urls.id, origins.origin || urls.path, visits.title
  FROM json_each(?) AS wanted
  CROSS JOIN urls ON urls.id = wanted.value
  JOIN origins ON origins.id = urls.origin
  LEFT JOIN visits ON ${finalVisitOf("urls.id")}
  WHERE urls.path IS NOT NULL`;

/** Texts of the links of a page, by its URL. */
export const anchorsSql: SqlOfFinal = (finalVisitOf) => `
  SELECT texts FROM ${finalOfWanted(finalVisitOf)} JOIN anchors ON anchors.visit = visits.number`;

export function lineOf(row: Row): WindowLine {
  const outcome = row[6] as number | null;
  const isSink = row[2] === null;
  const waiting = isSink ? "refused" : "waiting";
  return {
    id: row[0] as number,
    url: nameOf(row[1], row[2], row[3]),
    title: row[10] as string | null,
    state: outcome === null ? waiting : (OUTCOME_NAMES[outcome] as PageRow["state"]),
    reason: (isSink ? row[3] : row[7]) as string | null,
    status: row[8] as number | null,
    depth: row[4] as number,
    source: SOURCE_NAMES[row[5] as number],
    contentType: row[9] as string | null,
    bytes: row[11] as number | null,
    fetchedMs: row[12] as number | null,
    target: row[13] === null ? null : { id: row[13] as number, url: nameOf(row[14], row[15], row[16]) },
  };
}

export function windowVisitOf(row: Row): WindowVisit {
  const outcome = OUTCOME_NAMES[row[3] as number];
  return {
    number: row[0] as number,
    url: row[1] as number,
    atMs: row[2] as number,
    outcome,
    ...decodeReason(outcome, row[4] as string | null),
    status: row[5] as number | null,
    wireBytes: row[6] as number,
    milliseconds: row[7] as number,
    title: row[8] as string | null,
    name: nameOf(row[9], row[10], row[11]),
    target: row[12] === null ? null : nameOf(row[12], row[13], row[14]),
  };
}

export function windowRereadOf(row: Row): WindowReread {
  const outcome = REREAD_NAMES[row[3] as number];
  return {
    atMs: row[2] as number,
    outcome,
    ...decodeRereadReason(outcome, row[4] as string | null),
    status: row[5] as number | null,
    ...(typeof row[12] === "string" ? { earlierCount: earlierReads(decodeEarlierReads(row[12])) } : {}),
  };
}

function nameOf(origin: SqlValue, path: SqlValue, reason: SqlValue): string {
  return path === null ? `(links never followed on ${origin}: ${reason})` : `${origin}${path}`;
}
