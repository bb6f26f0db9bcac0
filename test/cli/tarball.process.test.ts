/** The tarball that is published: installed by npm in an empty folder, and looked at by what checks types. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NODES, nodeOf } from "../support/nodes.ts";
import { packed, root } from "./installed.ts";
import { Folder } from "./run.ts";

const place = mkdtempSync(join(tmpdir(), "tidemark-tarball-"));
let tarball: string;
beforeAll(async () => {
  tarball = await packed(place, "--ignore-scripts");
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

it("is installed without scripts and runs on every Node, or says which one it needs", async () => {
  const folder = new Folder();
  const install = await folder.shell(`npm install --ignore-scripts --no-audit --no-fund ${tarball}`);
  expect(install).toMatchObject({ code: 0 });
  for (const major of NODES) {
    // npx runs the Node that is found first.
    const path = `${dirname(nodeOf(major))}:${process.env["PATH"] ?? ""}`;
    const demo = await folder.shell(`npx tidemark demo --coverage 0.5 --dir demo-${major} --no-serve`, { PATH: path });
    // On Node 20 the install script of better-sqlite3 is needed.
    if (major === 20) expect(demo).toMatchObject({ code: 1, stderr: expect.stringContaining("Node 22.13 or later") });
    else expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining("certainly covered") });
  }
});

it("has types wherever it is imported from, by import or by a bundler", async () => {
  const { code, stdout } = await new Folder().shell(
    `${root}/node_modules/.bin/attw ${tarball} --profile esm-only --format json`,
  );
  const { analysis } = JSON.parse(stdout) as { analysis: { entrypoints: object } };
  expect(code).toBe(0);
  expect(Object.keys(analysis.entrypoints)).toContain("./rank");
});
