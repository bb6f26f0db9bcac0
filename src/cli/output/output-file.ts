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
  writeSync,
} from "node:fs";
import { constants as system } from "node:os";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { UsageError } from "../../base/index.ts";
import { withFile } from "../terminal/endings.ts";
import { standardOutput, standardOutputDrained } from "../terminal/terminal.ts";

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
export function writeOutputs<T>(
  paths: readonly string[],
  work: (files: readonly OutputFile[]) => Promise<T>,
): Promise<T> {
  const drafts: Draft[] = [];
  return allOrNothing(drafts, async () => {
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
  });
}

/** Discards the drafts, those that are added meanwhile too, if `work` fails or a signal ends it. */
export async function allOrNothing<T>(
  drafts: readonly { readonly discard: () => void }[],
  work: () => Promise<T>,
): Promise<T> {
  const discard = (): void => {
    for (const draft of drafts) draft.discard();
  };
  const stop = (signal: NodeJS.Signals): void => {
    discard();
    process.exit(128 + system.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work();
  } catch (error) {
    discard();
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

const BUFFER_BYTES = 1 << 20;

/** Bytes and text into an open file, in large writes; gzipped if its name ends in .gz. */
export class ByteSink {
  /** Bytes written to the file so far. */
  written = 0;
  readonly #file: OutputFile;
  readonly #isGzipped: boolean;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;

  constructor(file: OutputFile) {
    this.#file = file;
    this.#isGzipped = file.path.endsWith(".gz");
  }

  write(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length) {
      const to = Math.min(chunk.length, from + BUFFER_BYTES - this.#used);
      this.#buffer.set(chunk.subarray(from, to), this.#used);
      this.#used += to - from;
      from = to;
      if (this.#used === BUFFER_BYTES) this.#flush();
    }
  }

  writeText(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    if (3 * text.length > BUFFER_BYTES) return this.write(Buffer.from(text));
    if (this.#used + 3 * text.length > BUFFER_BYTES) this.#flush();
    this.#used += this.#buffer.write(text, this.#used);
  }

  /** Writes what is left; the file stays open. */
  finish(): void {
    // Nothing at all is a gzip file, too.
    if (this.#used > 0 || (this.#isGzipped && this.written === 0)) this.#flush();
  }

  /** A gzipped file is a sequence of gzipped parts (RFC 1952, section 2.2), so each part is compressed on its own. */
  #flush(): void {
    const { path, descriptor, write } = this.#file;
    const bytes = this.#buffer.subarray(0, this.#used);
    const packed = this.#isGzipped ? gzipSync(bytes) : bytes;
    withFile(path, () => {
      if (write !== undefined) write(packed.slice());
      else for (let at = 0; at < packed.length; ) at += writeSync(descriptor, packed, at);
    });
    this.written += packed.length;
    this.#used = 0;
  }
}

type Piece = string | Uint8Array;
type Pieces = Iterable<Piece> | AsyncIterable<Piece>;

export interface TextFile {
  /** Gzipped if it ends in .gz; `-` is standard output. */
  readonly path: string;
  readonly text: string | Pieces;
}

/** Writes all files, or none if one fails. */
export function writeTexts(texts: readonly TextFile[]): Promise<void> {
  const paths = texts.map(({ path }) => path);
  return writeOutputs(paths, async (files) => {
    for (const [i, file] of files.entries()) await writePieces(file, texts[i].text);
  });
}

interface PageValues {
  readonly pages: Uint32Array;
  /** One value per page each. */
  readonly columns: readonly Float64Array[];
  readonly urls: ReadonlyMap<number, string>;
}

/** Writes one line per page: id, the values with 17 digits, the URL where it is known; separated by tabs. */
export function writePageValues(path: string, values: PageValues): Promise<void> {
  return writeTexts([{ path, text: linesOf(values) }]);
}

function* linesOf({ pages, columns, urls }: PageValues): Generator<string> {
  for (const [i, page] of pages.entries()) {
    const url = urls.get(page);
    const values = columns.map((column) => column[i].toPrecision(17));
    yield `${[page, ...values, ...(url === undefined ? [] : [url])].join("\t")}\n`;
  }
}

/** Writes a text or bytes into an open file and returns its size in bytes. `onStep` is called now and then. */
export async function writePieces(file: OutputFile, text: string | Pieces, onStep?: () => void): Promise<number> {
  const sink = new ByteSink(file);
  let length = 0;
  const isStep = (piece: Piece): boolean => {
    if (typeof piece === "string") sink.writeText(piece);
    else sink.write(piece);
    length += piece.length;
    if (length < CHARACTERS_PER_STEP) return false;
    length = 0;
    onStep?.();
    return true;
  };
  const pieces = typeof text === "string" ? [text] : text;
  // A loop that awaits every line of a long list would take several times as long.
  if (Symbol.iterator in pieces) {
    for (const piece of pieces) if (isStep(piece)) await nextTurn();
  } else for await (const piece of pieces) if (isStep(piece)) await nextTurn();
  sink.finish();
  return sink.written;
}

const CHARACTERS_PER_STEP = 1 << 18;
