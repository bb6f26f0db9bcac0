/** Errors named by what happens next, for the exit code. Anything else that is thrown is a bug in Tidemark. */

/** The user can fix it: a wrong argument, a missing or malformed file. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A correct request failed for outside reasons: a full disk, an I/O error. Exit code 1. */
export class FailureError extends Error {
  override readonly name: string = "FailureError";
}

/** The message of whatever was thrown: JavaScript allows any value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What the user can fix about a file, by the error of an operation on it; undefined for other errors. */
export function fileMistake(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return USERS_MISTAKES.get(String(error.code));
}

const USERS_MISTAKES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "no such file"],
  ["ENOTDIR", "no such file: a part of the path is not a folder"],
  ["EISDIR", "is a folder; expected a file"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "cannot be written: the file system is read-only"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ELOOP", "its symbolic links form a loop"],
]);

/** For conditions that only a bug in Tidemark can break. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
