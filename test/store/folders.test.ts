import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FailureError, UsageError } from "../../src/base/index.ts";
import { makeFolder, refused } from "../../src/store/folders.ts";
import { createCrawl, isCrawl, StoreError } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

describe("a folder is made", () => {
  it("with their parents, and the topmost new one is returned", () => {
    const dir = temporaryDirectory();
    expect(makeFolder(join(dir, "a", "b", "c"))).toBe(join(dir, "a"));
    expect(existsSync(join(dir, "a", "b", "c"))).toBe(true);
    expect(makeFolder(join(dir, "a", "b"))).toBeUndefined();
  });

  it("or refused at once where the system has no room for one, though the parent is there", () => {
    if (process.platform !== "linux") return;
    expect(() => createCrawl("/proc/tidemark/crawl", "{}")).toThrow(
      new UsageError("/proc/tidemark/crawl cannot be used as the directory of a crawl: no directory can be made there"),
    );
  });

  it("or refused in words below a file and at a link to nowhere, and nothing of it stays", () => {
    const dir = temporaryDirectory();
    writeFileSync(join(dir, "file"), "");
    symlinkSync("nowhere", join(dir, "link"));
    expect(() => makeFolder(join(dir, "file", "a"))).toThrow("a part of the path is not a directory");
    expect(() => makeFolder(join(dir, "link"))).toThrow("something else has that name");
    const long = "x".repeat(300);
    expect(() => makeFolder(join(dir, "a", long))).toThrow("the name is too long");
    expect(readdirSync(dir)).toEqual(["file", "link"]);
    mkdirSync(join(dir, "mine"));
    expect(() => makeFolder(join(dir, "mine", "a", long))).toThrow("the name is too long");
    expect(readdirSync(join(dir, "mine"))).toEqual([]);
  });

  it("never without a name", () => {
    expect(() => isCrawl("")).toThrow(
      new UsageError("the name of the directory of the crawl is empty; expected a name"),
    );
  });
});

describe("what the system says about a folder", () => {
  it.each([
    ["EACCES", "permission denied"],
    ["EROFS", "the file system is read-only"],
    ["ELOOP", "its symbolic links lead in a circle"],
  ])("%s is a mistake in words", (code, words) => {
    const error = refused("c", systemError(code));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toBe(`c cannot be used as the directory of a crawl: ${words}`);
  });

  it("is a failure of the world, and no bug of ours, where the disk is full or broken", () => {
    for (const [code, kind] of [
      ["ENOSPC", "disk-full"],
      ["EIO", "failed"],
    ] as const) {
      const error = refused("c", systemError(code));
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toBeInstanceOf(FailureError);
      expect((error as StoreError).kind).toBe(kind);
    }
  });
});

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, mkdir 'c'`), { code });
}
