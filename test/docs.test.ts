/**
 * Documents are run: every shell block of the README and of docs/, each in an empty folder, and the README's example of the library. The
 * blocks of the tutorial build on each other and run in one folder.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const command = join(root, "dist/cli/main.js");
const documents = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** These are the test command itself, and the benchmarks, which take minutes and are run tiny elsewhere. */
const runElsewhere = ["npm install && npm test", "npm run bench"];

const stories = new Map([["docs/tutorial.md", "tutorial"]]);

const folder = mkdtempSync(join(tmpdir(), "tidemark-docs-"));
const bin = join(folder, "bin");
mkdirSync(bin);
shim("tidemark", `exec ${process.execPath} ${command} "$@"`);
shim("npx", 'exec "$@"');
shim("npm", '[ "$1" = install ]');
afterAll(() => rmSync(folder, { recursive: true }));

function shim(name: string, line: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(bin, name), 0o755);
}

function folderFor(document: string): string {
  const story = stories.get(document);
  if (story === undefined) return mkdtempSync(join(folder, "run-"));
  mkdirSync(join(folder, story), { recursive: true });
  return join(folder, story);
}

function blocks(document: string, language: string): string[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) =>
    match[1]!.trim(),
  );
}

/** What a document links to or shows, but for the web. */
function linksOf(document: string): { document: string; target: string }[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => ({ document, target: target! }));
}

describe("documents", () => {
  const shell = documents.flatMap((document) => blocks(document, "sh").map((block) => ({ document, block })));

  it("show shell commands in the README and in the guide to the certificate", () => {
    expect(new Set(shell.map(({ document }) => document))).toContain("README.md");
    expect(new Set(shell.map(({ document }) => document))).toContain("docs/coverage.md");
  });

  it.each(shell.filter(({ block }) => !runElsewhere.some((each) => block.startsWith(each))))(
    "$document: runs as printed: $block",
    ({ document, block }) => {
      const cwd = folderFor(document);
      const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
      const output = execFileSync("sh", ["-euc", block], {
        cwd,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
      expect(output).not.toBe("");
    },
  );

  it("show an example of the library that runs", () => {
    // Inside the project, so that it imports the package by its own name.
    const [example] = blocks("README.md", "js");
    mkdirSync(join(root, "out"), { recursive: true });
    const file = join(root, "out", "readme-example.mjs");
    writeFileSync(file, example!);
    const output = execFileSync(process.execPath, [file], { encoding: "utf8" });
    const [, pages, coverage] = /^(\d+) pages hold at least ([\d.]+) of all importance/.exec(output) ?? [];
    expect(Number(pages)).toBeGreaterThan(0);
    expect(Number(pages)).toBeLessThan(10_000);
    expect(Number(coverage)).toBeGreaterThanOrEqual(0.9);
  });

  it("link only to files that are there, the README only to such as are published with it", () => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    const { files } = JSON.parse(text) as { files: string[] };
    const links = documents.flatMap(linksOf);
    expect(links.map(({ document }) => document)).toContain("README.md");
    for (const { document, target } of links) {
      const path = join(document, "..", target);
      expect(existsSync(join(root, path)), `${document} -> ${target}`).toBe(true);
      if (document === "README.md") expect(files).toContain(path.split("/")[0]);
    }
  });
});
