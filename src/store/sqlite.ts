/**
 * A thin adapter over the SQLite driver that this machine has (sqlite-driver.ts).
 *
 * Rows are plain arrays in the order of the columns. Nothing is iterated lazily: a statement that is under way would
 * lock its connection, so long tables are read in ranges of their key. Every error of a driver is a `SqliteFailure`.
 */
import { StoreError } from "./contract.ts";
import {
  type DriverDatabase,
  type DriverStatement,
  loadDriver,
  loadFullTextDriver,
  type Row,
  type SqlValue,
} from "./sqlite-driver.ts";

export type { Row, SqlValue };

export interface OpenOptions {
  readonly access: "write" | "read";
  /** Whether it must have full-text search. */
  readonly fullText?: boolean;
}

/** How long a statement waits for another process that holds the file, before it fails as busy. */
export const BUSY_MS = 5000;

export function openDatabase(path: string, { access, fullText = false }: OpenOptions): Database {
  const open = fullText ? loadFullTextDriver() : loadDriver();
  return guarded(path, () => {
    const database = new Database(path, open(path, access === "read"));
    return closedOnError(database, () => {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      return database;
    });
  });
}

export class Database {
  readonly #path: string;
  readonly #database: DriverDatabase;
  #isClosed = false;

  constructor(path: string, database: DriverDatabase) {
    this.#path = path;
    this.#database = database;
  }

  exec(sql: string): void {
    guarded(this.#path, () => this.#database.exec(sql));
  }

  prepare(sql: string): Statement {
    return guarded(this.#path, () => new Statement(this.#path, this.#database.prepare(sql)));
  }

  /** Closing it again does nothing, whichever driver there is. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    guarded(this.#path, () => this.#database.close());
  }
}

/** Written out, not wrapped in closures: these run for every fact. */
export class Statement {
  readonly #path: string;
  readonly #statement: DriverStatement;

  constructor(path: string, statement: DriverStatement) {
    this.#path = path;
    this.#statement = statement;
  }

  run(...values: readonly SqlValue[]): void {
    try {
      this.#statement.run(...values);
    } catch (error) {
      throw sqliteFailure(this.#path, error);
    }
  }

  get(...values: readonly SqlValue[]): Row | undefined {
    try {
      const found = this.#statement.get(...values);
      return found === undefined ? undefined : rowOf(found);
    } catch (error) {
      throw sqliteFailure(this.#path, error);
    }
  }

  all(...values: readonly SqlValue[]): readonly Row[] {
    try {
      const found = this.#statement.all(...values);
      return found.length > 0 && Array.isArray(found[0]) ? (found as readonly Row[]) : found.map(rowOf);
    } catch (error) {
      throw sqliteFailure(this.#path, error);
    }
  }
}

/**
 * Objects keep their columns in the order of the statement, as long as no column is named by a number or as another one
 * is: of two columns with one name, only one is there.
 */
function rowOf(found: object): Row {
  return Array.isArray(found) ? found : Object.values(found);
}

/** Whoever cannot use what was opened must not leave it open. */
export function closedOnError<Result>(database: Database, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    database.close();
    throw error;
  }
}

function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw sqliteFailure(path, error);
  }
}

/** The kinds of errors by the last byte of their codes (https://sqlite.org/rescode.html). */
const CODES = {
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
  OTHER: -1,
} as const;
type SqliteCode = keyof typeof CODES;
const NAMES = Object.keys(CODES) as SqliteCode[];

/** The shared memory of the log could not grow (SQLITE_IOERR_SHMSIZE): no space, by another name. */
const IOERR_SHMSIZE = 10 | (19 << 8);

const WORDS: Readonly<Record<SqliteCode, string>> = {
  PERM: "may not be opened: is there permission to read and write it?",
  BUSY: "is in use by another process: try again when that has ended",
  LOCKED: "is in use by another process: try again when that has ended",
  READONLY: "may not be written: is the directory or the disk read-only?",
  IOERR: "could not be read or written: is the disk still there and sound?",
  CORRUPT: "is damaged: restore it from a copy",
  FULL: "could not be written, the disk is full: free space, then run the same command",
  CANTOPEN: "could not be opened: is there permission to read and write it and its directory?",
  CONSTRAINT: "refused a record that contradicts another",
  NOTADB: "is not a SQLite database, or is damaged",
  OTHER: "could not be used",
};

/** A StoreError that knows what SQLite called it. */
export class SqliteFailure extends StoreError {
  readonly code: SqliteCode;

  constructor(code: SqliteCode, message: string, options?: ErrorOptions) {
    super(code === "FULL" ? "disk-full" : "failed", message, options);
    this.code = code;
  }

  get isBusy(): boolean {
    return this.code === "BUSY" || this.code === "LOCKED";
  }
}

/** The driver's error about the file at `path`; an error that is not SQLite's comes back as it is. */
export function sqliteFailure(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  return new SqliteFailure(code, `${path} ${WORDS[code]} (SQLite: ${error.message})`, { cause: error });
}

/** Drivers report a failure in two ways: better-sqlite3 by a name (`SQLITE_IOERR_WRITE`), node:sqlite by a number. */
function codeOf(error: Error): SqliteCode | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") {
    if (errcode === IOERR_SHMSIZE) return "FULL";
    return NAMES.find((name) => CODES[name] === (errcode & 255)) ?? "OTHER";
  }
  if (typeof code !== "string") return undefined;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_IOERR_SHMSIZE") return "FULL";
  if (!code.startsWith("SQLITE_")) return undefined;
  const kind = code.slice("SQLITE_".length).split("_")[0];
  return NAMES.find((name) => name === kind) ?? "OTHER";
}
