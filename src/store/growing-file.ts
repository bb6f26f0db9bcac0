import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { StoreError } from "./contract.ts";

/** A file that is appended to, of which the first `length` bytes count. */
export class GrowingFile {
  readonly #file: number;
  #length: number;
  #synced = true;

  constructor(path: string, length: number) {
    this.#file = openSync(path, length === 0 ? "w+" : "r+");
    this.#length = length;
    const { size } = fstatSync(this.#file);
    if (size < length) {
      closeSync(this.#file);
      throw new StoreError("failed", `${path} has ${size} bytes, but ${length} were committed: restore it from a copy`);
    }
    ftruncateSync(this.#file, length);
  }

  get length(): number {
    return this.#length;
  }

  append(bytes: Buffer): void {
    this.#synced = false;
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#length + written);
    }
    this.#length += bytes.length;
  }

  sync(): void {
    if (!this.#synced) fdatasyncSync(this.#file);
    this.#synced = true;
  }

  /** Counts as empty from now on; the bytes stay in the file. */
  forget(): void {
    this.#length = 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}
