/**
 * What the package exports, entry by entry: what the API report in docs/api says, so that a change of the public
 * surface is seen in review. Everything else in `src` is internal and may move.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { VERSION } from "../src/base/index.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** These compute only: a program that uses them loads no database, no network and no file system. */
const PURE = ["graph", "rank", "coverage", "order", "seeds", "community", "refresh", "web"];
const PURE_PACKAGES = new Set([
  "@exodus/bytes/encoding.js",
  "@exodus/bytes/whatwg.js",
  "html-encoding-sniffer",
  "htmlparser2",
  "parse5",
  "re2js",
  "tldts",
]);

const entries = readdirSync(join(root, "docs/api")).map((name) => name.replace(/\.api\.md$/, ""));

describe("the public entries", () => {
  it("are the files of src/public and the exports of package.json", () => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    const { exports } = JSON.parse(text) as { exports: Record<string, unknown> };
    const expected = entries.map((entry) => [
      entry === "main" ? "." : `./${entry}`,
      { types: `./dist/public/${entry}.d.ts`, default: `./dist/public/${entry}.js` },
    ]);
    expect(exports).toEqual({ ...Object.fromEntries(expected), "./package.json": "./package.json" });
    expect(readdirSync(join(root, "src/public")).sort()).toEqual(entries.map((entry) => `${entry}.ts`).sort());
  });

  it.each(entries)("%s exports exactly the names of its report (npm run docs:api writes it anew)", (entry) => {
    const report = readFileSync(join(root, "docs/api", `${entry}.api.md`), "utf8");
    const reported = report.matchAll(/^export (?:abstract )?(?:class|const|function|interface|type) ([\w$]+)/gm);
    expect(namesOf(entry)).toEqual(Array.from(reported, ([, name]) => name).sort());
  });

  it.each(PURE)("%s loads neither a database nor the network nor the file system", (entry) => {
    const outside = packagesBehind(`public/${entry}.ts`);
    expect([...outside].filter((name) => !PURE_PACKAGES.has(name))).toEqual([]);
  });

  it("would notice a file system", () => {
    expect(packagesBehind("public/main.ts")).toContain("node:fs");
  });

  it("have the version of package.json", () => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ version: VERSION });
  });
});

/** The names that a public file exports. Such files only pass names on: `export { value, type Type } from "..."`. */
function namesOf(entry: string): string[] {
  const names: string[] = [];
  const source = sourceOf(`public/${entry}.ts`);
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) {
      throw new Error(`public/${entry}.ts has a statement that is not an export by name: ${statement.getText(source)}`);
    }
    if (!ts.isNamedExports(statement.exportClause)) throw new Error(`public/${entry}.ts exports a namespace`);
    names.push(...statement.exportClause.elements.map(({ name }) => name.text));
  }
  return names.sort();
}

/**
 * Packages, and modules of Node, that a file loads, by way of whatever it imports. Imports of mere types load nothing.
 */
function packagesBehind(path: string, seen = new Set<string>()): Set<string> {
  const outside = new Set<string>();
  if (seen.has(path)) return outside;
  seen.add(path);
  for (const statement of sourceOf(path).statements) {
    const name = loadedBy(statement);
    if (name === undefined) continue;
    if (!name.startsWith(".")) outside.add(name);
    else for (const each of packagesBehind(normalize(join(dirname(path), name)), seen)) outside.add(each);
  }
  return outside;
}

function loadedBy(statement: ts.Statement): string | undefined {
  const isImport = ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly !== true;
  const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly;
  if (!isImport && !isExport) return undefined;
  const { moduleSpecifier } = statement;
  return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}

const parsed = new Map<string, ts.SourceFile>();

function sourceOf(path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(root, "src", path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  parsed.set(path, source);
  return source;
}
