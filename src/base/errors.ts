/**
 * Errors named by what happens next, so that the command line needs one rule to choose an exit code.
 * Anything else that is thrown is a bug of ours and keeps its stack trace.
 */

/** The user can mend it: a wrong argument, a missing or malformed file. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The world failed while doing what was rightly asked: a full disk, an I/O error. Exit code 1. */
export class FailureError extends Error {
  override readonly name: string = "FailureError";
}

/** What was thrown, in words: JavaScript lets anything be thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** For conditions that only a bug of ours can break. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
