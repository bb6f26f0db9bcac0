/** How a command ends: thrown errors become an exit code and a message. */
import { FailureError, fileMistake, UsageError } from "../../base/index.ts";
import { Interruption } from "./interrupts.ts";

/** Without a message where everything has been said, or nobody reads it. */
export function endingOf(error: unknown): { readonly exitCode: number; readonly message?: string } {
  if (error instanceof UsageError) return { exitCode: 2, message: error.message };
  if (error instanceof FailureError) return { exitCode: 1, message: error.message };
  if (error instanceof Interruption) return { exitCode: error.exitCode, message: error.message };
  if (isOutOfMemory(error)) {
    const remedy = "the graph is too large for this machine; use one with more memory";
    return { exitCode: 1, message: `out of memory (${error.message}): ${remedy}` };
  }
  if (codeOf(error) === "EPIPE") return { exitCode: 0 };
  const stack = error instanceof Error ? error.stack : String(error);
  return { exitCode: 1, message: `this is a bug in tidemark, please report it:\n${stack}` };
}

/** Does something with a file; errors name the file. */
export function withFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw aboutFile(path, error);
  }
}

/** The error of an operation on a file, in words; other errors are passed on unchanged. */
export function aboutFile(path: string, error: unknown): unknown {
  if (error instanceof UsageError) return new UsageError(`${path}: ${error.message}`);
  if (error instanceof FailureError) return new FailureError(`${path}: ${error.message}`);
  const code = codeOf(error);
  if (code === undefined || code === "EPIPE") return error;
  const mistake = fileMistake(error);
  if (mistake !== undefined) return new UsageError(`${path}: ${mistake}`);
  if (code.startsWith("Z_")) return new UsageError(`${path}: the gzipped data is damaged or cut short`);
  return new FailureError(`${path}: ${WORLDS_FAILURES[code] ?? (error as Error).message}`);
}

const WORLDS_FAILURES: Readonly<Record<string, string>> = {
  ENOSPC: "cannot be written: the disk is full",
  EDQUOT: "cannot be written: the disk quota is used up",
  EFBIG: "cannot be written: the file would be larger than allowed",
  EIO: "input/output error: the disk may be failing",
};

/** The code of an error of the operating system or of zlib. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^(E[A-Z0-9]+|Z_[A-Z_]+)$/.test(error.code) ? error.code : undefined;
}

function isOutOfMemory(error: unknown): error is RangeError {
  return (
    error instanceof RangeError && /allocation failed|Invalid (typed )?array (buffer )?length/i.test(error.message)
  );
}
