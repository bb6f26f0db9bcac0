/**
 * The tables of `crawl.sqlite`, which people query too: docs/database.md describes them.
 *
 * Small on disk: a URL is a row of about 15 bytes plus its path, out-links are one blob per page (log/codecs.ts), and
 * there is no index but the one that keeps a URL from having two final outcomes that count, and one of visits that were
 * replaced, which is empty until pages are read again.
 */
import {
  ADD_LANGUAGE,
  ADD_LOCATION,
  ADD_SIGNALS,
  ADD_SIMHASH,
  ADD_SUPERSEDED,
  ADD_VALUE,
  CREATE_VISITS,
  pagesSelect,
} from "./page-rows.ts";
import { OUTCOME_CODES, REREAD_CODES, SOURCE_CODES } from "./row-codes.ts";
import { finalVisitNow } from "./moment.ts";

/** "Tide", at a fixed place of the file's first page: what tells a crawl from any other SQLite file. */
export const APPLICATION_ID = 0x54696465;
/** Raised whenever an older Tidemark would misread what a newer one wrote. */
export const SCHEMA_VERSION = 11;

const INDEXES = `
CREATE UNIQUE INDEX visits_last_word ON visits (url)
  WHERE outcome <> ${OUTCOME_CODES["try-again"]} AND superseded IS NULL;
CREATE INDEX visits_superseded ON visits (superseded) WHERE superseded IS NOT NULL;
CREATE INDEX visits_before ON visits (url, superseded) WHERE superseded IS NOT NULL;
`;

const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE outcomes (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE origins (id INTEGER PRIMARY KEY, origin TEXT NOT NULL);
CREATE TABLE urls (
  id INTEGER PRIMARY KEY,
  origin INTEGER NOT NULL REFERENCES origins,
  path TEXT,
  depth INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES sources,
  heard_at INTEGER NOT NULL,
  reason TEXT
);
${CREATE_VISITS}
${INDEXES}
CREATE TABLE links (visit INTEGER PRIMARY KEY REFERENCES visits, targets BLOB NOT NULL);
CREATE TABLE trust (url INTEGER PRIMARY KEY REFERENCES urls, weight REAL NOT NULL);
CREATE TABLE robots (origin INTEGER PRIMARY KEY REFERENCES origins, at_ms INTEGER NOT NULL, status INTEGER, body BLOB);
`;

/** New in version 2. */
const REREADS = `
CREATE TABLE reread_outcomes (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE rereads (
  number INTEGER PRIMARY KEY,
  url INTEGER NOT NULL REFERENCES urls,
  at_ms INTEGER NOT NULL,
  outcome INTEGER NOT NULL REFERENCES reread_outcomes,
  reason TEXT,
  status INTEGER,
  digest BLOB,
  etag TEXT,
  last_modified TEXT,
  milliseconds INTEGER NOT NULL,
  wire_bytes INTEGER NOT NULL,
  visit INTEGER,
  earlier TEXT
);
${insertCodes("reread_outcomes", REREAD_CODES)}
`;

/** New in version 9: the visit that a reread wrote. */
const ADD_REREAD_VISIT = "ALTER TABLE rereads ADD COLUMN visit INTEGER;";

/** New in version 11: rereads that were folded into this one, as JSON. */
const ADD_REREAD_EARLIER = "ALTER TABLE rereads ADD COLUMN earlier TEXT;";

/** New in version 3. */
const RECEIVED = `
CREATE TABLE received (
  url INTEGER NOT NULL REFERENCES urls,
  sender INTEGER NOT NULL,
  total REAL NOT NULL,
  PRIMARY KEY (url, sender)
) WITHOUT ROWID;
`;

/** New in version 4. */
const LOOKS = `
CREATE TABLE looks (
  number INTEGER PRIMARY KEY,
  seed INTEGER NOT NULL,
  confidence REAL NOT NULL,
  target REAL NOT NULL,
  trust_digest INTEGER NOT NULL
);
CREATE TABLE rounds (
  number INTEGER PRIMARY KEY,
  look INTEGER NOT NULL REFERENCES looks,
  after_visit INTEGER NOT NULL,
  walks INTEGER NOT NULL
);
CREATE TABLE cuts (
  look INTEGER NOT NULL REFERENCES looks,
  url INTEGER NOT NULL REFERENCES urls,
  PRIMARY KEY (look, url)
) WITHOUT ROWID;
`;

/** New in version 5. A URL that several sitemaps list belongs to the one that was read last. */
const SITEMAPS = `
CREATE TABLE sitemaps (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, read_ms INTEGER NOT NULL);
CREATE TABLE sitemap_urls (
  url INTEGER PRIMARY KEY REFERENCES urls,
  sitemap INTEGER NOT NULL REFERENCES sitemaps,
  modified_ms INTEGER
);
`;

/** New in version 5. One line of text per link of the page, in the order of `links`. */
const ANCHORS = `
CREATE TABLE anchors (visit INTEGER PRIMARY KEY REFERENCES visits, texts TEXT NOT NULL);
`;

/** New in version 7. The main part of a page as plain text and as Markdown, and its HTML: UTF-8, deflated. */
const TEXTS = `
CREATE TABLE texts (visit INTEGER PRIMARY KEY REFERENCES visits, text BLOB, markdown BLOB, html BLOB);
`;

/** New in version 10. What stays of visits that were deleted. */
const DELETED_VISITS = `
CREATE TABLE deleted_visits (
  number INTEGER PRIMARY KEY,
  url INTEGER NOT NULL REFERENCES urls,
  at_ms INTEGER NOT NULL,
  outcome INTEGER NOT NULL REFERENCES outcomes,
  superseded INTEGER NOT NULL
);
`;

/** New in version 11. Numbers of visits that were deleted and have no row in `deleted_visits` any more. */
const DELETED_RANGES = `
CREATE TABLE deleted_ranges (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
`;

const PAGES_VIEW = `CREATE VIEW pages AS\n${pagesSelect(finalVisitNow("urls.id"))};`;

const HOSTS_VIEW = `
CREATE VIEW hosts AS
SELECT
  origins.origin AS origin,
  count(*) AS known,
  count(visits.url) FILTER (WHERE visits.outcome <= ${OUTCOME_CODES["links-unknown"]}) AS downloaded,
  count(visits.url) FILTER (WHERE visits.outcome = ${OUTCOME_CODES.redirected}) AS redirected,
  count(visits.url) FILTER (WHERE visits.outcome = ${OUTCOME_CODES.dead}) AS dead,
  count(visits.url) FILTER (WHERE visits.outcome = ${OUTCOME_CODES.refused}) AS refused,
  count(*) - count(visits.url) AS waiting,
  coalesce(sum(visits.wire_bytes), 0) AS bytes
FROM urls
JOIN origins ON origins.id = urls.origin
LEFT JOIN visits ON ${finalVisitNow("urls.id")}
WHERE urls.path IS NOT NULL
GROUP BY origins.id;
`;

export const CREATE_SCHEMA = [
  `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`,
  TABLES,
  REREADS,
  RECEIVED,
  LOOKS,
  SITEMAPS,
  ANCHORS,
  TEXTS,
  DELETED_VISITS,
  DELETED_RANGES,
  insertCodes("sources", SOURCE_CODES),
  insertCodes("outcomes", OUTCOME_CODES),
  PAGES_VIEW,
  HOSTS_VIEW,
].join("\n");

/**
 * Brings tables of an older version up to date, all at once or not at all. Version 1 had no rereads; version 2 had no
 * received mass, no languages, and another name for `links-unknown`; version 3 had no looks and no values; version 4
 * did not keep what sitemaps list, what pages ask of robots, nor texts of links; version 5 had no SimHashes;
 * version 6 had no texts of pages; version 7 did not keep where redirects out of the scope lead; in version 8 a URL had
 * one final visit for ever; in version 9 all visits stayed, in version 10 all rereads. A crawl of an older version can
 * be read as it is; the first that opens it to write brings it up to date.
 */
export function migrationFrom(version: number): string {
  const toVersion3 = [
    RECEIVED,
    ADD_LANGUAGE,
    `INSERT INTO sources VALUES (${SOURCE_CODES.remote}, 'remote');`,
    `UPDATE outcomes SET name = 'links-unknown' WHERE id = ${OUTCOME_CODES["links-unknown"]};`,
  ];
  const steps = [
    ...(version < 2 ? [REREADS] : []),
    ...(version < 3 ? toVersion3 : []),
    ...(version < 4 ? [LOOKS, ADD_VALUE] : []),
    ...(version < 5 ? [SITEMAPS, ADD_SIGNALS, ANCHORS] : []),
    ...(version < 6 ? [ADD_SIMHASH] : []),
    ...(version < 7 ? [TEXTS] : []),
    ...(version < 8 ? [ADD_LOCATION] : []),
    ...(version < 9 ? [`${ADD_SUPERSEDED} DROP INDEX visits_last_word; ${INDEXES}`] : []),
    ...(version < 9 && version >= 2 ? [ADD_REREAD_VISIT] : []),
    ...(version < 10 ? [DELETED_VISITS] : []),
    ...(version >= 2 ? [ADD_REREAD_EARLIER] : []),
    DELETED_RANGES,
    `DROP VIEW pages; ${PAGES_VIEW} DROP VIEW hosts; ${HOSTS_VIEW}`,
  ];
  return `BEGIN IMMEDIATE; ${steps.join("\n")} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`;
}

function insertCodes(table: string, codes: Readonly<Record<string, number>>): string {
  const rows = Object.entries(codes).map(([name, code]) => `(${code}, '${name}')`);
  return `INSERT INTO ${table} VALUES ${rows.join(", ")};`;
}
