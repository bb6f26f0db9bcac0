/** Files that are appended to, and of which a known length counts, whatever a crash has left behind it. */
import {
  closeSync,
  fdatasync as fdatasyncLater,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { StoreError } from "./contract.ts";
import { sqliteFailure } from "./sqlite.ts";

const fdatasync = promisify(fdatasyncLater);

/** A file that is appended to, of which the first `length` bytes count. */
export class GrowingFile {
  length: number;
  /** CRC-32 of the bytes that count, if that of the first ones was given. */
  crc: number | undefined;
  readonly #file: number;
  #syncedBytes: number;
  #syncs = 0;
  #isClosed = false;

  constructor(path: string, length: number, crc?: number) {
    this.#file = openSync(path, length === 0 ? "w+" : "r+");
    this.length = length;
    this.crc = crc;
    const { size } = fstatSync(this.#file);
    if (size < length) {
      closeSync(this.#file);
      throw new StoreError("failed", `${path} has ${size} bytes, but ${length} were committed: restore it from a copy`);
    }
    ftruncateSync(this.#file, length);
    // A power cut must not bring back what was cut off.
    this.#syncedBytes = size === length ? length : -1;
  }

  append(bytes: Buffer): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.length + written);
    }
    this.length += bytes.length;
    if (this.crc !== undefined) this.crc = zlib.crc32(bytes, this.crc);
  }

  sync(): void {
    if (this.#syncedBytes !== this.length) fdatasyncSync(this.#file);
    this.#syncedBytes = this.length;
  }

  /** The same without holding up the thread; more may be appended meanwhile, and it may be closed. */
  async syncLater(): Promise<void> {
    const { length } = this;
    if (this.#syncedBytes === length) return;
    this.#syncs++;
    try {
      await fdatasync(this.#file);
      this.#syncedBytes = Math.max(this.#syncedBytes, length);
    } finally {
      if (--this.#syncs === 0 && this.#isClosed) closeSync(this.#file);
    }
  }

  /** Counts as empty from now on; the bytes stay in the file. */
  forget(): void {
    this.length = 0;
    this.#syncedBytes = 0;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#syncs === 0) closeSync(this.#file);
  }
}

/** What the file system says about the files of an archive, as a StoreError. */
export function named<Result>(dir: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw fileFailure(dir, error);
  }
}

export function fileFailure(dir: string, error: unknown): unknown {
  const failure = sqliteFailure(dir, error);
  if (failure !== error || !(error instanceof Error) || !("syscall" in error)) return failure;
  return new StoreError("failed", `${dir}: ${error.message}`, { cause: error });
}
