/**
 * The two SQLite drivers: node:sqlite where Node has it without a flag (22.13 and later), else better-sqlite3, an
 * optional dependency. npm leaves it out where it cannot be built, and installs it without its compiled part where
 * install scripts are blocked.
 */
import { createRequire } from "node:module";
import { FailureError, messageOf } from "../base/index.ts";

export type SqlValue = null | number | string | Uint8Array;
export type Row = readonly SqlValue[];

/** What both drivers have in common. Rows are arrays, or objects in Node before 22.16. */
export interface DriverDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): DriverStatement;
  close(): unknown;
}

export interface DriverStatement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): object | undefined;
  all(...values: readonly SqlValue[]): readonly object[];
  /** Rows as arrays: in node:sqlite of Node 22.16 and 24. */
  setReturnArrays?(enabled: boolean): void;
}

type Open = (name: string, readOnly: boolean) => DriverDatabase;

/** The first driver that works, as `require` finds them. */
export function loadDriver(require: NodeJS.Require = createRequire(import.meta.url)): Open {
  try {
    return nodeDriver(require);
  } catch {
    // An older Node: the other driver's failure says what to do.
  }
  try {
    return betterDriver(require);
  } catch (error) {
    throw new FailureError(noDriver(error));
  }
}

/** The first driver that works and whose SQLite has full-text search (FTS5): Node's own has it from 22.16 on. */
export function loadFullTextDriver(require: NodeJS.Require = createRequire(import.meta.url)): Open {
  let absence: unknown;
  for (const load of [nodeDriver, betterDriver]) {
    try {
      const open = load(require);
      if (hasFullText(open)) return open;
    } catch (error) {
      absence = error;
    }
  }
  const { state, remedy } = absenceOf(absence);
  throw new FailureError(
    `searching needs SQLite with full-text search (FTS5), which Node ${process.versions.node} does not have, and the ` +
      `package better-sqlite3 ${state}; use Node 22.16 or later, or ${remedy}`,
  );
}

function hasFullText(open: Open): boolean {
  const database = open(":memory:", false);
  try {
    database.exec("CREATE VIRTUAL TABLE attempt USING fts5 (text)");
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/** What we use of node:sqlite, which the types of Node 20 do not know. */
interface NodeSqlite {
  readonly DatabaseSync: new (name: string, options: { readonly readOnly: boolean }) => DriverDatabase;
}

function nodeDriver(require: NodeJS.Require): Open {
  const { DatabaseSync } = quietly(() => require("node:sqlite") as NodeSqlite);
  return (name, readOnly) => {
    const database = new DatabaseSync(name, { readOnly });
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        statement.setReturnArrays?.(true);
        return statement;
      },
      close: () => database.close(),
    };
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

function betterDriver(require: NodeJS.Require): Open {
  const BetterSqlite = require("better-sqlite3") as typeof import("better-sqlite3");
  // Its compiled part is loaded with the first database. If it cannot be, we must know before a crawl's file is opened.
  new BetterSqlite(":memory:").close();
  return (name, readOnly) => {
    const database = new BetterSqlite(name, { readonly: readOnly });
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare<unknown[], Row>(sql);
        return statement.reader ? statement.raw(true) : statement;
      },
      close: () => database.close(),
    };
  };
}

/** Why better-sqlite3 cannot be used, and what to do, depending on how much of it is there. */
function noDriver(error: unknown): string {
  const { state, remedy } = absenceOf(error);
  const found = `Node ${process.versions.node} has no SQLite of its own, and the package better-sqlite3`;
  const newer = "use Node 22.13 or later, which needs no such package";
  return `${found} ${state}; ${newer}, or ${remedy}`;
}

/** What is wrong with better-sqlite3, and what helps. */
function absenceOf(error: unknown): { readonly state: string; readonly remedy: string } {
  const said = messageOf(error).replace(/\s+/g, " ");
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code === "MODULE_NOT_FOUND" && said.includes("'better-sqlite3'")) {
    return { state: "is not installed", remedy: "install it: npm install better-sqlite3@12" };
  }
  if (said.startsWith("Could not locate the bindings file")) {
    return {
      state: "was installed without its compiled part, because install scripts are blocked or failed",
      remedy: "let its script run: npm rebuild better-sqlite3 --ignore-scripts=false (with pnpm: pnpm approve-builds)",
    };
  }
  return { state: `cannot be loaded (${said})`, remedy: "build it for this one: npm rebuild better-sqlite3" };
}
