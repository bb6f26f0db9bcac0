/** The tests of the store on Nodes that have SQLite of their own. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Folder, outcomeOf } from "../cli/run.ts";
import { nodeOf } from "../support/nodes.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** It runs the queries of the documentation with better-sqlite3, which is built for one Node. */
const ELSEWHERE = "database-doc.test.ts";
/** These have no SQLite below them. */
const IN_MEMORY = /^memory-/;

it.each([22, 24] as const)("the store passes its tests with the SQLite of Node %i", async (major) => {
  const names = readdirSync(join(root, "test/store")).filter((name) => /^[a-z-]+\.test\.ts$/.test(name));
  const files = names.filter((name) => name !== ELSEWHERE && !IN_MEMORY.test(name)).map((name) => `test/store/${name}`);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = new Folder().start(nodeOf(major), [vitest, "run", "--root", root, "--project", "fast", ...files], {
    // Or it would take itself for a part of this run.
    VITEST: undefined,
    VITEST_POOL_ID: undefined,
    VITEST_WORKER_ID: undefined,
  });
  const { code, stdout, stderr } = await outcomeOf(child);
  const problems = `${stdout}${stderr}`.split("\n").filter((line) => /FAIL|No such built-in module/.test(line));
  expect([code, problems, stdout.trim().split("\n").at(-1)]).toEqual([
    0,
    [],
    expect.stringMatching(/^[1-9]\d* passed, 0 failed$/),
  ]);
});
