/**
 * The two drivers behind one surface. Which one is used is decided when a database is first opened: node:sqlite where
 * Node has it without a flag (22.13 and later), else better-sqlite3, an optional dependency that npm leaves out where
 * it cannot be built.
 */
import { createRequire } from "node:module";
import { FailureError } from "../base/index.ts";

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

interface Driver {
  readonly open: (name: string, readOnly: boolean) => Database;
}

export function loadDriver(): Driver {
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
  ) => { exec(sql: string): void; prepare(sql: string): NodeStatement; close(): void };
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
