/**
 * The file of the index of an earlier moment: `search-at-N.sqlite` in the directory of the crawl, where N is the last
 * visit that counts. What was known then does not change, so the next search of that moment finds it complete. One is
 * kept, of the moment that was searched last, since it is as large as the index of now.
 *
 * It is made in a folder of its own, and gets its name when it is complete. So nobody sees half of one. From then on it
 * is only read: if it is no longer what a search needs, another is made. A journal beside it is of another index.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemTimers } from "../base/index.ts";
import { type Database, openDatabase, SqliteFailure, type SqliteStore } from "../store/index.ts";
import { FILE, removeIndex } from "./search-file.ts";
import { fits, readState, type State } from "./search-state.ts";

const KEPT_NAME = /^(search-at-\d+\.sqlite)(-journal)?$/;
const PART_NAME = /^search-at-\d+\.part-/;
/** Nobody makes an index for longer: the folder was left by a process that was killed. */
const PART_MS_MAX = 86_400_000;
/** Left free on the disk of the crawl, which stops when the disk is full. */
const SPARE_BYTES = 2 ** 28;

export function keptPath(dir: string, visit: number): string {
  return join(dir, `search-at-${visit}.sqlite`);
}

/** The index of what a store of an earlier moment has, with the texts of this archive, if it is kept. */
export function openKept(dir: string, earlier: SqliteStore, archive: string): Database | undefined {
  const path = keptPath(dir, earlier.nextVisit - 1);
  if (!existsSync(path)) return undefined;
  let database: Database | undefined;
  try {
    database = openToRead(path);
    const state = readState(database);
    if (state !== undefined && isComplete(state, earlier, archive)) return database;
  } catch (error) {
    // Damaged, busy or beside a journal that is to be applied: another is made.
    if (!(error instanceof SqliteFailure)) throw error;
  }
  database?.close();
  return undefined;
}

function isComplete(state: State, earlier: SqliteStore, archive: string): boolean {
  const hasTexts = state.archive === archive && state.retried === null;
  return hasTexts && state.visits === earlier.nextVisit - 1 && fits(earlier, state);
}

export function openToRead(path: string): Database {
  return openDatabase(path, { access: "read", fullText: true });
}

/** A new folder, to make the index of an earlier moment in; a temporary one where none can be kept. */
export function folderForEarlier(dir: string, visit: number): string {
  try {
    if (hasRoom(dir)) return mkdtempSync(join(dir, `search-at-${visit}.part-`));
  } catch {
    // It may not be written, or nobody knows how much room it has.
  }
  return temporaryFolder();
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "tidemark-search-"));
}

/** Names the complete index in a folder, unless that is temporary. Returns where it is; nobody may have it open. */
export function keepEarlier(dir: string, visit: number, folder: string): string {
  const made = join(folder, FILE);
  if (!resolve(folder).startsWith(resolve(dir, "search-at-"))) return made;
  const path = keptPath(dir, visit);
  try {
    sync(made);
    removeIndex(path);
    renameSync(made, path);
  } catch {
    return made;
  }
  tryTo(() => rmSync(folder, { recursive: true, force: true }));
  tryTo(() => removeOthers(dir, path));
  return path;
}

/** Otherwise the name could reach the disk before the content if the machine stops. */
function sync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeOthers(dir: string, kept: string): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (PART_NAME.test(name)) tryTo(() => removeIfLeft(path));
    const index = KEPT_NAME.exec(name)?.[1];
    if (index !== undefined && join(dir, index) !== kept) tryTo(() => removeIndex(join(dir, index)));
  }
}

function removeIfLeft(folder: string): void {
  const { mtimeMs } = statSync(folder);
  if (systemTimers.wallMs() - mtimeMs > PART_MS_MAX) rmSync(folder, { recursive: true, force: true });
}

function tryTo(remove: () => void): void {
  try {
    remove();
  } catch {
    // Somebody has it open, where the system minds that, or it may not be read: the next search tries again.
  }
}

function hasRoom(dir: string): boolean {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize >= bytesToKeep(dir);
}

/** For an index like that of now. Where there is none yet, what is indexed tells how large it gets. */
export function bytesToKeep(dir: string): number {
  return (sizeOf(join(dir, FILE)) || 2 * sizeOf(join(dir, "crawl.sqlite"))) + SPARE_BYTES;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
