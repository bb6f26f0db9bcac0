/**
 * One process per directory. The lock is an open write transaction on `lock.sqlite`, so the operating system frees it
 * however the process ends; the file stays. It holds the process id, for the message.
 *
 * `BEGIN IMMEDIATE` keeps other writers out and lets readers in, so that others can read who holds it. The id is
 * written, and then the lock taken again; another process may come first between the two, so the id is compared at the
 * end.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FailureError, UsageError } from "../base/index.ts";
import { closedOnError, type Database, openDatabase, SqliteFailure } from "./sqlite.ts";

export const LOCK_FILE = "lock.sqlite";
const ATTEMPTS_MAX = 10;

export interface DirectoryLock {
  release(): void;
}

/** Whether the directory was ever locked: it holds, or held, a crawl of ours. */
export function wasEverLocked(dir: string): boolean {
  return existsSync(join(dir, LOCK_FILE));
}

/**
 * Whether some process holds the directory now. A free directory is held for the moment of the question; a crawl that
 * begins just then waits. False where nothing may be written, since it cannot be told.
 */
export function isLocked(dir: string): boolean {
  if (!wasEverLocked(dir)) return false;
  let database: Database | undefined;
  try {
    database = openDatabase(join(dir, LOCK_FILE), { access: "write" });
    database.exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch (error) {
    if (!(error instanceof SqliteFailure)) throw error;
    return error.isBusy;
  } finally {
    database?.close();
  }
}

export function lockDirectory(dir: string): DirectoryLock {
  const database = openLock(dir);
  return closedOnError(database, () => {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      begin(dir, database);
      if (holder(database) === process.pid) return { release: () => database.close() };
      database.exec(
        `CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL); DELETE FROM holder;` +
          `INSERT INTO holder VALUES (${process.pid}); COMMIT`,
      );
    }
    throw new FailureError(`${dir} could not be locked: other processes keep trying the same`);
  });
}

function openLock(dir: string): Database {
  const path = join(dir, LOCK_FILE);
  try {
    const database = openDatabase(path, { access: "write" });
    database.exec("PRAGMA busy_timeout = 200");
    return database;
  } catch (error) {
    throw asUsage(dir, error);
  }
}

function begin(dir: string, database: Database): void {
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    if (!(error instanceof SqliteFailure) || !error.isBusy) throw asUsage(dir, error);
    const pid = holder(database);
    throw new UsageError(
      `${dir} is in use by ${pid === undefined ? "another process" : `process ${pid}`}: ` +
        `expected one crawl per directory; wait for its end, or use another directory`,
      { cause: error },
    );
  }
}

/** The process that locked last; undefined where none has, or where it cannot be said. */
function holder(database: Database): number | undefined {
  try {
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'holder'").get() === undefined) return undefined;
    const pid = database.prepare("SELECT pid FROM holder").get()?.[0];
    return typeof pid === "number" ? pid : undefined;
  } catch (error) {
    if (error instanceof SqliteFailure && error.code === "BUSY") return undefined;
    throw error;
  }
}

function asUsage(dir: string, error: unknown): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  switch (error.code) {
    case "NOTADB":
    case "CORRUPT":
      return new UsageError(
        `${join(dir, LOCK_FILE)} is damaged: delete it while nothing crawls into ${dir} (it holds no facts)`,
        { cause: error },
      );
    case "PERM":
    case "READONLY":
    case "CANTOPEN":
      return new UsageError(`${dir} may not be written: expected permission to crawl into it`, { cause: error });
    default:
      return error;
  }
}
