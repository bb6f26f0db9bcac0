/**
 * Output files are either complete or absent: each is written under a temporary name beside its target, renamed when
 * complete, and removed on any error and on Ctrl-C. A path that exists and is no regular file (a pipe, a device) is
 * written to directly. `-` is standard output.
 *
 * Signal handlers run only between two turns of the event loop: code that writes for long must call `nextTurn` now and
 * then, or work in another thread.
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
import { standardOutput, standardOutputDrained } from "../terminal/streams.ts";

export interface OutputFile {
  /** As the user named it. */
  readonly path: string;
  readonly descriptor: number;
  /** Used instead of the descriptor where it is given. Takes over the bytes. */
  readonly write?: (bytes: Uint8Array) => void;
}

/** Throws if an output cannot be written. Called before any work is done; paths that were not given are skipped. */
export function checkOutputs(given: readonly (string | undefined)[]): void {
  const paths = given.filter((path) => path !== undefined).filter((path) => path !== STANDARD_OUTPUT);
  const places = paths.map(placeOf);
  const twice = places.findIndex(
    (place, i) => place.direct === false && places.findIndex((other) => other.target === place.target) < i,
  );
  if (twice >= 0) throw new UsageError(`${paths[twice]} is the name of two outputs; give each its own`);
}

export function expectSvg(picture: string | undefined): void {
  if (picture === undefined || picture.endsWith(".svg")) return;
  throw new UsageError(`--picture ${picture}: pictures are SVG files; expected a name that ends in .svg`);
}

/** Opens the outputs for `work`. Keeps all of them if it succeeds, none if it fails. */
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
    const files = paths.map((path) => {
      if (path === STANDARD_OUTPUT) return standardOutput;
      const draft = new Draft(path);
      drafts.push(draft);
      return draft;
    });
    const result = await work(files);
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

/** Lets signals and other events through, and waits for a slow reader of standard output. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
  await standardOutputDrained();
}

const STANDARD_OUTPUT = "-";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface Place {
  /** The file itself, with symbolic links resolved. */
  readonly target: string;
  readonly direct: boolean;
  /** Permissions of the file to be replaced. */
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

  /** Makes sure that all bytes are on the disk. */
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
    if (status.isDirectory()) throw new UsageError("is a folder; expected the name of a file");
    accessSync(path, constants.W_OK);
    if (!status.isFile()) return { target: path, direct: true, mode: undefined };
    const target = realpathSync(path);
    accessSync(dirname(target), constants.W_OK);
    return { target, direct: false, mode: status.mode & 0o7777 };
  });
}
