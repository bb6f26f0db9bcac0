/**
 * Makes files that workers have written (shard-warc.ts) part of the archive of a crawl (warc-archive.ts), each up to
 * its mark.
 *
 * What is adopted is committed with the part of the index that speaks of it, so this may be killed at any moment and
 * done again. The parts are merged in the end, when all files are known to the store.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { GrowingFile, named } from "./growing-file.ts";
import { indexNameOf, type WarcMark } from "./shard-warc.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { adoptedIn, markIn, putMarks, WarcArchive } from "./warc-archive.ts";
import type { WarcOptions } from "./warc-writer.ts";

export interface AdoptionOptions extends WarcOptions {
  /** Other files of workers stay where they are (default: they go, because nobody knows their pages). */
  readonly keepsUnknown?: boolean;
}

/** Of a crawl that nobody else has open. */
export class WarcAdoption {
  /** Of all files of workers in the archive. */
  readonly adopted: Map<string, WarcMark>;
  readonly #dir: string;
  readonly #folder: string;
  readonly #store: SqliteStore;
  readonly #archive: WarcArchive;

  /** `names` are those of files that may be adopted. */
  constructor(dir: string, store: SqliteStore, names: Iterable<string>, options: AdoptionOptions) {
    this.#dir = dir;
    this.#folder = join(dir, "warc");
    this.#store = store;
    const adopted = adoptedIn(store);
    const { keepsUnknown = false, ...warc } = options;
    const awaited = new Set(names);
    const isKept = (name: string): boolean => keepsUnknown || awaited.has(name);
    this.#archive = named(dir, () => new WarcArchive(this.#folder, markIn(store), { adopted, isKept }, warc));
    this.adopted = new Map(adopted);
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** The file is in `warc/`, and its bytes up to the mark are on disk. */
  adopt(name: string, mark: WarcMark): void {
    named(this.#dir, () => {
      cutOff(this.pathOf(name), mark.bytes);
      this.#archive.index(name, mark, this.adopted.get(name)?.bytes ?? 0);
      this.#archive.directoryChanged();
    });
    this.adopted.set(name, mark);
  }

  commit(): void {
    putMarks(
      this.#store,
      named(this.#dir, () => this.#archive.sync()),
      this.adopted,
    );
    this.#store.commit();
  }

  /** Makes one index of all. */
  finish(): void {
    // The index must not speak of a file that a crash would make unknown.
    this.commit();
    if (this.#archive.hasPart) {
      this.#archive.mergeIndex();
      this.commit();
    }
    this.#archive.dropPart();
    named(this.#dir, () => {
      for (const name of this.adopted.keys()) rmSync(this.pathOf(indexNameOf(name)), { force: true });
    });
  }

  close(): void {
    this.#archive.close();
  }
}

/** Adopts files that are in `warc/`. Returns when this is committed; whoever is interrupted can repeat it. */
export function adoptWarc(
  dir: string,
  store: SqliteStore,
  marks: ReadonlyMap<string, WarcMark>,
  options: WarcOptions,
): void {
  const adoption = new WarcAdoption(dir, store, marks.keys(), options);
  try {
    for (const [name, mark] of marks) adoption.adopt(name, mark);
    adoption.finish();
  } finally {
    adoption.close();
  }
}

/** On disk when it returns. */
function cutOff(path: string, bytes: number): void {
  const file = new GrowingFile(path, bytes);
  file.sync();
  file.close();
}
