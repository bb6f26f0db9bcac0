/** Folders of the file system: how they are made, and what it means when the system refuses something about one. */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmdirSync, rmSync, statSync, closeSync, fsyncSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../base/index.ts";
import { StoreError } from "./contract.ts";
import { sqliteFailure } from "./sqlite.ts";

/**
 * Makes a folder and its missing parents; returns the topmost that was made. Node's recursive `mkdir` never ends where
 * the system says ENOENT though the parent is there (`/proc`), and reports the wrong reason on a read-only disk.
 */
export function makeFolder(dir: string, use?: string): string | undefined {
  const make = (): string | undefined => {
    const missing: string[] = [];
    for (let at = resolve(dir); isMissing(at); at = dirname(at)) missing.push(at);
    const made: string[] = [];
    try {
      for (const path of missing.toReversed()) if (makeOne(path)) made.push(path);
    } catch (error) {
      for (const path of made.toReversed()) rmdirSync(path);
      throw error;
    }
    return made[0];
  };
  return worldly(dir, make, use);
}

/** Makes a folder where there is none, and a file in it that goes at once. `use` is what it is for. */
export function expectWritable(dir: string, use: string): void {
  makeFolder(dir, use);
  const probe = join(dir, `.tidemark-${randomUUID()}`);
  const write = (): void => {
    closeSync(openSync(probe, "wx"));
    rmSync(probe);
  };
  worldly(dir, write, use);
}

const CRAWL = "as the directory of a crawl";

/** A file system's refusal, as what it means: the user can mend it, or the disk cannot. */
export function worldly<Result>(dir: string, act: () => Result, use?: string): Result {
  try {
    return act();
  } catch (error) {
    throw refused(dir, error, use);
  }
}

export function refused(dir: string, error: unknown, use = CRAWL): unknown {
  const code = errorCode(error);
  const mistake = MISTAKES[code];
  if (mistake !== undefined) {
    return new UsageError(`${dir} cannot be used ${use}: ${mistake}`, { cause: error });
  }
  if (code === "ENOSPC" || code === "EDQUOT") return sqliteFailure(dir, error);
  if (code === "" || !(error instanceof Error)) return error;
  return new StoreError("failed", `${dir}: ${error.message}`, { cause: error });
}

export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

const MISTAKES: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is not a directory",
  ENOENT: "no directory can be made there",
  EEXIST: "something else has that name",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "the name is too long",
};

/** Also where a part of the path is a file: what is made there is refused with the right reason. */
function isMissing(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

/** False where another process came first. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    const isThere = errorCode(error) === "EEXIST" && statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (isThere === true) return false;
    throw error;
  }
}

/** After this, files that were renamed or made in a directory survive a power cut; some systems cannot do it. */
export function syncDirectory(dir: string): void {
  try {
    const handle = openSync(dir, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL"].includes(errorCode(error))) throw error;
  }
}
