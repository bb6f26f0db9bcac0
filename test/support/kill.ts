/**
 * A process that is killed at a write, without a process: what lies in its directory at that moment is copied, and the
 * copy is what its successor finds. Whatever the killed one does later fails, and goes to the directory it had.
 *
 * Writes are those of the store (`beforeWrite`), and each change of a file by `node:fs`; one that appends may be killed
 * in its middle as well. Those inside of SQLite are not among them (test/crawl/crash.process.test.ts).
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary.ts";

/** As modules import it, so that it can be changed for all of them. */
const fs = createRequire(import.meta.url)("node:fs") as typeof import("node:fs");

class Killed extends Error {}

export class Kill {
  /** Writes so far. */
  writes = 0;
  readonly #dir: string;
  readonly #at: number;
  #left: string | undefined;

  /** `at`: the number of the write, from 1; Infinity for one that lives on. */
  constructor(dir: string, at: number) {
    this.#dir = dir;
    this.#at = at;
  }

  /** The directory that the killed process has left; undefined if it was not killed. */
  get left(): string | undefined {
    return this.#left;
  }

  /** Before each write. */
  write(): void {
    if (this.#left === undefined && ++this.writes === this.#at) {
      const left = join(temporaryDirectory(), "crawl");
      fs.cpSync(this.#dir, left, { recursive: true });
      this.#left = left;
    }
    if (this.#left !== undefined) throw new Killed(`killed at write ${this.#at}`);
  }

  /** Acts until it is killed. */
  async during(act: () => Promise<void>): Promise<void> {
    const { writeSync, openSync, ftruncateSync, renameSync, rmSync } = fs;
    const before =
      <Args extends readonly unknown[], Result>(change: (...args: Args) => Result) =>
      (...args: Args): Result => {
        this.write();
        return change(...args);
      };
    Object.assign(fs, {
      writeSync: (file: number, bytes: Buffer | string, ...rest: number[]) => {
        this.write();
        const all = Buffer.from(bytes as Buffer);
        const [offset = 0, length = all.length - offset, position] = rest;
        const half = Math.floor(length / 2);
        const at = (done: number): number | null => (position === undefined ? null : position + done);
        const first = writeSync(file, all, offset, half, at(0));
        this.write();
        return first + writeSync(file, all, offset + half, length - half, at(half));
      },
      openSync: (path: string, flags: string, mode?: number) => {
        if (flags.startsWith("w")) this.write();
        return openSync(path, flags, mode);
      },
      ftruncateSync: before(ftruncateSync),
      renameSync: before(renameSync),
      rmSync: before(rmSync),
    });
    syncBuiltinESMExports();
    try {
      await act();
    } catch (error) {
      if (this.#left === undefined) throw error;
    } finally {
      Object.assign(fs, { writeSync, openSync, ftruncateSync, renameSync, rmSync });
      syncBuiltinESMExports();
    }
  }
}
