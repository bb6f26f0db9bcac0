/**
 * Brings WARC files of workers on many machines together in the archive of a crawl: copies from folders what the logs
 * count of each file, compares checksums, and adopts it (warc-adoption.ts).
 *
 * The files themselves are only read: their writers may still append to them. A copy has another name until it is
 * whole, so a process that is killed leaves nothing that could be taken for one. What is there already is not copied
 * again; of a file that has grown, only what is new.
 */
import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import zlib from "node:zlib";
import { messageOf } from "../base/index.ts";
import { StoreError } from "./contract.ts";
import { errorCode, makeFolder } from "./folders.ts";
import { GrowingFile, named } from "./growing-file.ts";
import { indexNameOf, shardOfFile, type WarcMark } from "./shard-warc.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { WarcAdoption } from "./warc-adoption.ts";
import type { WarcOptions } from "./warc-writer.ts";

export interface CollectionOptions extends WarcOptions {
  /** Of the crawl, which nobody else has open. */
  readonly dir: string;
  readonly store: SqliteStore;
  /** All files of the workers by name, and how much of each counts. */
  readonly files: ReadonlyMap<string, WarcMark>;
  /** Where a file may be, the most likely place first. */
  readonly foldersOf: (name: string) => readonly string[];
  /** Ends it early: what was brought by then stays. */
  readonly signal: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

/** A file of which not all that counts could be brought. */
export interface MissingWarc {
  readonly name: string;
  readonly shard: number;
  /** Responses that the archive lacks. */
  readonly responses: number;
  /** "not found", or what is wrong with what was found. */
  readonly problem: string;
}

export interface Collection {
  /** In the archive now, with their responses. */
  readonly files: number;
  readonly responses: number;
  readonly missing: readonly MissingWarc[];
  readonly isInterrupted: boolean;
}

const NOTHING: WarcMark = { bytes: 0, lines: 0, crc: 0 };
const PARTIAL = ".partial";
const CHUNK_BYTES = 1 << 20;
/** What a process that is killed has to copy again, at most, besides the file that it was at. */
const COMMIT_BYTES = 2 ** 30;

export async function collectWarc(options: CollectionOptions): Promise<Collection> {
  const { dir, store, files, foldersOf, signal, onBytes, ...warc } = options;
  for (const name of files.keys()) {
    if (shardOfFile(name) !== undefined) continue;
    throw new StoreError("failed", `the log counts a WARC file called ${name}, which no worker can have written`);
  }
  makeFolder(join(dir, "warc"));
  const adoption = new WarcAdoption(dir, store, files.keys(), { ...warc, keepsUnknown: true });
  try {
    const collector = new Collector(dir, adoption, { foldersOf, signal, ...(onBytes && { onBytes }) });
    const missing: MissingWarc[] = [];
    for (const [name, mark] of files) {
      const problem = await collector.bring(name, mark);
      if (problem === undefined) continue;
      const responses = mark.lines - (adoption.adopted.get(name)?.lines ?? 0);
      missing.push({ name, shard: shardOfFile(name) ?? 0, responses, problem });
    }
    adoption.finish();
    const there = [...files.keys()].flatMap((name) => adoption.adopted.get(name) ?? []);
    const responses = there.reduce((sum, { lines }) => sum + lines, 0);
    return { files: there.length, responses, missing, isInterrupted: signal.aborted };
  } finally {
    adoption.close();
  }
}

type CollectorOptions = Pick<CollectionOptions, "foldersOf" | "signal" | "onBytes">;

class Collector {
  readonly #folder: string;
  readonly #adoption: WarcAdoption;
  readonly #options: CollectorOptions;
  #copied = 0;
  #uncommitted = 0;

  constructor(dir: string, adoption: WarcAdoption, options: CollectorOptions) {
    this.#folder = join(dir, "warc");
    this.#adoption = adoption;
    this.#options = options;
    for (const name of readdirSync(this.#folder)) {
      const isPartial = name.endsWith(PARTIAL) && shardOfFile(name.slice(0, -PARTIAL.length)) !== undefined;
      if (isPartial) rmSync(join(this.#folder, name));
    }
  }

  /** Returns why not all of it could be brought. */
  async bring(name: string, mark: WarcMark): Promise<string | undefined> {
    const path = this.#adoption.pathOf(name);
    const size = sizeOf(path);
    const adopted = this.#adoption.adopted.get(name) ?? NOTHING;
    // Somebody may have deleted it.
    const before = size < adopted.bytes ? NOTHING : adopted;
    if (before.bytes >= mark.bytes) return undefined;
    if (this.#options.signal.aborted) return INTERRUPTED;
    // Somebody may have copied it to here, or an earlier run was killed.
    if (before === NOTHING && size >= mark.bytes && (await isIntact(path, mark))) {
      this.#adopt(name, mark);
      return undefined;
    }
    const problems: string[] = [];
    for (const folder of this.#options.foldersOf(name)) {
      const problem = await this.#copyFrom(folder, name, { before, mark });
      if (problem === undefined) return undefined;
      if (problem !== NOT_FOUND) problems.push(problem);
    }
    return problems[0] ?? NOT_FOUND;
  }

  async #copyFrom(
    folder: string,
    name: string,
    { before, mark }: { readonly before: WarcMark; readonly mark: WarcMark },
  ): Promise<string | undefined> {
    const from = join(folder, name);
    const size = sizeOf(from);
    if (size < 0) return NOT_FOUND;
    if (size < mark.bytes) return `${from} has only ${size} of ${mark.bytes} bytes`;
    const path = this.#adoption.pathOf(name);
    // Of a file that is adopted, what is added counts when it is adopted as well.
    const target = before === NOTHING ? `${path}${PARTIAL}` : path;
    const problem = await this.#copy(from, target, { before, mark });
    if (problem !== undefined) {
      this.#undo(target, before);
      return problem;
    }
    if (target !== path) named(this.#folder, () => renameSync(target, path));
    copyIndex(join(folder, indexNameOf(name)), this.#adoption.pathOf(indexNameOf(name)));
    this.#adopt(name, mark);
    return undefined;
  }

  async #copy(
    from: string,
    to: string,
    { before, mark }: { readonly before: WarcMark; readonly mark: WarcMark },
  ): Promise<string | undefined> {
    const target = named(this.#folder, () => new GrowingFile(to, before.bytes, before.crc));
    try {
      const problem = await eachChunk(from, { from: before.bytes, to: mark.bytes }, (chunk) => {
        named(this.#folder, () => target.append(chunk));
        this.#copied += chunk.length;
        this.#uncommitted += chunk.length;
        this.#options.onBytes?.(this.#copied);
        return !this.#options.signal.aborted;
      });
      if (problem !== undefined) return problem;
      if (target.length < mark.bytes) return INTERRUPTED;
      if (target.crc !== mark.crc) return `${from} is damaged: it does not have the bytes that its worker has written`;
      named(this.#folder, () => target.sync());
      return undefined;
    } finally {
      target.close();
    }
  }

  #undo(target: string, before: WarcMark): void {
    named(this.#folder, () => {
      if (before === NOTHING) rmSync(target, { force: true });
      else new GrowingFile(target, before.bytes).close();
    });
  }

  #adopt(name: string, mark: WarcMark): void {
    this.#adoption.adopt(name, mark);
    if (this.#uncommitted < COMMIT_BYTES) return;
    this.#adoption.commit();
    this.#uncommitted = 0;
  }
}

const NOT_FOUND = "not found";
const INTERRUPTED = "interrupted before it was copied";

/** -1 if there is no such file. */
function sizeOf(path: string): number {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status?.isFile() === true ? status.size : -1;
  } catch {
    return -1;
  }
}

async function isIntact(path: string, { bytes, crc }: WarcMark): Promise<boolean> {
  let found = 0;
  await eachChunk(path, { from: 0, to: bytes }, (chunk) => {
    found = zlib.crc32(chunk, found);
    return true;
  });
  return found === crc;
}

/** Hands out a part of a file until `take` returns false. Returns why it cannot be read, if that is so. */
async function eachChunk(
  path: string,
  part: { readonly from: number; readonly to: number },
  take: (chunk: Buffer) => boolean,
): Promise<string | undefined> {
  let file: FileHandle | undefined;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    file = await open(path, "r");
    for (let at = part.from; at < part.to; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, part.to - at), at);
      if (bytesRead === 0) return `${path} has only ${at} of ${part.to} bytes`;
      if (!take(chunk.subarray(0, bytesRead))) return undefined;
      at += bytesRead;
    }
    return undefined;
  } catch (error) {
    // What the disk of the archive says is another matter.
    if (error instanceof StoreError || errorCode(error) === "") throw error;
    return `${path} cannot be read (${messageOf(error)})`;
  } finally {
    await file?.close();
  }
}

/** Without it, or with half of it, the lines are made again. */
function copyIndex(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch {
    rmSync(to, { force: true });
  }
}
