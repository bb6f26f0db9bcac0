/**
 * Documents are run: every shell block of the README and of docs/, each in an empty folder, and the examples of the
 * library. The blocks of the tutorial build on each other and run in one folder.
 */
import { execFileSync, spawn } from "node:child_process";
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
import { type Outcome, outcomeOfShell } from "./cli/run.ts";

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

/** Documents whose blocks go on where the one before has ended. */
const stories = new Map([
  ["docs/tutorial.md", "tutorial"],
  ["docs/refresh.md", "refresh"],
]);

const folder = mkdtempSync(join(tmpdir(), "tidemark-docs-"));
const bin = join(folder, "bin");
mkdirSync(bin);
// Many blocks begin with the same crawl of the demo: each is made once, and copied for whoever asks for it again.
shim(
  "tidemark",
  `run() { exec ${process.execPath} ${command} "$@"; }
made="${folder}/made/$*"
case "$1 $2 $4 $6 $#" in
  "demo --coverage --dir --no-serve 6") [ ! -e "$5" ] || run "$@" ;;
  *) run "$@" ;;
esac
if [ ! -e "$made/stdout" ]; then
  mkdir -p "$made" && cd "$made" && (run "$@" > printed) && mv printed stdout && cd "$OLDPWD" || exit
fi
cp -r "$made/$5" "$5" && exec cat "$made/stdout"`,
);
shim("npx", 'exec "$@"');
shim("npm", '[ "$1" = install ]');
shim("git", '[ "$1" = clone ] && mkdir "$(basename "$2")"');
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
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1].trim());
}

function runBlock(block: string, cwd: string): Promise<Outcome> {
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  return outcomeOfShell(spawn("sh", ["-euc", block], { cwd, env }));
}

/** The document's example of the library, from inside the project: there it imports the package by its own name. */
function runExample(document: string, cwd: string): string {
  const [example] = blocks(document, "js");
  mkdirSync(join(root, "out"), { recursive: true });
  const file = join(root, "out", `example-of-${document.replaceAll(/\W/g, "-")}.mjs`);
  writeFileSync(file, example);
  return execFileSync(process.execPath, [file], { cwd, encoding: "utf8" });
}

/** What a document links to or shows, but for the web. */
function linksOf(document: string): { document: string; target: string }[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => ({ document, target: target }));
}

describe("documents", () => {
  const shell = documents.flatMap((document) => blocks(document, "sh").map((block) => ({ document, block })));

  it("show shell commands in the README and in the guide to the certificate", () => {
    expect(new Set(shell.map(({ document }) => document))).toContain("README.md");
    expect(new Set(shell.map(({ document }) => document))).toContain("docs/coverage.md");
  });

  it.each(shell.filter(({ block }) => !runElsewhere.some((each) => block.startsWith(each))))(
    "$document: runs as printed: $block",
    async ({ document, block }) => {
      const { code, stdout, stderr } = await runBlock(block, folderFor(document));
      expect(code, stderr).toBe(0);
      expect(stdout).not.toBe("");
    },
  );

  it.each(["README.md", "docs/coverage.md", "docs/crawling.md"])(
    "%s shows an example of the library that runs",
    (document) => {
      const output = runExample(document, folder);
      const [, pages, coverage] = /^(\d+) pages hold at least ([\d.]+) of all importance/.exec(output) ?? [];
      expect(Number(pages)).toBeGreaterThan(0);
      expect(Number(pages)).toBeLessThan(10_000);
      expect(Number(coverage)).toBeGreaterThanOrEqual(0.9);
    },
  );

  it("show an example of surveys and reports that runs", async () => {
    const cwd = mkdtempSync(join(folder, "run-"));
    expect(await runBlock("tidemark demo --coverage 0.5 --dir demo --no-serve", cwd)).toMatchObject({ code: 0 });
    const output = runExample("docs/dashboard.md", cwd);
    expect(output).toMatch(
      /^[5-9]\d\.\d\d% of what may be fetched is certainly covered, by \d+ pages \(target reached[^)]*\)\n$/,
    );
    expect(readFileSync(join(cwd, "demo.html"), "utf8")).toContain("<h1>The demo</h1>");
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
