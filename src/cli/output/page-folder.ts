/**
 * A folder of files, one per page. They are written into a hidden folder inside it and moved when all are complete; on
 * an error and on Ctrl-C the folder is left as it was found.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { UsageError } from "../../base/index.ts";
import { withFile } from "../terminal/endings.ts";
import { allOrNothing, nextTurn } from "./output-file.ts";

export interface NamedText {
  /** Inside the folder, with `/` between folders. */
  readonly path: string;
  readonly text: string;
}

export function isFolderName(path: string): boolean {
  return path.endsWith("/") || path.endsWith(sep);
}

/** Throws if a folder cannot be written. Called before any work is done. */
export function checkFolder(path: string): void {
  withFile(path, () => {
    // Without the slash at its end: with it, a file would not exist.
    const place = resolve(path);
    const folder = existsSync(place) ? place : dirname(path);
    if (!existsSync(folder)) throw new UsageError(`the folder ${folder} does not exist`);
    if (!statSync(folder).isDirectory()) throw new UsageError("is a file; expected a new or an empty folder");
    if (folder === place && readdirSync(place).length > 0) {
      throw new UsageError("the folder is not empty; name a new one, or remove what is in it");
    }
    accessSync(folder, constants.W_OK);
  });
}

/** Writes all files, or none if one fails, and returns their size in bytes. `onStep` is called now and then. */
export function writeFolder(path: string, files: Iterable<NamedText>, onStep: () => void): Promise<number> {
  const drafts: FolderDraft[] = [];
  return allOrNothing(drafts, async () => {
    const draft = new FolderDraft(path);
    drafts.push(draft);
    let count = 0;
    for (const file of files) {
      draft.add(file);
      if (++count % FILES_PER_STEP !== 0) continue;
      onStep();
      await nextTurn();
    }
    draft.publish();
    return draft.written;
  });
}

/** The same for files that `work` writes itself, at the paths that it is told for their names. */
export function fillFolder<T>(path: string, work: (pathOf: (name: string) => string) => Promise<T>): Promise<T> {
  const drafts: FolderDraft[] = [];
  return allOrNothing(drafts, async () => {
    const draft = new FolderDraft(path);
    drafts.push(draft);
    const result = await work((name) => draft.at(name));
    draft.publish();
    return result;
  });
}

const FILES_PER_STEP = 32;

class FolderDraft {
  written = 0;
  readonly #path: string;
  readonly #hidden: string;
  readonly #isNew: boolean;
  readonly #published: string[] = [];
  #lastFolder = "";

  constructor(path: string) {
    this.#path = path;
    this.#hidden = join(path, `.${process.pid}.partial`);
    this.#isNew = !existsSync(path);
    withFile(path, () => mkdirSync(this.#hidden, { recursive: true }));
  }

  /** Where a file is written before all are complete. */
  at(name: string): string {
    return join(this.#hidden, name);
  }

  /** Files are not synced one by one: with thousands of them that would take longer than all the rest. */
  add({ path, text }: NamedText): void {
    const target = join(this.#hidden, path);
    const folder = dirname(target);
    const bytes = Buffer.from(text);
    withFile(join(this.#path, path), () => {
      if (folder !== this.#lastFolder) mkdirSync(folder, { recursive: true });
      writeFileSync(target, bytes, { flag: "wx" });
    });
    this.#lastFolder = folder;
    this.written += bytes.length;
  }

  publish(): void {
    withFile(this.#path, () => {
      for (const name of readdirSync(this.#hidden)) {
        renameSync(join(this.#hidden, name), join(this.#path, name));
        this.#published.push(name);
      }
      rmdirSync(this.#hidden);
    });
  }

  discard(): void {
    for (const name of this.#published) rmSync(join(this.#path, name), { recursive: true, force: true });
    rmSync(this.#hidden, { recursive: true, force: true });
    // Somebody else may have put something there.
    if (this.#isNew && existsSync(this.#path) && readdirSync(this.#path).length === 0) rmdirSync(this.#path);
  }
}
