/** The name of a test file says what it needs, so that `npm run test:fast` starts no process and no browser. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("./", import.meta.url));
const PROCESS = "node:child_process";
const BROWSER = "playwright-core";

it.each([
  [".test.ts", []],
  [".process.test.ts", [PROCESS]],
  [".browser.test.ts", [PROCESS, BROWSER]],
])("a file that ends in %s needs nothing but %j", (ending, allowed) => {
  const files = testFiles().filter((name) => endingOf(name) === ending);
  expect(files.length).toBeGreaterThan(5);
  const needs = files.map((name) => [name, ...needsOf(name).filter((need) => !allowed.includes(need))]);
  expect(needs.filter(([, ...needed]) => needed.length > 0)).toEqual([]);
});

function testFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));
}

function endingOf(name: string): string {
  return /(\.process|\.browser)?\.test\.ts$/.exec(name)?.[0] ?? "";
}

/** By itself, or by what it imports from this folder. */
function needsOf(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const imports = ts.preProcessFile(readFileSync(join(root, name), "utf8")).importedFiles;
  const names = imports.map(({ fileName }) => fileName);
  const beside = names
    .filter((other) => other.startsWith("."))
    .map((other) => normalize(join(dirname(name), other)))
    .filter((other) => !other.startsWith("..") && other.endsWith(".ts"));
  const needed = names.filter((other) => other === PROCESS || other === BROWSER);
  return [...new Set([...needed, ...beside.flatMap((other) => needsOf(other, seen))])];
}
