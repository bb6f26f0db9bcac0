/** A folder of files is written as a whole, or left as it was. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkFolder, isFolderName, type NamedText, writeFolder } from "../../src/cli/output/page-folder.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const FILES: readonly NamedText[] = [
  { path: "a.example/index.md", text: "front" },
  { path: "a.example/docs/x.md", text: "é" },
  { path: "b.example/index.md", text: "b" },
];
const nothing = () => {};
const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort();

it.each([
  ["new", false],
  ["empty", true],
])("is written where it is %s", async (_, exists) => {
  const path = `${join(temporaryDirectory(), "corpus")}/`;
  if (exists) mkdirSync(path);
  checkFolder(path);
  expect(await writeFolder(path, FILES, nothing)).toBe(8);
  expect(readdirSync(path).sort()).toEqual(["a.example", "b.example"]);
  expect(filesIn(path)).toEqual(FILES.map((file) => file.path).sort());
  expect(readFileSync(join(path, "a.example/docs/x.md"), "utf8")).toBe("é");
});

it.each([
  ["is not there", false],
  ["is empty", true],
])("is left as it was when the work fails, if it %s", async (_, exists) => {
  const path = `${join(temporaryDirectory(), "corpus")}/`;
  if (exists) mkdirSync(path);
  const failing = function* (): Generator<NamedText> {
    yield* FILES;
    expect(filesIn(path)).toHaveLength(3);
    // None has its name before all are there.
    expect(readdirSync(path).filter((name) => !name.startsWith("."))).toEqual([]);
    throw new Error("the disk is full");
  };
  await expect(writeFolder(path, failing(), nothing)).rejects.toThrow("the disk is full");
  expect(existsSync(path) && readdirSync(path)).toEqual(exists ? [] : false);
});

it("never writes a file twice", async () => {
  const path = `${join(temporaryDirectory(), "corpus")}/`;
  await expect(writeFolder(path, [...FILES, FILES[0]], nothing)).rejects.toThrow("a.example/index.md");
  expect(existsSync(path)).toBe(false);
});

it("lets others work meanwhile, and says so", async () => {
  const many = Array.from({ length: 100 }, (_, k) => ({ path: `a/${k}.md`, text: "x" }));
  let steps = 0;
  await writeFolder(`${join(temporaryDirectory(), "corpus")}/`, many, () => void steps++);
  expect(steps).toBe(3);
});

it("must be new or empty, in a folder that exists", () => {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, "file"), "");
  expect(() => checkFolder(`${dir}/`)).toThrow("the folder is not empty; name a new one, or remove what is in it");
  expect(() => checkFolder(`${join(dir, "no", "corpus")}/`)).toThrow("does not exist");
  expect(() => checkFolder(`${join(dir, "file")}/`)).toThrow("is a file; expected a new or an empty folder");
  expect([isFolderName("corpus/"), isFolderName("corpus")]).toEqual([true, false]);
});
