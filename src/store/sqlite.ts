/**
 * A thin adapter over the two SQLite drivers: node:sqlite where Node has it without a flag (22.13 and later), else better-sqlite3.
 *
 * Rows are plain arrays in the order of the columns. Nothing is iterated lazily: a statement that is under way would lock its
 * connection, so long tables are read in ranges of their key. Every error of a driver is a `SqliteFailure`.
 */
import { createRequire } from "node:module";
import { FailureError } from "../base/index.ts";
import { sqliteFailure } from "./sqlite-errors.ts";

export type SqlValue = null | number | string | Uint8Array;
export type Row = readonly SqlValue[];

export interface Statement {
  run(...values: readonly SqlValue[]): void;
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface OpenOptions {
  readonly access: "write" | "read";
}

/** How long a statement waits for another process that holds the file, before it says that it is busy. */
const BUSY_MS = 5000;

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

interface Driver {
  readonly open: (name: string, readOnly: boolean) => Database;
}

function loadDriver(): Driver {
  const require = createRequire(import.meta.url);
  const failures: string[] = [];
  for (const load of [nodeDriver, betterDriver]) {
    try {
      return load(require);
    } catch (error) {
      failures.push(error instanceof Error ? error.message.split("\n")[0] : String(error));
    }
  }
  throw new FailureError(
    `no SQLite was found: expected Node 22.13 or later, or the package better-sqlite3 (npm install better-sqlite3@12). ` +
      failures.join("; "),
  );
}

/** What we use of node:sqlite, which the types of Node 20 do not know. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    name: string,
    options: { readonly readOnly: boolean },
  ) => {
    exec(sql: string): void;
    prepare(sql: string): NodeStatement;
    close(): void;
  };
}

interface NodeStatement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): object | undefined;
  all(...values: readonly SqlValue[]): readonly object[];
  /** Node 22.16 and 24: rows as arrays. */
  setReturnArrays?(enabled: boolean): void;
}

function nodeDriver(require: NodeJS.Require): Driver {
  const { DatabaseSync } = quietly(() => require("node:sqlite") as NodeSqlite);
  return {
    open(name, readOnly) {
      const database = new DatabaseSync(name, { readOnly });
      return {
        exec: (sql) => database.exec(sql),
        prepare: (sql) => nodeStatement(database.prepare(sql)),
        close: () => database.close(),
      };
    },
  };
}

function nodeStatement(statement: NodeStatement): Statement {
  statement.setReturnArrays?.(true);
  // Objects keep their columns in the order of the statement, as long as no column is named by a number.
  const row = (found: object): Row => (Array.isArray(found) ? found : Object.values(found));
  return {
    run(...values) {
      statement.run(...values);
    },
    get(...values) {
      const found = statement.get(...values);
      return found === undefined ? undefined : row(found);
    },
    all(...values) {
      const found = statement.all(...values);
      return found.length > 0 && Array.isArray(found[0]) ? (found as readonly Row[]) : found.map(row);
    },
  };
}

/** node:sqlite announces on stderr that it is experimental, which is no news to our users. */
function quietly<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function betterDriver(require: NodeJS.Require): Driver {
  const BetterSqlite = require("better-sqlite3") as typeof import("better-sqlite3");
  return {
    open(name, readOnly) {
      const database = new BetterSqlite(name, { readonly: readOnly });
      return {
        exec(sql) {
          database.exec(sql);
        },
        prepare(sql) {
          const statement = database.prepare<unknown[], Row>(sql);
          return statement.reader ? statement.raw(true) : statement;
        },
        close() {
          database.close();
        },
      } satisfies DatabaseOfBetter as Database;
    },
  };
}

interface DatabaseOfBetter {
  exec(sql: string): void;
  prepare(sql: string): unknown;
  close(): void;
}
