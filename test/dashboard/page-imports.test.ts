/** What reaches the browser: the page's own files, words and numbers, and nothing that was written for Node. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../src/", import.meta.url));
/** Files outside of the page that it may import more than types from; they are held to the same. */
const SHARED = new Set(["text/index.ts", "base/index.ts"]);

/** Imports of a file that leave something in the compiled page. */
function importsOfValues(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const { importClause } = statement;
    const names = importClause?.namedBindings;
    const areTypes =
      importClause?.isTypeOnly === true ||
      (importClause?.name === undefined &&
        names !== undefined &&
        ts.isNamedImports(names) &&
        names.elements.every(({ isTypeOnly }) => isTypeOnly));
    return areTypes ? [] : [statement.moduleSpecifier.text];
  });
}

function strangersIn(path: string, text: string): string[] {
  return importsOfValues(path, text)
    .filter((name) => name.startsWith(".") || name.startsWith("node:"))
    .map((name) => (name.startsWith(".") ? normalize(join(dirname(path), name)) : name))
    .filter((target) => !/^(dashboard\/page|text)\//.test(target) && !SHARED.has(target))
    .map((target) => `${path} imports ${target}`);
}

it("imports nothing but its own files, types, and what a browser understands", () => {
  const page = readdirSync(join(root, "dashboard/page"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && name !== "vite.config.ts")
    .map((name) => `dashboard/page/${name}`);
  expect(page.length).toBeGreaterThan(20);
  const text = readdirSync(join(root, "text")).map((name) => `text/${name}`);
  const broken = [...page, ...text].flatMap((path) => strangersIn(path, readFileSync(join(root, path), "utf8")));
  expect(broken).toEqual([]);
});

it("would notice a module of the crawl, and lets types pass", () => {
  const path = "dashboard/page/views/a.tsx";
  expect(strangersIn(path, 'import { certifyLog } from "../../../crawl/index.ts";')).toEqual([
    `${path} imports crawl/index.ts`,
  ]);
  expect(strangersIn(path, 'import { readFileSync } from "node:fs";')).toEqual([`${path} imports node:fs`]);
  const types =
    'import type { Limits } from "../../../crawl/index.ts"; import { type A } from "../../../web/index.ts";';
  expect(strangersIn(path, types)).toEqual([]);
});
