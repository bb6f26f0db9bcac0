/** Texts of URLs in a scratch file. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { TextsInFile } from "../../src/cluster/index.ts";
import { cases } from "../support/cases.ts";

/** What the disk takes at once, and in all. */
const disk = vi.hoisted(() => ({ atOnceMax: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY }));

vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  const writeSync = (file: number, bytes: Buffer | string, ...given: readonly number[]): number => {
    // A string is written as a whole, or as much of it as the disk takes.
    const [whole, from, length, position] =
      typeof bytes === "string" ? [Buffer.from(bytes), 0, Buffer.byteLength(bytes), given[0]] : [bytes, ...given];
    if (disk.left <= 0) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC", syscall: "write" });
    const written = fs.writeSync(file, whole, from, Math.min(length, disk.atOnceMax, disk.left), position);
    disk.left -= written;
    return written;
  };
  return { ...fs, writeSync: writeSync as typeof fs.writeSync };
});

function onDisk(limits: Partial<typeof disk>): void {
  onTestFinished(
    () => void Object.assign(disk, { atOnceMax: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY }),
  );
  Object.assign(disk, limits);
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
    for (;;) texts.add("https://a.example/".repeat(1000));
  }).toThrow(expect.objectContaining({ name: "StoreError", kind: "disk-full" }));
  texts.close();
});

it("say that their folder cannot be written", () => {
  const path = join(temporaryPath(), "missing");
  expect(() => new TextsInFile(path)).toThrow(
    expect.objectContaining({ name: "StoreError", kind: "failed", message: expect.stringContaining("ENOENT") }),
  );
});
