/**
 * Bodies as they came: gzipped WARC files of about 1 GiB in `warc/`, with an index (cdxj.ts).
 *
 * Before the store commits, the files are on disk, and their length is a fact in the store. What lies beyond the
 * committed length when the archive is opened again is cut off; so a crash leaves no half record and no record of an
 * unknown page.
 *
 * A body that was stored before is not stored again: later ones are revisit records. The latest 65,536 bodies are
 * remembered, until a restart.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { indexLine, mergeIndex, mimeOf, REVISIT, scanWarc } from "./cdxj.ts";
import { dropOldest } from "../base/index.ts";
import { type Archive, type HttpExchange, StoreError } from "./contract.ts";
import { syncDirectory } from "./folders.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { sqliteFailure } from "./sqlite.ts";
import { contentTypeOf, type Original, payloadDigest, request, response, responseId, warcinfo } from "./warc-record.ts";

export interface WarcOptions {
  /** Name and version of the crawler, for the first record of a file. */
  readonly software: string;
  /** A file that has grown to this size is the last but one; 1 GiB unless said. */
  readonly fileBytesMax?: number;
  /** Of how many bodies it is remembered that they were kept; 65,536 unless said, about 20 MB. */
  readonly rememberedMax?: number;
}

const META_KEY = "warc";
const FILE_BYTES_MAX = 2 ** 30;
const REMEMBERED_MAX = 2 ** 16;
const FILE_NAME = /^tidemark-(\d{5,})\.warc\.gz$/;

/** What of the archive is committed. */
interface Mark {
  /** The number of the last file, 0 before the first. */
  readonly file: number;
  readonly bytes: number;
  /** Of the part of the index that is not yet merged. */
  readonly indexBytes: number;
  readonly merged: boolean;
  /** By which rules the keys of the index were made; left out by versions whose keys no other archive has. */
  readonly keys?: number;
}

/** Those of surt.ts. */
const KEYS = 1;
const NOTHING: Mark = { file: 0, bytes: 0, indexBytes: 0, merged: false, keys: KEYS };

/** The archive of a crawl, durable with each commit of its store and closed with it. */
export function openWarc(dir: string, store: SqliteStore, options: WarcOptions): Archive {
  const committed = store.meta(META_KEY);
  const mark: Mark = committed === undefined ? NOTHING : JSON.parse(committed);
  const archive = named(dir, () => new WarcArchive(join(dir, "warc"), mark, options));
  let written = JSON.stringify(mark);
  let failure: unknown;
  store.onCommit(() => {
    // The facts of a page whose body is lost would be committed without it.
    if (failure !== undefined) throw failure;
    const now = JSON.stringify(archive.sync());
    if (now !== written) store.putMeta(META_KEY, now);
    written = now;
  });
  store.onClose((inOrder) => {
    try {
      if (!inOrder) return;
      archive.mergeIndex();
      store.commit();
      archive.dropPart();
    } finally {
      archive.close();
    }
  });
  return {
    keep(exchange) {
      try {
        archive.keep(exchange);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
}

class WarcArchive implements Archive {
  readonly #dir: string;
  readonly #software: string;
  readonly #fileBytesMax: number;
  readonly #remembered = new Map<string, Original>();
  readonly #index: GrowingFile;
  readonly #rememberedMax: number;
  #file: GrowingFile | undefined;
  #number: number;
  #merged: boolean;
  #directorySynced = false;

  constructor(dir: string, mark: Mark, options: WarcOptions) {
    this.#dir = dir;
    this.#software = options.software;
    this.#fileBytesMax = options.fileBytesMax ?? FILE_BYTES_MAX;
    this.#rememberedMax = options.rememberedMax ?? REMEMBERED_MAX;
    this.#number = mark.file;
    this.#merged = mark.merged;
    mkdirSync(dir, { recursive: true });
    for (const name of readdirSync(dir)) {
      if (Number(FILE_NAME.exec(name)?.[1] ?? 0) > mark.file) rmSync(join(dir, name));
    }
    if (mark.file > 0) this.#file = new GrowingFile(this.#path(mark.file), mark.bytes);
    const partBytes = statSync(this.#partPath, { throwIfNoEntry: false })?.size ?? 0;
    // One that no mark knows is of a crawl that was started anew, or in the part as well.
    if (mark.keys !== KEYS || !mark.merged) rmSync(this.#indexPath, { force: true });
    const isMissing = partBytes < mark.indexBytes || (mark.merged && !existsSync(this.#indexPath));
    const lost = mark.keys !== KEYS || isMissing;
    this.#index = new GrowingFile(this.#partPath, lost ? 0 : mark.indexBytes);
    if (lost) this.#rebuildIndex();
  }

  keep(exchange: HttpExchange): void {
    named(this.#dir, () => this.#keep(exchange));
  }

  /** What is on disk when this returns. */
  sync(): Mark {
    return named(this.#dir, () => {
      this.#file?.sync();
      this.#index.sync();
      if (!this.#directorySynced) syncDirectory(this.#dir);
      this.#directorySynced = true;
      return {
        file: this.#number,
        bytes: this.#file?.length ?? 0,
        indexBytes: this.#index.length,
        merged: this.#merged,
        keys: KEYS,
      };
    });
  }

  /** The part stays until the next mark, which says that it is merged, is committed. */
  mergeIndex(): void {
    named(this.#dir, () => {
      this.#index.sync();
      mergeIndex(this.#indexPath, this.#partPath);
      this.#index.forget();
      this.#merged = true;
      this.#directorySynced = false;
    });
  }

  dropPart(): void {
    named(this.#dir, () => rmSync(this.#partPath, { force: true }));
  }

  close(): void {
    this.#index.close();
    this.#file?.close();
  }

  #keep(exchange: HttpExchange): void {
    const file = this.#fileFor(exchange.dateMs);
    const place = { file: nameOf(this.#number), offset: file.length };
    const digest = payloadDigest(exchange.body);
    const original = exchange.truncated ? undefined : this.#remembered.get(digest);
    const bytes = response(exchange, place, digest, original);
    const recordId = responseId(exchange, place);
    file.append(Buffer.concat([bytes, request(exchange, place, recordId)]));
    const { url, dateMs, status } = exchange;
    const mime = original === undefined ? mimeOf(contentTypeOf(exchange)) : REVISIT;
    const { file: filename, offset } = place;
    const line = indexLine({ url, dateMs, mime, status, digest, length: bytes.length, offset, filename });
    this.#index.append(Buffer.from(line));
    const worthRemembering = original === undefined && !exchange.truncated && exchange.body.length > 0;
    if (!worthRemembering) return;
    this.#remembered.set(digest, { recordId, url, dateMs });
    dropOldest(this.#remembered, this.#rememberedMax);
  }

  #fileFor(dateMs: number): GrowingFile {
    if (this.#file !== undefined && this.#file.length < this.#fileBytesMax) return this.#file;
    this.#file?.sync();
    this.#file?.close();
    this.#file = undefined;
    this.#number++;
    const file = new GrowingFile(this.#path(this.#number), 0);
    this.#file = file;
    this.#directorySynced = false;
    file.append(warcinfo(this.#software, dateMs, { file: nameOf(this.#number), offset: 0 }));
    return file;
  }

  #rebuildIndex(): void {
    for (let number = 1; number <= this.#number; number++) {
      for (const entry of scanWarc(this.#path(number), nameOf(number)))
        this.#index.append(Buffer.from(indexLine(entry)));
    }
  }

  get #indexPath(): string {
    return join(this.#dir, "index.cdxj");
  }

  get #partPath(): string {
    return join(this.#dir, "index.cdxj.part");
  }

  #path(number: number): string {
    return join(this.#dir, nameOf(number));
  }
}

function nameOf(number: number): string {
  return `tidemark-${String(number).padStart(5, "0")}.warc.gz`;
}

/** What the file system says, as a StoreError. */
function named<Result>(dir: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const failure = sqliteFailure(dir, error);
    if (failure !== error || !(error instanceof Error) || !("syscall" in error)) throw failure;
    throw new StoreError("failed", `${dir}: ${error.message}`, { cause: error });
  }
}

/** A file that is appended to, of which the first `length` bytes count. */
class GrowingFile {
  length: number;
  readonly #file: number;
  #synced = true;

  constructor(path: string, length: number) {
    this.#file = openSync(path, length === 0 ? "w+" : "r+");
    this.length = length;
    const { size } = fstatSync(this.#file);
    if (size < length) {
      closeSync(this.#file);
      throw new StoreError("failed", `${path} has ${size} bytes, but ${length} were committed: restore it from a copy`);
    }
    ftruncateSync(this.#file, length);
  }

  append(bytes: Buffer): void {
    this.#synced = false;
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.length + written);
    }
    this.length += bytes.length;
  }

  sync(): void {
    if (!this.#synced) fdatasyncSync(this.#file);
    this.#synced = true;
  }

  /** Counts as empty from now on; the bytes stay in the file. */
  forget(): void {
    this.length = 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}
