/**
 * Files that are whole or not there: written under another name beside the target, renamed when complete, removed on
 * any error and on Ctrl-C. What exists and is no regular file (a pipe, a device) is written to directly.
 *
 * Handlers of signals run only between two turns of the event loop: whoever writes for long gives way now and then
 * (`nextTurn`), or works in another thread.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { constants as system } from "node:os";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { UsageError } from "../../base/index.ts";
import { withFile } from "../terminal/endings.ts";

export interface OutputFile {
  /** As the user named it. */
  readonly path: string;
  readonly descriptor: number;
  /** Writes some bytes, which are then its own, where that is not done by the descriptor. */
  readonly write?: (bytes: Uint8Array) => void;
}

/** Refuses outputs that cannot be written, before any work is done. */
export function checkOutputs(paths: readonly string[]): void {
  const places = paths.map(placeOf);
  const twice = places.findIndex(
    (place, i) => place.direct === false && places.findIndex((other) => other.target === place.target) < i,
  );
  if (twice >= 0) throw new UsageError(`${paths[twice]} is the name of two outputs; give each its own`);
}

/** Opens the outputs for `work` and keeps all of them if it succeeds, none if it fails. */
export async function writeOutputs<T>(
  paths: readonly string[],
  work: (files: readonly OutputFile[]) => Promise<T>,
): Promise<T> {
  const drafts: Draft[] = [];
  const stop = (signal: NodeJS.Signals): void => {
    for (const draft of drafts) draft.discard();
    process.exit(128 + system.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    for (const path of paths) drafts.push(new Draft(path));
    const result = await work(drafts);
    for (const draft of drafts) draft.complete();
    for (const draft of drafts) draft.publish();
    return result;
  } catch (error) {
    for (const draft of drafts) draft.discard();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Lets signals and other events through. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface Place {
  /** The file meant, behind symbolic links. */
  readonly target: string;
  readonly direct: boolean;
  /** Permissions of the file that is replaced. */
  readonly mode: number | undefined;
}

class Draft implements OutputFile {
  readonly path: string;
  readonly descriptor: number;
  readonly #place: Place;
  readonly #written: string;
  #open = true;
  #published = false;

  constructor(path: string) {
    const place = placeOf(path);
    this.path = path;
    this.#place = place;
    this.#written = place.direct
      ? place.target
      : join(dirname(place.target), `.${basename(place.target)}.${process.pid}.partial`);
    this.descriptor = withFile(path, () => openSync(this.#written, "w"));
  }

  /** Everything is on the disk. */
  complete(): void {
    const { direct, mode } = this.#place;
    withFile(this.path, () => {
      if (!direct) fsyncSync(this.descriptor);
      if (mode !== undefined) fchmodSync(this.descriptor, mode);
      this.#close();
    });
  }

  publish(): void {
    if (!this.#place.direct) withFile(this.path, () => renameSync(this.#written, this.#place.target));
    this.#published = true;
  }

  discard(): void {
    this.#close();
    if (!this.#place.direct && !this.#published) rmSync(this.#written, { force: true });
  }

  #close(): void {
    if (this.#open) closeSync(this.descriptor);
    this.#open = false;
  }
}

function placeOf(path: string): Place {
  return withFile(path, () => {
    const folder = dirname(path);
    if (!existsSync(folder)) throw new UsageError(`the folder ${folder} does not exist`);
    if (!existsSync(path)) {
      accessSync(folder, constants.W_OK);
      return { target: join(realpathSync(folder), basename(path)), direct: false, mode: undefined };
    }
    const status = statSync(path);
    if (status.isDirectory()) throw new UsageError("is a folder, expected the name of a file");
    accessSync(path, constants.W_OK);
    if (!status.isFile()) return { target: path, direct: true, mode: undefined };
    const target = realpathSync(path);
    accessSync(dirname(target), constants.W_OK);
    return { target, direct: false, mode: status.mode & 0o7777 };
  });
}
