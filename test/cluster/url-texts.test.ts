/** Texts of URLs in a scratch file. */
import fs, { existsSync, mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { TextsInFile } from "../../src/cluster/index.ts";
import { cases } from "../support/cases.ts";

/** A disk that takes so many bytes at once, and in all, until the test ends. */
function onDisk({ atOnceMax = Number.POSITIVE_INFINITY, left = Number.POSITIVE_INFINITY }): void {
  const { writeSync } = fs;
  const replace = (by: typeof writeSync): void => {
    fs.writeSync = by;
    syncBuiltinESMExports();
  };
  onTestFinished(() => replace(writeSync));
  const limited = (file: number, bytes: Buffer, from: number, length: number, position: number): number => {
    if (left <= 0) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC", syscall: "write" });
    const written = writeSync(file, bytes, from, Math.min(length, atOnceMax, left), position);
    left -= written;
    return written;
  };
  replace(limited as typeof writeSync);
}

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-texts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "texts");
}

/** From a few bytes to more than is kept in memory. */
const text = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom(0, 1, 9_000, 400_000, 1_100_000))
  .map(([word, times]) => word + "/é".repeat(times / 2));

it("come back as they were, in whatever order they are asked for, also between additions", () => {
  const path = temporaryPath();
  // Less than the longest text.
  onDisk({ atOnceMax: 700_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.array(fc.nat(), { maxLength: 4 })), { maxLength: 24 }), (steps) => {
      const texts = new TextsInFile(path);
      expect(existsSync(path)).toBe(false);
      const known: string[] = [];
      for (const [added, asked] of steps) {
        texts.add(added);
        known.push(added);
        for (const number of asked) {
          // `toBe` would print megabytes.
          if (texts.get(number % known.length) !== known[number % known.length]) throw new Error("another text");
        }
      }
      expect(known.every((each, number) => texts.get(number) === each)).toBe(true);
      texts.close();
    }),
    { numRuns: cases(15) },
  );
});

it("say that the disk is full, which is no bug of ours", () => {
  const path = temporaryPath();
  onDisk({ left: 1_500_000 });
  const texts = new TextsInFile(path);
  expect(() => {
    for (let k = 0; k < 1000; k++) texts.add("https://a.example/".repeat(1000));
  }).toThrow(expect.objectContaining({ name: "StoreError", kind: "disk-full" }));
  texts.close();
});

it("say that their folder cannot be written", () => {
  const path = join(temporaryPath(), "missing");
  expect(() => new TextsInFile(path)).toThrow(
    expect.objectContaining({ name: "StoreError", kind: "failed", message: expect.stringContaining("ENOENT") }),
  );
});
