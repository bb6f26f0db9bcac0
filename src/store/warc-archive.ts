/**
 * Bodies as they came: gzipped WARC files in `warc/` (warc-writer.ts), with an index (cdxj.ts).
 *
 * Before the store commits, the files are on disk, and their length is a fact in the store. What lies beyond the
 * committed length when the archive is opened again is cut off; so a crash leaves no half record and no record of an
 * unknown page.
 *
 * Workers write files of their own (shard-warc.ts), which become part of the archive (warc-adoption.ts).
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { indexLine, mergeIndex, scanWarc } from "./cdxj.ts";
import type { Archive, HttpExchange } from "./contract.ts";
import { GrowingFile, named } from "./growing-file.ts";
import { indexedLines, indexNameOf, isShardFile, type WarcMark } from "./shard-warc.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { type WarcOptions, WarcWriter } from "./warc-writer.ts";

const META_KEY = "warc";
/** How much of each file of workers is part of the archive. */
const ADOPTED_KEY = "warcOfWorkers";
const FILE_NAME = /^tidemark-(\d{5,})\.warc\.gz$/;

/** What of the archive is committed. */
export interface Mark {
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
  const mark = markIn(store);
  const ofWorkers = { adopted: adoptedIn(store), isKept: () => false };
  const archive = named(dir, () => new WarcArchive(join(dir, "warc"), mark, ofWorkers, options));
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

export function markIn(store: SqliteStore): Mark {
  const committed = store.meta(META_KEY);
  return committed === undefined ? NOTHING : (JSON.parse(committed) as Mark);
}

export function adoptedIn(store: SqliteStore): ReadonlyMap<string, WarcMark> {
  return new Map(Object.entries(JSON.parse(store.meta(ADOPTED_KEY) ?? "{}") as Record<string, WarcMark>));
}

/** On disk with the next commit. */
export function putMarks(store: SqliteStore, mark: Mark, adopted: ReadonlyMap<string, WarcMark>): void {
  store.putMeta(META_KEY, JSON.stringify(mark));
  store.putMeta(ADOPTED_KEY, JSON.stringify(Object.fromEntries(adopted)));
}

/** Files of workers in the folder of an archive. */
interface OfWorkers {
  /** Part of the archive, up to these marks. */
  readonly adopted: ReadonlyMap<string, WarcMark>;
  /** Whether another file is to stay, by its name or that of the file whose index it is. */
  readonly isKept: (name: string) => boolean;
}

export class WarcArchive implements Archive {
  readonly #dir: string;
  readonly #ofWorkers: OfWorkers;
  readonly #writer: WarcWriter;
  readonly #index: GrowingFile;
  #merged: boolean;

  constructor(dir: string, mark: Mark, ofWorkers: OfWorkers, options: WarcOptions) {
    this.#dir = dir;
    this.#ofWorkers = ofWorkers;
    this.#merged = mark.merged;
    mkdirSync(dir, { recursive: true });
    this.#removeUnknown(mark);
    this.#cutAdopted();
    this.#writer = new WarcWriter({ ...options, dir, nameOf }, { number: mark.file, bytes: mark.bytes });
    const partBytes = statSync(this.#partPath, { throwIfNoEntry: false })?.size ?? 0;
    // One that no mark knows is of a crawl that was started anew, or in the part as well.
    if (mark.keys !== KEYS || !mark.merged) rmSync(this.#indexPath, { force: true });
    const isMissing = partBytes < mark.indexBytes || (mark.merged && !existsSync(this.#indexPath));
    const lost = mark.keys !== KEYS || isMissing;
    this.#index = new GrowingFile(this.#partPath, lost ? 0 : mark.indexBytes);
    if (lost) this.#rebuildIndex();
  }

  keep(exchange: HttpExchange): void {
    named(this.#dir, () => this.#index.append(Buffer.from(this.#writer.keep(exchange))));
  }

  /** Adds the records of a file of a worker to the index, from the byte `from` on. */
  index(name: string, mark: WarcMark, from: number): void {
    const path = join(this.#dir, indexNameOf(name));
    const lines = existsSync(path) ? indexedLines(path, name, mark, from) : undefined;
    if (lines === undefined) this.#indexAgain(name);
    else for (const line of lines) this.#index.append(Buffer.from(`${line}\n`));
  }

  /** What is on disk when this returns. */
  sync(): Mark {
    return named(this.#dir, () => {
      this.#index.sync();
      this.#writer.sync();
      return {
        file: this.#writer.number,
        bytes: this.#writer.bytes,
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
      this.#writer.directoryChanged();
    });
  }

  /** Whether lines of the index are not merged yet. */
  get hasPart(): boolean {
    return this.#index.length > 0;
  }

  dropPart(): void {
    named(this.#dir, () => rmSync(this.#partPath, { force: true }));
  }

  /** Files were put into it. */
  directoryChanged(): void {
    this.#writer.directoryChanged();
  }

  close(): void {
    this.#index.close();
    this.#writer.close();
  }

  #removeUnknown({ file }: Mark): void {
    for (const name of readdirSync(this.#dir)) {
      const isLater = Number(FILE_NAME.exec(name)?.[1] ?? 0) > file;
      if (isLater || (isShardFile(name) && !this.#isKnown(name))) rmSync(join(this.#dir, name));
    }
  }

  /** Or the index of such a file. */
  #isKnown(name: string): boolean {
    const { adopted, isKept } = this.#ofWorkers;
    const file = name.replace(/\.cdxj$/, ".warc.gz");
    return adopted.has(file) || isKept(file);
  }

  /** More was being added to them when a process was killed. */
  #cutAdopted(): void {
    for (const [name, { bytes }] of this.#ofWorkers.adopted) {
      const path = join(this.#dir, name);
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > bytes) truncateSync(path, bytes);
    }
  }

  #rebuildIndex(): void {
    for (let number = 1; number <= this.#writer.number; number++) this.#indexAgain(nameOf(number));
    for (const name of this.#ofWorkers.adopted.keys()) this.#indexAgain(name);
  }

  #indexAgain(name: string): void {
    for (const entry of scanWarc(join(this.#dir, name), name)) this.#index.append(Buffer.from(indexLine(entry)));
  }

  get #indexPath(): string {
    return join(this.#dir, "index.cdxj");
  }

  get #partPath(): string {
    return join(this.#dir, "index.cdxj.part");
  }
}

function nameOf(number: number): string {
  return `tidemark-${String(number).padStart(5, "0")}.warc.gz`;
}
