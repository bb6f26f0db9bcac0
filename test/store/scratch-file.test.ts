/** Scratch files: on a disk, on one that is full, on one that is broken. */
import fs, { existsSync, fstatSync, ftruncateSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCrawl, MemoryStore, openCrawl, ScratchFile, StoreError } from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const DISK_FULL = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC", syscall: "write" });
const BROKEN = Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });

/** Replaces functions of the file system until the test ends. */
function replaced(by: Partial<typeof fs>): void {
  const before = Object.fromEntries(Object.keys(by).map((name) => [name, fs[name as keyof typeof fs]]));
  Object.assign(fs, by);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, before);
    syncBuiltinESMExports();
  });
}

/** A disk that writes and reads so many bytes at once, and has room for so many; the descriptors that were opened. */
function onDisk({ atOnceMax = Number.POSITIVE_INFINITY, left = Number.POSITIVE_INFINITY }): { files: number[] } {
  const { writeSync, readSync, openSync } = fs;
  const files: number[] = [];
  replaced({
    writeSync: ((file: number, bytes: Uint8Array, from: number, length: number, position: number): number => {
      if (left <= 0) throw DISK_FULL;
      const written = writeSync(file, bytes, from, Math.min(length, atOnceMax, left), position);
      left -= written;
      return written;
    }) as typeof writeSync,
    readSync: ((file: number, bytes: Uint8Array, from: number, length: number, position: number): number =>
      readSync(file, bytes, from, Math.min(length, atOnceMax), position)) as typeof readSync,
    openSync: ((...given: Parameters<typeof openSync>): number => {
      files.push(openSync(...given));
      return files[files.length - 1];
    }) as typeof openSync,
  });
  return { files };
}

function bytesOf(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, k) => (k * 31 + seed * 17) & 0xff);
}

function readAt(file: ScratchFile, place: number, length: number): number[] {
  const bytes = new Uint8Array(length);
  file.read(bytes, place);
  return [...bytes];
}

describe("a scratch file", () => {
  it("has what was appended, wherever it is read, and no name", () => {
    const dir = temporaryDirectory();
    onDisk({ atOnceMax: 100 });
    const pieces = fc.array(fc.nat({ max: 700 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pieces, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }), (lengths, reads) => {
        const file = new ScratchFile(join(dir, "scratch"));
        const all: number[] = [];
        for (const [k, length] of lengths.entries()) {
          expect(file.append(bytesOf(length, k))).toBe(true);
          all.push(...bytesOf(length, k));
          expect(readdirSync(dir)).toEqual([]);
          for (const [from, count] of reads) {
            const place = from % (all.length + 1);
            const length = count % (all.length - place + 1);
            expect(readAt(file, place, length)).toEqual(all.slice(place, place + length));
          }
        }
        file.close();
      }),
      { numRuns: cases(50) },
    );
  });

  it("is made only when there is something to write", () => {
    const { files } = onDisk({});
    const file = new ScratchFile(join(temporaryDirectory(), "scratch"));
    expect(files).toEqual([]);
    file.append(bytesOf(1, 1));
    expect(files.length).toBe(1);
    file.close();
  });

  it("takes the place of one that a process has left, and never opens it", () => {
    const dir = temporaryDirectory();
    const path = join(dir, "scratch");
    const precious = join(dir, "precious");
    writeFileSync(precious, "of somebody else");
    fs.symlinkSync(precious, path);
    const file = new ScratchFile(path);
    expect(file.append(bytesOf(10, 1))).toBe(true);
    expect([existsSync(path), fs.readFileSync(precious, "utf8")]).toEqual([false, "of somebody else"]);
    file.close();
  });

  it("says so where it cannot be made, and leaves everything as it is", () => {
    const dir = temporaryDirectory();
    mkdirSync(join(dir, "scratch"));
    for (const path of [join(dir, "scratch"), join(dir, "missing", "scratch")]) {
      const file = new ScratchFile(path);
      expect([file.append(bytesOf(10, 1)), file.append(bytesOf(10, 1))]).toEqual([false, false]);
      file.close();
    }
    expect(readdirSync(dir)).toEqual(["scratch"]);
  });

  it("is not used where its name cannot be taken away", () => {
    const refused = Object.assign(new Error("EBUSY: in use"), { code: "EBUSY", syscall: "unlink" });
    const { files } = onDisk({});
    replaced({
      unlinkSync: () => {
        throw refused;
      },
    });
    const file = new ScratchFile(join(temporaryDirectory(), "scratch"));
    expect(file.append(bytesOf(10, 1))).toBe(false);
    expect(() => fstatSync(files[0])).toThrow("EBADF");
  });

  it("keeps what it has where the disk is full, and gives back what was written of the rest", () => {
    const { files } = onDisk({ left: 150 });
    const file = new ScratchFile(join(temporaryDirectory(), "scratch"));
    expect([file.append(bytesOf(100, 1)), file.append(bytesOf(100, 2))]).toEqual([true, false]);
    expect(fstatSync(files[0]).size).toBe(100);
    expect(readAt(file, 0, 100)).toEqual([...bytesOf(100, 1)]);
    file.close();
  });

  it("throws a StoreError where it cannot be read: broken, too short, or closed", () => {
    const { files } = onDisk({});
    const dir = temporaryDirectory();
    const file = new ScratchFile(join(dir, "scratch"));
    file.append(bytesOf(100, 1));
    ftruncateSync(files[0], 60);
    expect(() => readAt(file, 50, 20)).toThrow(`${dir}: a scratch file ends at byte 60; expected 100 bytes`);
    expect(readAt(file, 40, 20)).toEqual([...bytesOf(100, 1)].slice(40, 60));
    replaced({
      readSync: () => {
        throw BROKEN;
      },
    });
    const error = errorOf(() => readAt(file, 0, 20));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ kind: "failed", message: `${dir}: EIO: i/o error, read` });
    file.close();
    file.close();
    expect(() => readAt(file, 0, 20)).toThrow(StoreError);
    expect(file.append(bytesOf(1, 1))).toBe(false);
  });
});

describe("the scratch file of a crawl directory", () => {
  it("is no part of the directory, and is freed by the next one and with the store", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const names = readdirSync(dir);
    const { files } = onDisk({});
    const first = store.scratch("links");
    expect([first.memoryBytes, first.append(bytesOf(100, 1))]).toEqual([2 ** 24, true]);
    expect(readdirSync(dir)).toEqual(names);
    const second = store.scratch("links");
    expect(() => fstatSync(files[0])).toThrow("EBADF");
    expect(second.append(bytesOf(100, 2))).toBe(true);
    expect(fstatSync(files[1]).size).toBe(100);
    expect(readdirSync(dir)).toEqual(names);
    store.close();
    expect(() => fstatSync(files[1])).toThrow("EBADF");
  });

  it("is another one for each use", () => {
    const store = createCrawl(temporaryDirectory(), "{}");
    const { files } = onDisk({});
    const [links, origins] = [store.scratch("links"), store.scratch("origins")];
    expect([links.memoryBytes, origins.memoryBytes]).toEqual([2 ** 24, 2 ** 22]);
    expect([links.append(bytesOf(100, 1)), origins.append(bytesOf(50, 2))]).toEqual([true, true]);
    expect(files.map((file) => fstatSync(file).size)).toEqual([100, 50]);
    const [one, other] = [new Uint8Array(50), new Uint8Array(50)];
    links.read(one, 0);
    origins.read(other, 0);
    expect([one, other]).toEqual([bytesOf(50, 1), bytesOf(50, 2)]);
    store.close();
    for (const file of files) expect(() => fstatSync(file)).toThrow("EBADF");
  });

  it("ends the store where it cannot be read: what was not committed is undone, and nothing more is taken", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    store.putMeta("committed", "yes");
    store.commit();
    const scratch = store.scratch("links");
    scratch.append(bytesOf(100, 1));
    store.putMeta("half of a page", "yes");
    expect(() => scratch.read(new Uint8Array(10), 95)).toThrow(StoreError);
    expect(() => store.putMeta("more", "yes")).toThrow("a scratch file ends");
    expect(() => store.commit()).toThrow("a scratch file ends");
    store.close();
    const again = openCrawl(dir);
    expect(["committed", "half of a page", "more"].map((key) => again.meta(key))).toEqual([
      "yes",
      undefined,
      undefined,
    ]);
    again.close();
  });

  it("is given up where closing it fails, and the crawl is closed all the same", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const { files } = onDisk({});
    const scratch = store.scratch("links");
    scratch.append(bytesOf(100, 1));
    const { closeSync } = fs;
    const closed: number[] = [];
    replaced({
      closeSync: (file) => {
        closed.push(file);
        closeSync(file);
        if (file === files[0]) throw BROKEN;
      },
    });
    store.putMeta("kept", "yes");
    store.close();
    scratch.close();
    expect(closed.filter((file) => file === files[0])).toEqual([files[0]]);
    const again = openCrawl(dir);
    expect(again.meta("kept")).toBe("yes");
    again.close();
  });

  it("is not there where the directory may not be written any more", () => {
    const dir = temporaryDirectory();
    const store = createCrawl(dir, "{}");
    const { openSync } = fs;
    replaced({
      openSync: ((path: string, ...rest: [string]) => {
        if (path.startsWith(dir)) throw Object.assign(new Error("EROFS"), { code: "EROFS", syscall: "open" });
        return openSync(path, ...rest);
      }) as typeof openSync,
    });
    expect(store.scratch("links").append(bytesOf(10, 1))).toBe(false);
    store.putMeta("taken", "yes");
    store.close();
  });

  it("is not needed by a crawl in memory", () => {
    expect("scratch" in new MemoryStore()).toBe(false);
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("expected an error");
}
