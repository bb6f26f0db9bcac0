/**
 * What SQLite says, in words for people. Drivers tell the same failure in two ways: better-sqlite3 by a name
 * (`SQLITE_IOERR_WRITE`), node:sqlite by a number (778, of which the last byte is the kind:
 * https://sqlite.org/rescode.html).
 */
import { StoreError } from "./contract.ts";

const NAMES: Readonly<Record<number, SqliteCode>> = {
  3: "PERM",
  5: "BUSY",
  6: "LOCKED",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  19: "CONSTRAINT",
  26: "NOTADB",
};

export type SqliteCode =
  | "PERM"
  | "BUSY"
  | "LOCKED"
  | "READONLY"
  | "IOERR"
  | "CORRUPT"
  | "FULL"
  | "CANTOPEN"
  | "CONSTRAINT"
  | "NOTADB"
  | "OTHER";

const WORDS: Readonly<Record<SqliteCode, string>> = {
  PERM: "may not be opened: is there permission to read and write it?",
  BUSY: "is in use by another process: try again when that has ended",
  LOCKED: "is in use by another process: try again when that has ended",
  READONLY: "may not be written: is the directory or the disk read-only?",
  IOERR: "could not be read or written: is the disk still there and sound?",
  CORRUPT: "is damaged: restore it from a copy",
  FULL: "does not fit on the disk any more: free some space, then give the same command again",
  CANTOPEN: "could not be opened: is there permission to read and write it and its directory?",
  CONSTRAINT: "refused a record that contradicts another",
  NOTADB: "is no SQLite database, or is damaged",
  OTHER: "could not be used",
};

/** A StoreError that knows what SQLite called it. */
export class SqliteFailure extends StoreError {
  readonly code: SqliteCode;

  constructor(code: SqliteCode, message: string, options?: ErrorOptions) {
    super(code === "FULL" ? "disk-full" : "failed", message, options);
    this.code = code;
  }
}

/** The driver's error about the file at `path`; an error that is not SQLite's comes back as it is. */
export function sqliteFailure(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  return new SqliteFailure(code, `${path} ${WORDS[code]} (SQLite: ${error.message})`, { cause: error });
}

function codeOf(error: Error): SqliteCode | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") return isFull(errcode) ? "FULL" : (NAMES[errcode & 255] ?? "OTHER");
  if (typeof code !== "string") return undefined;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_IOERR_SHMSIZE") return "FULL";
  if (!code.startsWith("SQLITE_")) return undefined;
  const kind = code.slice("SQLITE_".length).split("_")[0];
  return Object.values(NAMES).find((name) => name === kind) ?? "OTHER";
}

/** The shared memory of the log could not grow (SQLITE_IOERR_SHMSIZE): no space, by another name. */
function isFull(errcode: number): boolean {
  return errcode === (10 | (19 << 8));
}
