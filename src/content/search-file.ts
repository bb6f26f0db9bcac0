/** The file of a full-text index: made, opened, and deleted if it is damaged. */
import { rmSync } from "node:fs";
import { UsageError } from "../base/index.ts";
import { closedOnError, type Database, openDatabase, SqliteFailure } from "../store/index.ts";
import { createPages } from "./page-words.ts";

export const FILE = "search.sqlite";
/** "Tsea": what tells an index from any other SQLite file. */
const APPLICATION_ID = 0x54736561;

export const TABLES = `
DROP TABLE IF EXISTS pages; DROP TABLE IF EXISTS textless; DROP TABLE IF EXISTS state;
${createPages({ hasText: false })}
CREATE TABLE textless (url INTEGER PRIMARY KEY);
CREATE TABLE state (crawl TEXT NOT NULL, visits INTEGER NOT NULL, last_ms INTEGER NOT NULL, archive TEXT NOT NULL,
  retried INTEGER);
PRAGMA application_id = ${APPLICATION_ID};
`;

export function openedOrNew(path: string): Database {
  try {
    return opened(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeIndex(path);
    return opened(path);
  }
}

export function isDamage(error: unknown): boolean {
  return error instanceof SqliteFailure && (error.code === "NOTADB" || error.code === "CORRUPT");
}

/** With its journal, which would be applied to a new one. */
export function removeIndex(path: string): void {
  for (const file of [path, `${path}-journal`]) rmSync(file, { force: true });
}

function opened(path: string): Database {
  const database = openDatabase(path, { access: "write", fullText: true });
  return closedOnError(database, () => {
    if (tablesOf(database) === 0) {
      database.exec("BEGIN IMMEDIATE");
      // Another process may have made them meanwhile.
      database.exec(tablesOf(database) === 0 ? `${TABLES} COMMIT` : "COMMIT");
    }
    if (database.prepare("PRAGMA application_id").get()?.[0] !== APPLICATION_ID) {
      throw new UsageError(`${path} is not an index of ours, and its name is needed for one: move it away`);
    }
    return database;
  });
}

function tablesOf(database: Database): number {
  return Number(database.prepare("SELECT count(*) FROM sqlite_master").get()?.[0]);
}

export function isUnwritable(error: unknown): boolean {
  return error instanceof SqliteFailure && ["PERM", "READONLY", "CANTOPEN"].includes(error.code);
}

export function isBusy(error: unknown): boolean {
  return error instanceof SqliteFailure && error.isBusy;
}
