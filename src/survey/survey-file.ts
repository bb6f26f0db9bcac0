/**
 * A survey on disk: `survey.bin` in the directory of its crawl. It has eight bytes "TIDESRV" and a version, the length
 * of a JSON document, the document, then columns of numbers, each at a multiple of 8, little-endian. It is written
 * under another name and then renamed, so it is always complete. Deleting it costs the time to compute it again. A few
 * surveys of earlier moments are kept beside it, each named after its last visit.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { assert, FailureError, formatBytes, systemTimers } from "../base/index.ts";
import type { SurveyFacts } from "./survey.ts";

/** One entry per URL, except for `byImportance` and the columns below it. */
const ARRAYS = {
  state: Uint8Array,
  arrived: Float64Array,
  /**
   * Upper ends of intervals, as shares, rounded up to 4 bytes: computing one again would take a solution of all pages.
   */
  highs: Float32Array,
  hostOf: Uint32Array,
  statusOf: Uint16Array,
  linkCounts: Uint32Array,
  byImportance: Uint32Array,
  byVisit: Uint32Array,
  /** Attempts, in the order of their visits. */
  attemptUrls: Uint32Array,
  attemptVisits: Uint32Array,
  /** See `linksInto`. */
  inStarts: Uint32Array,
  inSources: Uint32Array,
} as const;

type Column = keyof typeof ARRAYS;
const COLUMNS = Object.keys(ARRAYS) as Column[];

export type SurveyColumns = { readonly [Name in Column]: (typeof ARRAYS)[Name]["prototype"] };

export interface SurveyContents {
  readonly facts: SurveyFacts;
  /** V, by which lower ends are divided. */
  readonly wholeAtMost: number;
  readonly damping: number;
  readonly missingScale: number;
  /** For what the universe leaves out. */
  readonly outsideScale: number;
  readonly columns: SurveyColumns;
}

interface SurveyHead extends Omit<SurveyContents, "columns"> {
  /** See `surveyKey`. */
  readonly key: string;
  readonly columns: Readonly<Record<Column, { readonly at: number; readonly length: number }>>;
}

const MAGIC = "TIDESRV6";
const HEAD_AT = 16;
const HEAD_BYTES_MAX = 2 ** 29;
/** No write takes longer. */
const PART_MS_MAX = 3_600_000;

export function writeSurvey(
  path: string,
  key: string,
  contents: SurveyContents,
  /** Space that must remain free on the disk: a running crawl needs it more. */
  spareBytes = 0,
): void {
  const { columns, ...small } = contents;
  const places = {} as Record<Column, { at: number; length: number }>;
  let at = 0;
  for (const name of COLUMNS) {
    places[name] = { at, length: columns[name].length };
    at += padded(columns[name].byteLength);
  }
  const head: SurveyHead = { ...small, key, columns: places };
  const json = Buffer.from(JSON.stringify(head));
  const text = Buffer.concat([json, Buffer.alloc(padded(json.length) - json.length, " ")]);
  const start = Buffer.alloc(HEAD_AT);
  start.write(MAGIC, "latin1");
  start.writeUInt32LE(text.length, MAGIC.length);
  removeOldParts(path);
  expectRoom(dirname(path), HEAD_AT + text.length + at + spareBytes);
  const part = `${path}.${process.pid}.part`;
  const file = openSync(part, "w");
  try {
    try {
      writeAll(file, start, 0);
      writeAll(file, text, HEAD_AT);
      const from = HEAD_AT + text.length;
      for (const name of COLUMNS) writeAll(file, bytesOf(columns[name]), from + places[name].at);
      // Otherwise the name could reach the disk before the content if the machine stops.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function expectRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new FailureError(
    `${folder} has ${formatBytes(free)} free: expected ${formatBytes(bytes)} for a survey; make room`,
  );
}

/** A survey that is read on demand: the head at once, a column at its first use, links page by page. */
export class SurveyFile {
  readonly head: SurveyHead;
  readonly #file: number;
  readonly #start: number;
  readonly #columns = new Map<Column, SurveyColumns[Column]>();

  private constructor(file: number, head: SurveyHead, start: number) {
    this.#file = file;
    this.head = head;
    this.#start = start;
  }

  /** Undefined if there is none that this version can read. */
  static open(path: string): SurveyFile | undefined {
    let file: number;
    try {
      file = openSync(path, "r");
    } catch {
      return undefined;
    }
    const survey = readHead(file);
    if (survey === undefined) closeSync(file);
    return survey === undefined ? undefined : new SurveyFile(file, survey.head, survey.start);
  }

  column<Name extends Column>(name: Name): SurveyColumns[Name] {
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = this.range(name, 0, this.head.columns[name].length);
      this.#columns.set(name, column);
    }
    return column as SurveyColumns[Name];
  }

  /** Part of a column, which is not kept. */
  range<Name extends Column>(name: Name, from: number, to: number): SurveyColumns[Name] {
    const { at, length } = this.head.columns[name];
    assert(from >= 0 && from <= to && to <= length, `entries ${from} to ${to} of the ${length} of ${name}`);
    const array = new ARRAYS[name](to - from) as SurveyColumns[Name];
    readAll(this.#file, bytesOf(array), this.#start + at + from * array.BYTES_PER_ELEMENT);
    return array;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function readHead(file: number): { head: SurveyHead; start: number } | undefined {
  const { size } = fstatSync(file);
  const start = Buffer.alloc(HEAD_AT);
  if (size < HEAD_AT) return undefined;
  readAll(file, start, 0);
  const length = start.readUInt32LE(MAGIC.length);
  if (start.toString("latin1", 0, MAGIC.length) !== MAGIC || length > HEAD_BYTES_MAX || HEAD_AT + length > size)
    return undefined;
  const text = Buffer.alloc(length);
  readAll(file, text, HEAD_AT);
  try {
    const head = JSON.parse(text.toString()) as SurveyHead;
    const columnsAt = HEAD_AT + length;
    const isAllThere = COLUMNS.every((name) => {
      const { at, length } = head.columns[name];
      return length === 0 || columnsAt + at + length * ARRAYS[name].BYTES_PER_ELEMENT <= size;
    });
    return isAllThere ? { head, start: columnsAt } : undefined;
  } catch {
    // The file is damaged: the survey is computed again.
    return undefined;
  }
}

/** Left by a process that was killed while it was writing. */
function removeOldParts(path: string): void {
  const dir = dirname(path);
  for (const name of readdirSync(dir)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(".part")) continue;
    const part = join(dir, name);
    const { mtimeMs } = statSync(part, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (systemTimers.wallMs() - mtimeMs > PART_MS_MAX) rmSync(part, { force: true });
  }
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, Math.min(2 ** 30, bytes.length - done), at + done);
}

function readAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, Math.min(2 ** 30, bytes.length - done), at + done);
    assert(read > 0, "a survey has all the columns that its head names");
    done += read;
  }
}

export function surveyPath(dir: string): string {
  return join(dir, "survey.bin");
}

/** Surveys of earlier moments that are kept: those used last. */
const EARLIER_MAX = 3;
const EARLIER_NAME = /^survey-at-\d+\.bin$/;

/** Where the survey of what was known after a visit is kept. */
export function earlierSurveyPath(dir: string, visit: number): string {
  return join(dir, `survey-at-${visit}.bin`);
}

/** Notes that a survey of an earlier moment was used, where the directory may be written. */
export function touchSurvey(path: string): void {
  try {
    const now = new Date(systemTimers.wallMs());
    utimesSync(path, now, now);
  } catch {
    // It is deleted somewhat earlier.
  }
}

/** Deletes surveys of earlier moments beyond those used last. */
export function removeOldSurveys(dir: string): void {
  const usedMs = (name: string): number => statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const kept = readdirSync(dir)
    .filter((name) => EARLIER_NAME.test(name))
    .map((name) => ({ name, usedMs: usedMs(name) }))
    .sort((a, b) => b.usedMs - a.usedMs);
  for (const { name } of kept.slice(EARLIER_MAX)) rmSync(join(dir, name), { force: true });
}
