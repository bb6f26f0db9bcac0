/**
 * The job of the workers on one machine: `workers.sqlite` in the directory of a crawl.
 *
 * SQLite itself makes it whole: all tables are there or none, whoever dies meanwhile, and of two that make it one wins.
 * So an empty file, which is what a failed attempt leaves, counts as none.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, machineClock, UsageError } from "../base/index.ts";
import type { NewJob } from "./fact-log.ts";
import { makeFolder, worldly } from "./folders.ts";
import { closedOnError, type Database, openDatabase, SqliteFailure } from "./sqlite.ts";
import { factLogFailure, SqliteFactLog } from "./sqlite-fact-log.ts";

const JOB_FILE = "workers.sqlite";
/** "Tidw": tells a job from any other SQLite file. */
const APPLICATION_ID = 0x54696477;
/** Raised whenever an older Tidemark would misread what a newer one wrote. */
const SCHEMA_VERSION = 2;

/** What time it is for the log; tests have their own. */
export interface MachineTime {
  readonly clock: Clock;
  /** Another one after each start of the machine; "" where that cannot be told. */
  readonly boot: string;
}

/** Makes a job in the directory, which is made too if it is missing. */
export function createSqliteJob(dir: string, job: NewJob, time: MachineTime = machineTime()): SqliteFactLog {
  makeFolder(dir);
  return opened(dir, (database) => {
    database.exec("BEGIN IMMEDIATE");
    expectEmpty(dir, database);
    database.exec(CREATE_SCHEMA);
    const nowMs = time.clock.nowMs();
    database.prepare("INSERT INTO clock VALUES (?, 0, ?)").run(time.boot, nowMs);
    const { name, version, shards, settings } = job;
    database.prepare("INSERT INTO job VALUES (?, ?, ?, ?, NULL, ?, NULL)").run(name, version, shards, settings, nowMs);
    const insertShard = database.prepare("INSERT INTO shards VALUES (?, 0, NULL, 0, 0, 0, NULL, 0)");
    for (let shard = 0; shard < shards; shard++) insertShard.run(shard);
    database.exec("COMMIT");
    return logOf(database, time);
  });
}

/** Opens the job of a directory; many processes may. */
export function openSqliteJob(dir: string, time: MachineTime = machineTime()): SqliteFactLog {
  expectJob(dir);
  return opened(dir, (database) => {
    checkVersion(dir, database);
    return logOf(database, time);
  });
}

export function isSqliteJob(dir: string): boolean {
  if (!existsSync(join(dir, JOB_FILE))) return false;
  return opened(dir, (database) => {
    const is = isJob(database);
    database.close();
    return is;
  });
}

/** Whether a process has the job of a directory open. */
export function isSqliteJobInUse(dir: string): boolean {
  expectJob(dir);
  return opened(dir, (database) => {
    const is = !isAlone(database);
    database.close();
    return is;
  });
}

/** Deletes a job, which nobody may have open. */
export function dropSqliteJob(dir: string): void {
  if (isSqliteJobInUse(dir)) throw new UsageError(`${dir} is in use by workers: end them first`);
  worldly(dir, () => rmSync(join(dir, JOB_FILE)));
}

function isAlone(database: Database): boolean {
  try {
    // It fails as long as another process has the file open.
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
    return true;
  } catch (error) {
    if (error instanceof SqliteFailure && error.isBusy) return false;
    throw error;
  }
}

function expectJob(dir: string): void {
  if (!isSqliteJob(dir)) {
    throw new UsageError(`${dir} holds no job of several workers; expected the directory of a crawl that has one`);
  }
}

function expectEmpty(dir: string, database: Database): void {
  if (isJob(database)) {
    throw new UsageError(
      `${dir} already holds a job of several workers; expected a directory without one: resume that job, or use ` +
        "another directory",
    );
  }
  if (database.prepare("SELECT 1 FROM sqlite_master").get() !== undefined) {
    throw new UsageError(`${join(dir, JOB_FILE)} was made by another program; use another directory`);
  }
}

/** Opens the file, and closes it if it cannot be used. */
function opened<Result>(dir: string, act: (database: Database) => Result): Result {
  try {
    const database = openDatabase(join(dir, JOB_FILE), { access: "write" });
    return closedOnError(database, () => act(database));
  } catch (error) {
    if (error instanceof SqliteFailure && USERS_MISTAKES.has(error.code)) {
      throw new UsageError(error.message, { cause: error });
    }
    throw factLogFailure(error);
  }
}

const USERS_MISTAKES: ReadonlySet<string> = new Set(["PERM", "READONLY", "CANTOPEN", "NOTADB", "CORRUPT"]);

function isJob(database: Database): boolean {
  return numberOf(database, "application_id") === APPLICATION_ID;
}

function checkVersion(dir: string, database: Database): void {
  const version = numberOf(database, "user_version");
  if (version === SCHEMA_VERSION) return;
  throw new UsageError(
    `the job in ${dir} was made by another version of tidemark (its tables are version ${version}, expected ` +
      `${SCHEMA_VERSION}): use that version`,
  );
}

function numberOf(database: Database, pragma: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[0]);
}

function logOf(database: Database, time: MachineTime): SqliteFactLog {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864");
  return new SqliteFactLog(database, { nowMs: logTime(database, time) });
}

/**
 * The clock of the log: that of the machine, which all its processes share and which nobody sets (the wall clock
 * jumps). It begins at zero with each start of the machine. Then an offset makes the time of the log go on where all
 * leases have ended: none of their owners lives. A start is known by its id, and where the system has none, by a clock
 * that shows less than it did.
 */
function logTime(database: Database, time: MachineTime): () => number {
  // Who only reads waits for nobody: many workers may join while others write.
  const offsetMs = knownOffset(database, time) ?? beginTime(database, time);
  return () => time.clock.nowMs() + offsetMs;
}

/** By how much the log is ahead of the clock; undefined if the machine was started since. */
function knownOffset(database: Database, { clock, boot }: MachineTime): number | undefined {
  const [known, offset, seenMs] = database.prepare("SELECT boot, offset_ms, seen_ms FROM clock").get() ?? [];
  const offsetMs = Number(offset);
  return known === boot && clock.nowMs() + offsetMs >= Number(seenMs) ? offsetMs : undefined;
}

/** The first of several processes begins it. */
function beginTime(database: Database, time: MachineTime): number {
  database.exec("BEGIN IMMEDIATE");
  let offsetMs = knownOffset(database, time);
  if (offsetMs === undefined) {
    const lastMs = Number(database.prepare(LAST_TIME).get()?.[0]);
    offsetMs = lastMs - time.clock.nowMs();
    database.prepare("UPDATE clock SET boot = ?, offset_ms = ?, seen_ms = ?").run(time.boot, offsetMs, lastMs);
  }
  database.exec("COMMIT");
  return offsetMs;
}

const LAST_TIME = `
  SELECT max(ms) FROM (
    SELECT seen_ms AS ms FROM clock UNION ALL SELECT ends_ms FROM shards UNION ALL SELECT ends_ms FROM workers)`;

function machineTime(): MachineTime {
  return { clock: machineClock, boot: bootId() };
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

const CREATE_SCHEMA = `
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
CREATE TABLE clock (boot TEXT NOT NULL, offset_ms REAL NOT NULL, seen_ms REAL NOT NULL);
CREATE TABLE job (
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  shards INTEGER NOT NULL,
  settings TEXT NOT NULL,
  stopped TEXT,
  started_ms REAL NOT NULL,
  ended_ms REAL
);
CREATE TABLE shards (
  shard INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  worker TEXT,
  ends_ms REAL NOT NULL,
  position INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  note TEXT,
  note_epoch INTEGER NOT NULL
);
CREATE TABLE batches (
  shard INTEGER NOT NULL REFERENCES shards,
  position INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  batch BLOB NOT NULL,
  PRIMARY KEY (shard, position)
);
CREATE TABLE messages (
  number INTEGER PRIMARY KEY,
  sender INTEGER NOT NULL,
  receiver INTEGER NOT NULL REFERENCES shards,
  payload BLOB NOT NULL
);
CREATE INDEX messages_to ON messages (receiver);
CREATE TABLE workers (name TEXT PRIMARY KEY, info TEXT NOT NULL, ends_ms REAL NOT NULL) WITHOUT ROWID;
`;
