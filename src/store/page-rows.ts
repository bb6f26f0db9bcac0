/**
 * Visits and pages as rows: the columns of the table `visits` and of the view `pages`, and the way between rows and
 * records. A new fact of a page is added to both lists here, to log/records.ts, and where the reader
 * finds it.
 */
import type { PageStateName } from "../coverage/index.ts";
import { decodeLinks, decodeReason, encodeReason, type Source, type Visit } from "../log/index.ts";
import type { Moment } from "./moment.ts";
import { OUTCOME_CODES, OUTCOME_NAMES } from "./row-codes.ts";
import type { Database, Row, SqlValue } from "./sqlite.ts";

const VISIT_COLUMNS = [
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
  "language TEXT",
  "value REAL",
  "robots_tag TEXT",
  "noindex INTEGER",
  "noarchive INTEGER",
  "usage TEXT",
  "simhash BLOB",
  "location TEXT",
  "superseded INTEGER",
] as const;

/** New ones go to the end: a table of an older version gets them there. */
const VISIT_NAMES = VISIT_COLUMNS.map((column) => column.split(" ", 1)[0]);

export const CREATE_VISITS = `CREATE TABLE visits (\n  ${VISIT_COLUMNS.join(",\n  ")}\n);`;
/** New in version 3. */
export const ADD_LANGUAGE = "ALTER TABLE visits ADD COLUMN language TEXT;";
/** New in version 4. It is no column of `pages`: only crawls through the library have values. */
export const ADD_VALUE = "ALTER TABLE visits ADD COLUMN value REAL;";
/** New in version 5. */
export const ADD_SIGNALS = ["robots_tag TEXT", "noindex INTEGER", "noarchive INTEGER", "usage TEXT"]
  .map((column) => `ALTER TABLE visits ADD COLUMN ${column};`)
  .join(" ");
/** New in version 6. It is no column of `pages`: nobody reads it. */
export const ADD_SIMHASH = "ALTER TABLE visits ADD COLUMN simhash BLOB;";
/** New in version 8. */
export const ADD_LOCATION = "ALTER TABLE visits ADD COLUMN location TEXT;";
/** New in version 9: the number of the visit that replaced this one; NULL for one that counts. */
export const ADD_SUPERSEDED = "ALTER TABLE visits ADD COLUMN superseded INTEGER;";
export const INSERT_VISIT = `INSERT INTO visits VALUES (${VISIT_COLUMNS.map(() => "?").join(", ")})`;

/** All visits; links only of those that count. */
export function selectVisits(database: Database, { counts }: Moment): string {
  return `SELECT ${existing(database, "visits", VISIT_NAMES)}, targets
    FROM visits LEFT JOIN links ON visit = number AND ${counts}`;
}

/** Of a row of `selectVisits`: the visit that replaced it, or null. */
export function supersededOf(row: Row): number | null {
  return row[22] as number | null;
}

export function rowOfVisit(visit: Visit): SqlValue[] {
  return [
    visit.number,
    visit.url,
    visit.atMs,
    OUTCOME_CODES[visit.outcome],
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
    visit.language,
    visit.value,
    visit.robotsTag,
    flagOf(visit.noindex),
    flagOf(visit.noarchive),
    visit.usage,
    visit.simhash,
    visit.location,
    null,
  ];
}

function flagOf(is: boolean | null): number | null {
  return is === null ? null : Number(is);
}

function isSet(flag: SqlValue | undefined): boolean | null {
  return flag === null || flag === undefined ? null : flag === 1;
}

/** One literal: spreading an object and adding to it takes a hundred times as long, for millions of visits. */
export function visitOfRow(row: Row): Visit {
  const targets = row[23] as Uint8Array | null;
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
    language: row[14] as string | null,
    value: row[15] as number | null,
    robotsTag: row[16] as string | null,
    noindex: isSet(row[17]),
    noarchive: isSet(row[18]),
    usage: row[19] as string | null,
    simhash: row[20] as Uint8Array | null,
    location: row[21] as string | null,
    links: targets === null ? null : decodeLinks(targets),
  };
}

/** What was found at a page, for those who compare contents. */
export interface PageContents {
  readonly url: number;
  /** As of a visit. */
  readonly digest: Uint8Array | null;
  readonly title: string | null;
  /** Whether only a part of the body came, or may have come: then the digest is that of the part. */
  readonly isCutOff: boolean;
}

export function selectContents({ counts }: Moment): string {
  return `SELECT url, digest, title, outcome, reason FROM visits
    WHERE outcome <= ${OUTCOME_CODES["links-unknown"]} AND number >= ? AND number < ? AND ${counts}`;
}

export function contentsOfRow(row: Row): PageContents {
  return {
    url: row[0] as number,
    digest: row[1] as Uint8Array | null,
    title: row[2] as string | null,
    // The first version did not store why links are unknown.
    isCutOff: row[3] === OUTCOME_CODES["links-unknown"] && (row[4] === null || row[4] === "cut-off"),
  };
}

/** A URL as people see it. */
export interface PageRow {
  readonly id: number;
  readonly url: string;
  readonly state: PageStateName;
  readonly reason: string | null;
  readonly status: number | null;
  readonly depth: number;
  readonly source: Source;
  readonly contentType: string | null;
  readonly title: string | null;
  /** Of the body over the wire. */
  readonly bytes: number | null;
  /** ISO 8601, UTC. */
  readonly fetchedAt: string | null;
  /** Where a redirect leads, whether it was followed or not. */
  readonly target: string | null;
  readonly language: string | null;
  /** A sitemap that lists it. */
  readonly sitemap: string | null;
  /** When it was last modified according to a sitemap; ISO 8601, UTC. */
  readonly sitemapModified: string | null;
  /** The header X-Robots-Tag, as written. */
  readonly robotsTag: string | null;
  /** Whether the page asks robots not to index it, and not to show a copy of it. */
  readonly noindex: boolean | null;
  readonly noarchive: boolean | null;
  /** What robots.txt and headers say about its use. */
  readonly usage: string | null;
}

/** A column of the view `pages` and of exports: its name, what it is in the view, and its key in a `PageRow`. */
type PageColumn = readonly [name: string, sql: string, key: keyof PageRow];

export const PAGE_COLUMNS: readonly PageColumn[] = [
  ["id", "urls.id", "id"],
  ["url", "origins.origin || urls.path", "url"],
  ["state", "coalesce(outcomes.name, 'waiting')", "state"],
  ["reason", "visits.reason", "reason"],
  ["status", "visits.status", "status"],
  ["depth", "urls.depth", "depth"],
  ["source", "sources.name", "source"],
  ["content_type", "visits.content_type", "contentType"],
  ["title", "visits.title", "title"],
  ["bytes", "visits.wire_bytes", "bytes"],
  ["fetched_at", isoTime("visits.at_ms"), "fetchedAt"],
  ["target", "coalesce(target_origins.origin || targets.path, visits.location)", "target"],
  ["language", "visits.language", "language"],
  ["sitemap", "sitemaps.address", "sitemap"],
  ["sitemap_modified", isoTime("sitemap_urls.modified_ms"), "sitemapModified"],
  ["robots_tag", "visits.robots_tag", "robotsTag"],
  ["noindex", "visits.noindex", "noindex"],
  ["noarchive", "visits.noarchive", "noarchive"],
  ["usage", "visits.usage", "usage"],
];

/** ISO 8601 with milliseconds, of a column with Unix time in milliseconds. */
function isoTime(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', ${column} / 1000, 'unixepoch') || printf('.%03dZ', ${column} % 1000)`;
}

/** What the view `pages` selects, with this condition for the final visit of a URL. */
export function pagesSelect(finalVisit: string): string {
  return `SELECT
  ${PAGE_COLUMNS.map(([name, sql]) => `${sql} AS ${name}`).join(",\n  ")},
  visits.number AS visit
FROM urls
JOIN origins ON origins.id = urls.origin
JOIN sources ON sources.id = urls.source
LEFT JOIN visits ON ${finalVisit}
LEFT JOIN outcomes ON outcomes.id = visits.outcome
LEFT JOIN urls AS targets ON targets.id = visits.target
LEFT JOIN origins AS target_origins ON target_origins.id = targets.origin
LEFT JOIN sitemap_urls ON sitemap_urls.url = urls.id
LEFT JOIN sitemaps ON sitemaps.id = sitemap_urls.sitemap
WHERE urls.path IS NOT NULL`;
}

export function selectPagesSql(database: Database, moment: Moment): string {
  const names = PAGE_COLUMNS.map(([name]) => name);
  const range = "WHERE id >= ? AND id < ? ORDER BY id";
  if (moment.isNow) return `SELECT ${existing(database, "pages", names)} FROM pages ${range}`;
  return `SELECT ${names.join(", ")} FROM (${pagesSelect(moment.finalVisitOf("urls.id"))}) ${range}`;
}

export function pageOfRow(row: Row): PageRow {
  const page: Partial<Record<keyof PageRow, SqlValue | boolean>> = {};
  for (let column = 0; column < PAGE_COLUMNS.length; column++) page[PAGE_COLUMNS[column][2]] = row[column];
  page.noindex = isSet(row[PAGE_COLUMNS.length - 3]);
  page.noarchive = isSet(row[PAGE_COLUMNS.length - 2]);
  // The name of this state in a crawl of version 2 that nobody has opened to write since.
  if (page.state === "downloaded-partly") page.state = "links-unknown";
  return page as PageRow;
}

/** The columns, with NULL for those that a crawl of an older version lacks until somebody opens it to write. */
function existing(database: Database, table: "visits" | "pages", names: readonly string[]): string {
  const there = new Set(database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all().flat());
  return names.map((name) => (there.has(name) ? name : `NULL AS ${name}`)).join(", ");
}
