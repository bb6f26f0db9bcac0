/** Directories that go when the test ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Where temporary directories are made while a test runs. */
export function temporaryPlace(): string {
  const before = process.env["TMPDIR"];
  const place = temporaryDirectory();
  process.env["TMPDIR"] = place;
  onTestFinished(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });
  return place;
}
