/**
 * A scratch file: bytes of one process that would take too much memory. Its name is taken away as soon as it is open,
 * so it is part of no directory that anybody copies, and the system frees it however the process ends. Where a name
 * cannot be taken away, there is no scratch file. What a process leaves that dies in between is empty, and goes when
 * the next file is made.
 */
import { closeSync, ftruncateSync, openSync, readSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { type Scratch, type ScratchUse, StoreError } from "./contract.ts";
import { errorCode } from "./folders.ts";
import { fileFailure } from "./growing-file.ts";

/**
 * The links of some 300,000 pages, and the origins of two million URLs: whoever crawls fewer never uses the disk for
 * them. Less of origins, since few are read, and those again and again.
 */
const MEMORY_BYTES: Readonly<Record<ScratchUse, number>> = { links: 16 * 2 ** 20, origins: 4 * 2 ** 20 };

interface ScratchOptions {
  /** Decides how much stays in memory (default: "links"). */
  readonly use?: ScratchUse;
  /** Given an error of reading, what is thrown instead (default: the error). */
  readonly failed?: (error: unknown) => unknown;
}

/** A file that is made when the first bytes come, under a name that nobody else uses. */
export class ScratchFile implements Scratch {
  readonly memoryBytes: number;
  readonly #path: string;
  readonly #failed: (error: unknown) => unknown;
  #file: number | undefined;
  #length = 0;
  #isClosed = false;

  constructor(path: string, { use = "links", failed = (error) => error }: ScratchOptions = {}) {
    this.#path = path;
    this.memoryBytes = MEMORY_BYTES[use];
    this.#failed = failed;
  }

  append(bytes: Uint8Array): boolean {
    if (this.#isClosed) return false;
    try {
      this.#file ??= openNameless(this.#path);
      for (let from = 0; from < bytes.length; ) {
        from += writeSync(this.#file, bytes, from, bytes.length - from, this.#length + from);
      }
      this.#length += bytes.length;
      return true;
    } catch (error) {
      if (errorCode(error) === "") throw error;
      this.#cut();
      return false;
    }
  }

  /** On a disk that is full, half of what was to be written is in nobody's way. */
  #cut(): void {
    try {
      if (this.#file !== undefined) ftruncateSync(this.#file, this.#length);
    } catch {
      // What lies behind the end is never read.
    }
  }

  read(bytes: Uint8Array, place: number): void {
    try {
      for (let from = 0; from < bytes.length; ) {
        from += this.#readSome(bytes, from, place + from);
      }
    } catch (error) {
      throw this.#failed(fileFailure(dirname(this.#path), error));
    }
  }

  #readSome(bytes: Uint8Array, from: number, place: number): number {
    const dir = dirname(this.#path);
    if (this.#file === undefined) throw new StoreError("failed", `${dir}: a scratch file was read that is not open`);
    const more = readSync(this.#file, bytes, from, bytes.length - from, place);
    if (more > 0) return more;
    throw new StoreError("failed", `${dir}: a scratch file ends at byte ${place}; expected ${this.#length} bytes`);
  }

  close(): void {
    this.#isClosed = true;
    const file = this.#file;
    this.#file = undefined;
    try {
      if (file !== undefined) closeSync(file);
    } catch {
      // Nobody wants what is in it, and whoever closes it has more to close.
    }
  }
}

/** Never opens a file that is there: in a folder of everybody it might be anybody's. */
function openNameless(path: string): number {
  rmSync(path, { force: true });
  const file = openSync(path, "wx+", 0o600);
  try {
    unlinkSync(path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
