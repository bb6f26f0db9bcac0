/**
 * The tables of `crawl.sqlite`, which people query too: docs/database.md describes them, and its examples are run by a test.
 *
 * Small on disk: a URL is a row of about 15 bytes beside its path, out-links are one blob a page (link-codec.ts), and there is no index
 * but the one that keeps a URL from having two last words. Codes of sources and outcomes are written in files and never change.
 */
import {
  type Outcome,
  outcomes,
  type RereadOutcome,
  rereadOutcomes,
  type Source,
  sources,
} from "./contract.ts";

/** "Tide", at a fixed place of the file's first page: what tells a crawl from any other SQLite file. */
export const APPLICATION_ID = 0x54696465;
/** Raised whenever an older Tidemark would misread what a newer one wrote. */
export const SCHEMA_VERSION = 2;

/** 0 and 1 take no byte of a row. */
const SOURCE_CODES: Readonly<Record<Source, number>> = {
  seed: 0,
  link: 1,
  redirect: 2,
  sitemap: 3,
  canonical: 4,
};

const OUTCOME_CODES: Readonly<Record<Outcome, number>> = {
  downloaded: 0,
  "downloaded-partly": 1,
  dead: 2,
  redirected: 3,
  refused: 4,
  "try-again": 5,
};

const REREAD_CODES: Readonly<Record<RereadOutcome, number>> = {
  unchanged: 0,
  changed: 1,
  gone: 2,
  moved: 3,
  failed: 4,
};

export const rereadCode = (outcome: RereadOutcome): number => REREAD_CODES[outcome];
export const sourceCode = (source: Source): number => SOURCE_CODES[source];
export const outcomeCode = (outcome: Outcome): number => OUTCOME_CODES[outcome];
/** Names by their codes. */
export const SOURCE_NAMES: readonly Source[] = byCode(sources, SOURCE_CODES);
export const OUTCOME_NAMES: readonly Outcome[] = byCode(outcomes, OUTCOME_CODES);
export const REREAD_NAMES: readonly RereadOutcome[] = byCode(rereadOutcomes, REREAD_CODES);

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
CREATE TABLE visits (
  number INTEGER PRIMARY KEY,
  url INTEGER NOT NULL REFERENCES urls,
  at_ms INTEGER NOT NULL,
  outcome INTEGER NOT NULL REFERENCES outcomes,
  reason TEXT,
  status INTEGER,
  wire_bytes INTEGER NOT NULL,
  milliseconds INTEGER NOT NULL,
  content_type TEXT,
  title TEXT,
  digest BLOB,
  etag TEXT,
  last_modified TEXT,
  target INTEGER REFERENCES urls
);
CREATE UNIQUE INDEX visits_last_word ON visits (url) WHERE outcome <> ${OUTCOME_CODES["try-again"]};
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
  wire_bytes INTEGER NOT NULL
);
${insertCodes("reread_outcomes", REREAD_CODES)}
`;

const VIEWS = `
CREATE VIEW pages AS
SELECT
  urls.id AS id,
  origins.origin || urls.path AS url,
  coalesce(outcomes.name, 'waiting') AS state,
  visits.reason AS reason,
  visits.status AS status,
  urls.depth AS depth,
  sources.name AS source,
  visits.content_type AS content_type,
  visits.title AS title,
  visits.wire_bytes AS bytes,
  strftime('%Y-%m-%dT%H:%M:%S', visits.at_ms / 1000, 'unixepoch') || printf('.%03dZ', visits.at_ms % 1000) AS fetched_at,
  visits.number AS visit,
  target_origins.origin || targets.path AS target
FROM urls
JOIN origins ON origins.id = urls.origin
JOIN sources ON sources.id = urls.source
LEFT JOIN visits ON visits.url = urls.id AND visits.outcome <> ${OUTCOME_CODES["try-again"]}
LEFT JOIN outcomes ON outcomes.id = visits.outcome
LEFT JOIN urls AS targets ON targets.id = visits.target
LEFT JOIN origins AS target_origins ON target_origins.id = targets.origin
WHERE urls.path IS NOT NULL;

CREATE VIEW hosts AS
SELECT
  origins.origin AS origin,
  count(*) AS known,
  count(visits.url) FILTER (WHERE visits.outcome <= ${OUTCOME_CODES["downloaded-partly"]}) AS downloaded,
  count(visits.url) FILTER (WHERE visits.outcome = ${OUTCOME_CODES.redirected}) AS redirected,
  count(visits.url) FILTER (WHERE visits.outcome = ${OUTCOME_CODES.dead}) AS dead,
  count(visits.url) FILTER (WHERE visits.outcome = ${OUTCOME_CODES.refused}) AS refused,
  count(*) - count(visits.url) AS waiting,
  coalesce(sum(visits.wire_bytes), 0) AS bytes
FROM urls
JOIN origins ON origins.id = urls.origin
LEFT JOIN visits ON visits.url = urls.id AND visits.outcome <> ${OUTCOME_CODES["try-again"]}
WHERE urls.path IS NOT NULL
GROUP BY origins.id;
`;

/** Makes the tables and views in an empty database. */
export const CREATE_SCHEMA = [
  `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`,
  TABLES,
  REREADS,
  insertCodes("sources", SOURCE_CODES),
  insertCodes("outcomes", OUTCOME_CODES),
  VIEWS,
].join("\n");

/**
 * What brings tables of an older version to this one, all at once or not at all. Version 1 had no rereads; nothing else differs, so a
 * crawl of that version can be read as it is, and is brought up to date by the first that opens it to write.
 */
export const MIGRATE_FROM_1 = `BEGIN IMMEDIATE; ${REREADS} PRAGMA user_version = 2; COMMIT`;

function insertCodes(table: string, codes: Readonly<Record<string, number>>): string {
  const rows = Object.entries(codes).map(([name, code]) => `(${code}, '${name}')`);
  return `INSERT INTO ${table} VALUES ${rows.join(", ")};`;
}

function byCode<Name extends string>(
  names: readonly Name[],
  codes: Readonly<Record<Name, number>>,
): readonly Name[] {
  return [...names].sort((a, b) => codes[a] - codes[b]);
}
