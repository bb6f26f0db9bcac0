/** Installed with install scripts blocked (npm --ignore-scripts, pnpm): better-sqlite3 has no compiled part. */
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeOf } from "../support/nodes.ts";
import { installed, root } from "./installed.ts";
import { Folder, outcomeOf } from "./run.ts";

async function withoutBinary(): Promise<string> {
  const program = await installed();
  const modules = join(program, "..");
  rmSync(join(modules, "better-sqlite3"));
  for (const part of ["package.json", "lib"]) {
    cpSync(join(root, "node_modules/better-sqlite3", part), join(modules, "better-sqlite3", part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules/bindings"), join(modules, "bindings"));
  return join(program, "dist/cli/main.js");
}

it("a Node with SQLite crawls all the same, and prints no warning", async () => {
  const folder = new Folder();
  const child = folder.start(nodeOf(22), [await withoutBinary(), "demo", "--coverage", "0.5", "--dir", "d", "--json"]);
  const { code, stdout, stderr } = await outcomeOf(child);
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/Experimental|Warning/)]);
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ reason: "coverage-reached" });
});

it("Node 20 is told what is missing and what to do", async () => {
  const folder = new Folder();
  const child = folder.start(nodeOf(20), [await withoutBinary(), "demo", "--dir", "d", "--no-serve"]);
  const { code, stderr } = await outcomeOf(child);
  expect(code).toBe(1);
  expect(stderr).toContain("better-sqlite3 was installed without its compiled part");
  expect(stderr).toContain("Node 22.13 or later");
  expect(stderr).toContain("npm rebuild better-sqlite3");
  expect(stderr).not.toMatch(/bug in tidemark|\n\s+at /);
});
