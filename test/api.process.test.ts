/** The API reference and its examples, and the report that shows a change of the public surface in review. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "out", "examples");
mkdirSync(folder, { recursive: true });

/** A block of the comment that a file begins with, without the comment's margin. */
function block(text: string, language: string): string {
  const [, lines] = new RegExp(`^ \\* \`\`\`${language}\\n(.*?)^ \\* \`\`\`$`, "ms").exec(text) ?? [];
  return (lines ?? "").replace(/^ \* ?/gm, "");
}

const entries = readdirSync(join(root, "src/public"));

it.each(entries)("the example of %s prints what it says", (name) => {
  const text = readFileSync(join(root, "src/public", name), "utf8");
  const file = join(folder, name.replace(/\.ts$/, ".mjs"));
  writeFileSync(file, block(text, "js"));
  const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
  expect(printed).not.toBe("");
  expect(printed).toBe(block(text, "text"));
});

it("the report in docs/api is up to date; if it is not: npm run docs:api, and look at the difference", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/api-report.mjs"), "--check"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

it("the reference is made without a warning", () => {
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [typedoc, "--emit", "none"], {
    cwd: root,
    encoding: "utf8",
  });
  expect({ status, said: stdout + stderr }).toMatchObject({ status: 0, said: expect.not.stringContaining("warning") });
});

describe("every public name", () => {
  let program: ts.Program;
  beforeAll(() => {
    const files = entries.map((entry) => join(root, "src/public", entry));
    program = ts.createProgram(files, {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      allowImportingTsExtensions: true,
      noEmit: true,
      noLib: true,
      types: [],
    });
  });

  it.each(entries)("of %s has a doc comment", (entry) => {
    const checker = program.getTypeChecker();
    const file = program.getSourceFile(join(root, "src/public", entry));
    const module = file && checker.getSymbolAtLocation(file);
    const names = module === undefined ? [] : checker.getExportsOfModule(module);
    expect(names.length).toBeGreaterThan(0);
    const bare = names.filter((name) => {
      const target = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      return target.getDocumentationComment(checker).length === 0;
    });
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});
