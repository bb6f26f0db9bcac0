/**
 * The directory of a crawl: how it is made, opened and refused. A directory that is refused is left as it was.
 *
 * `crawl.sqlite` is made under another name and renamed when it is complete, so a directory that has it holds a whole
 * crawl, and one in which a process died before counts as empty.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../base/index.ts";
import { type DirectoryLock, isLocked, LOCK_FILE, lockDirectory, wasEverLocked } from "./directory-lock.ts";
import { errorCode, makeFolder, refused, syncDirectory, worldly } from "./folders.ts";
import { APPLICATION_ID, CREATE_SCHEMA, migrationFrom, SCHEMA_VERSION } from "./schema.ts";
import { BUSY_MS, closedOnError, type Database, openDatabase, type OpenOptions, SqliteFailure } from "./sqlite.ts";

const CRAWL_FILE = "crawl.sqlite";
const UNFINISHED_FILE = "crawl.sqlite.new";
/** What a process that died while making a crawl may leave. */
const LEFTOVERS = new Set([LOCK_FILE, `${LOCK_FILE}-journal`, UNFINISHED_FILE, `${UNFINISHED_FILE}-journal`]);

/** How long a crawl that begins waits for other programs that read its file. */
const READERS_MS = 1000;

export interface OpenDirectory {
  readonly dir: string;
  readonly database: Database;
  readonly lock: DirectoryLock | undefined;
}

/** Whether a crawl is there to be opened (or at least a file of its name). */
export function isCrawl(dir: string): boolean {
  if (dir === "") throw new UsageError("the name of the directory of the crawl is empty; expected a name");
  try {
    return statSync(join(dir, CRAWL_FILE)).isFile();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return false;
    throw refused(dir, error);
  }
}

/** Tells the file of a crawl from another that takes its place; undefined where there is none. */
export function identityOf(dir: string): string | undefined {
  const file = worldly(dir, () => statSync(join(dir, CRAWL_FILE), { bigint: true, throwIfNoEntry: false }));
  return file === undefined ? undefined : `${file.dev} ${file.ino}`;
}

/** Makes an empty crawl in a missing or empty directory. */
export function makeDirectory(dir: string, settingsJson: string): OpenDirectory {
  if (isCrawl(dir)) {
    throw new UsageError(
      isLocked(dir)
        ? `${dir} is in use by another crawl: expected one crawl per directory; wait for its end, or use ` +
            "another directory"
        : `${dir} already holds a crawl; expected a missing or empty directory`,
    );
  }
  refuseFilled(dir);
  const made = makeFolder(dir);
  let lock: DirectoryLock | undefined;
  try {
    mayWrite(dir);
    lock = lockDirectory(dir);
    if (isCrawl(dir)) throw new UsageError(`${dir} already holds a crawl: another process just made it`);
    makeFile(dir, settingsJson);
    return { dir, database: openWritable(dir), lock };
  } catch (error) {
    lock?.release();
    if (!isCrawl(dir)) removeMade(dir, made);
    throw error;
  }
}

/** The last one out leaves one file without a log, which may be read from where nothing can be written. */
export function closeDirectory({ database, lock }: OpenDirectory): void {
  try {
    database.exec("PRAGMA query_only = OFF");
    tryJournal(database, "DELETE");
  } finally {
    database.close();
    lock?.release();
  }
}

/** Where somebody else has it open, or where it may not be written, it stays as it is. */
function tryJournal(database: Database, mode: "WAL" | "DELETE"): void {
  try {
    database.exec(`PRAGMA busy_timeout = 0; PRAGMA journal_mode = ${mode}`);
  } catch (error) {
    if (!(error instanceof SqliteFailure)) throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/** Makes an empty crawl in place of another, which is lost. */
export function restartDirectory(dir: string, settingsJson: string): OpenDirectory {
  const { database, lock } = openDirectory(dir);
  try {
    tryJournal(database, "DELETE");
    database.close();
    // A write-ahead log of the old file would be applied to the new one.
    if (existsSync(join(dir, `${CRAWL_FILE}-wal`))) {
      throw new UsageError(`another process reads the crawl in ${dir}; end it, then start again`);
    }
    makeFile(dir, settingsJson);
    return { dir, database: openWritable(dir), lock };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

export function openDirectory(dir: string): OpenDirectory {
  expectCrawl(dir);
  mayWrite(dir);
  const lock = lockDirectory(dir);
  try {
    return { dir, database: openWritable(dir), lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What was committed by now, unchanged while it is open. */
export function openDirectoryToRead(dir: string): OpenDirectory {
  const directory = openDirectoryToLook(dir);
  return closedOnError(directory.database, () => {
    directory.database.exec("BEGIN");
    return directory;
  });
}

/** Needs no lock and works while the crawl runs. No snapshot is held: it would keep the log from being cleared. */
export function openDirectoryToLook(dir: string): OpenDirectory {
  expectCrawl(dir);
  // One that may write does not stand in the way of a crawl that begins, and clears the log away when it is the last.
  const writable = canWrite(dir);
  const database = openChecked(dir, writable ? "write" : "read");
  return closedOnError(database, () => {
    if (writable) tryJournal(database, "WAL");
    database.exec("PRAGMA query_only = ON");
    return { dir, database, lock: undefined };
  });
}

function expectCrawl(dir: string): void {
  if (!isCrawl(dir)) {
    const there = worldly(dir, () => statSync(dir, { throwIfNoEntry: false }));
    if (there === undefined) throw new UsageError(`${dir} does not exist; expected the directory of a crawl`);
    throw new UsageError(`${dir} is not a crawl directory: it has no ${CRAWL_FILE}`);
  }
  if (!wasEverLocked(dir)) worldly(dir, () => checkHeader(dir));
}

/** Only if no process of ours has it open: closing any handle of a file frees all POSIX locks of this process on it. */
function checkHeader(dir: string): void {
  const header = Buffer.alloc(72);
  const file = openSync(join(dir, CRAWL_FILE), "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  const magic = header.toString("latin1", 0, 15) === "SQLite format 3";
  checkIdentity(dir, magic ? header.readUInt32BE(68) : 0, header.readUInt32BE(60));
}

function checkIdentity(dir: string, applicationId: number, version: number): void {
  if (applicationId !== APPLICATION_ID) {
    throw new UsageError(
      `${dir} is not a crawl directory: ${CRAWL_FILE} is damaged or was made by another program; ` +
        "restore it, or use another directory",
    );
  }
  if (version > SCHEMA_VERSION) {
    throw new UsageError(
      `${dir} was made by a newer version of tidemark (its tables are version ${version}, this one knows up to ` +
        `${SCHEMA_VERSION}): install that version`,
    );
  }
}

function openWritable(dir: string): Database {
  const database = openChecked(dir, "write");
  try {
    database.exec(`
      PRAGMA busy_timeout = ${READERS_MS}; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = ${BUSY_MS};
      PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864`);
    const version = numberOf(database, "user_version");
    if (version < SCHEMA_VERSION) database.exec(migrationFrom(version));
  } catch (error) {
    database.close();
    if (!(error instanceof SqliteFailure) || error.code !== "BUSY") throw error;
    throw new UsageError(`${dir} is being read by another process: try again when that has ended`, { cause: error });
  }
  return database;
}

function numberOf(database: Database, pragma: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[0]);
}

function openChecked(dir: string, access: OpenOptions["access"]): Database {
  try {
    const database = openDatabase(join(dir, CRAWL_FILE), { access });
    return closedOnError(database, () => {
      checkIdentity(dir, numberOf(database, "application_id"), numberOf(database, "user_version"));
      return database;
    });
  } catch (error) {
    if (!(error instanceof SqliteFailure)) throw error;
    throw error.kind === "disk-full" ? error : new UsageError(error.message, { cause: error });
  }
}

function makeFile(dir: string, settingsJson: string): void {
  const unfinished = join(dir, UNFINISHED_FILE);
  worldly(dir, () => rmSync(unfinished, { force: true }));
  const database = openDatabase(unfinished, { access: "write" });
  try {
    database.exec(`PRAGMA synchronous = FULL; BEGIN; ${CREATE_SCHEMA}`);
    database.prepare("INSERT INTO meta VALUES ('settings', ?)").run(settingsJson);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  worldly(dir, () => {
    renameSync(unfinished, join(dir, CRAWL_FILE));
    syncDirectory(dir);
    syncDirectory(dirname(resolve(dir)));
  });
}

function removeMade(dir: string, made: string | undefined): void {
  const paths = made === undefined ? [...LEFTOVERS].map((name) => join(dir, name)) : [made];
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

function refuseFilled(dir: string): void {
  const there = worldly(dir, () => statSync(dir, { throwIfNoEntry: false }));
  if (there === undefined) return;
  if (!there.isDirectory()) throw new UsageError(`${dir} is a file; expected a directory for the crawl`);
  const other = worldly(dir, () => readdirSync(dir)).find((name) => !LEFTOVERS.has(name));
  if (other !== undefined) {
    throw new UsageError(
      `${dir} is not a crawl directory and is not empty (${other}); ` +
        "use a new or empty directory, or that of a crawl",
    );
  }
}

function mayWrite(dir: string): void {
  if (!canWrite(dir)) throw new UsageError(`${dir} may not be written: expected permission to crawl into it`);
}

function canWrite(dir: string): boolean {
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isCrawl(dir)) accessSync(join(dir, CRAWL_FILE), constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
