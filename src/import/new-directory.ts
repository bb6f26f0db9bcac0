/**
 * A crawl directory that is made of what is known already. It is made under another name beside its place, and renamed
 * when it is whole: so one that is there is whole.
 */
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Clock, systemTimers, UsageError } from "../base/index.ts";
import { ImportedPages, type StoredSettings, writeEnd } from "../crawl/index.ts";
import { createCrawl, isCrawl, makeFolder } from "../store/index.ts";

export interface NewDirectory {
  readonly out: string;
  readonly settings: StoredSettings;
  readonly signal?: AbortSignal | undefined;
  /** Is called with the unfinished directory when all else is in it. */
  readonly finish?: (dir: string) => void;
}

/** How long this thread may work before others run, and how often facts are committed. */
const TURN_MS = 50;
const COMMIT_MS = 2000;

/** Throws a `UsageError` unless a directory can be made there. */
export function expectFree(out: string): void {
  if (isCrawl(out)) throw new UsageError(`${out} already holds a crawl; give another --out`);
  const there = statSync(out, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new UsageError(`${out} is a file; expected a directory to make`);
  const [other] = readdirSync(out);
  if (other !== undefined) throw new UsageError(`${out} is not empty (${other}); give a new or empty directory`);
}

/** Makes a directory, or leaves nothing. `write` calls `turn` often. */
export async function newDirectory(
  { out: path, settings, signal, finish }: NewDirectory,
  write: (pages: ImportedPages, turn: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const out = resolve(path);
  makeFolder(dirname(out));
  const unfinished = mkdtempSync(join(dirname(out), `.${basename(out)}-unfinished-`));
  // Inside, since a temporary folder is its owner's alone.
  const made = join(unfinished, "crawl");
  try {
    const store = createCrawl(made, JSON.stringify(settings));
    try {
      const breather = new Breather(signal, () => store.commit());
      await write(await ImportedPages.open(settings, store), () => breather.take());
      signal?.throwIfAborted();
      writeEnd(store, { reason: "imported", atMs: systemTimers.wallMs() });
    } finally {
      store.close();
    }
    finish?.(made);
    renameSync(made, out);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Lets others run now and then: Ctrl-C, above all. */
export class Breather {
  readonly #signal: AbortSignal | undefined;
  readonly #commit: () => void;
  readonly #clock: Clock = systemTimers;
  #turnMs = this.#clock.nowMs();
  #committedMs = this.#turnMs;

  constructor(signal: AbortSignal | undefined, commit: () => void = () => {}) {
    this.#signal = signal;
    this.#commit = commit;
  }

  async take(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#turnMs < TURN_MS) return;
    if (nowMs - this.#committedMs >= COMMIT_MS) {
      this.#commit();
      this.#committedMs = this.#clock.nowMs();
    }
    await nextTurn();
    this.#turnMs = this.#clock.nowMs();
    this.#signal?.throwIfAborted();
  }
}
