/**
 * A thin adapter over the two SQLite drivers: node:sqlite where Node has it without a flag (22.13 and later), else
 * better-sqlite3.
 *
 * Rows are plain arrays in the order of the columns. Nothing is iterated lazily: a statement that is under way would
 * lock its connection, so long tables are read in ranges of their key. Every error of a driver is a `SqliteFailure`.
 */
import { type Database, loadDriver, type Row, type SqlValue, type Statement } from "./sqlite-drivers.ts";
import { sqliteFailure } from "./sqlite-errors.ts";

export type { Database, SqlValue, Statement };

export interface OpenOptions {
  readonly access: "write" | "read";
}

/** How long a statement waits for another process that holds the file, before it says that it is busy. */
export const BUSY_MS = 5000;

export function openDatabase(path: string, { access }: OpenOptions): Database {
  const { open } = loadDriver();
  return guarded(path, () => {
    const database = open(path, access === "read");
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    } catch (error) {
      database.close();
      throw error;
    }
    return new GuardedDatabase(path, database);
  });
}

class GuardedDatabase implements Database {
  readonly #path: string;
  readonly #database: Database;

  constructor(path: string, database: Database) {
    this.#path = path;
    this.#database = database;
  }

  exec(sql: string): void {
    guarded(this.#path, () => this.#database.exec(sql));
  }

  prepare(sql: string): Statement {
    return new GuardedStatement(
      this.#path,
      guarded(this.#path, () => this.#database.prepare(sql)),
    );
  }

  close(): void {
    guarded(this.#path, () => this.#database.close());
  }
}

/** Written out, not wrapped in closures: these run for every fact. */
class GuardedStatement implements Statement {
  readonly #path: string;
  readonly #statement: Statement;

  constructor(path: string, statement: Statement) {
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
      return this.#statement.get(...values);
    } catch (error) {
      throw sqliteFailure(this.#path, error);
    }
  }

  all(...values: readonly SqlValue[]): readonly Row[] {
    try {
      return this.#statement.all(...values);
    } catch (error) {
      throw sqliteFailure(this.#path, error);
    }
  }
}

function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw sqliteFailure(path, error);
  }
}
