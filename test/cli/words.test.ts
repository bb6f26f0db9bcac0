import { expect, it } from "vitest";
import { fitted, programName, shellWord, wrapped } from "../../src/cli/terminal/layout.ts";

it.each([
  [{}, "tidemark"],
  [{ npm_lifecycle_event: "npx", npm_lifecycle_script: "'tidemark'" }, "npx tidemark"],
  [{ npm_lifecycle_event: "npx", npm_lifecycle_script: 'tidemark "demo"' }, "npx tidemark"],
  [{ npm_lifecycle_event: "npx", npm_lifecycle_script: "'vitest'" }, "tidemark"],
  [{ npm_lifecycle_event: "test", npm_lifecycle_script: "tidemark demo" }, "tidemark"],
])("the program is called as the user calls it: %j", (environment, name) => {
  expect(programName(environment)).toBe(name);
});

it("words are quoted where a shell needs it", () => {
  expect([shellWord("crawl-a.example"), shellWord("it's mine")]).toEqual(["crawl-a.example", "'it'\\''s mine'"]);
});

it("notes are broken between words, with later lines indented", () => {
  expect(wrapped("one two three four", { width: 9, hanging: 2 })).toBe("one two\n  three\n  four\n");
  expect(wrapped("one two", { width: 7, indent: 0 })).toBe("one two\n");
});

it("long sentences of an answer are wrapped, all other lines stay", () => {
  const coloured = "\u001B[1mtitle of a table\u001B[0m";
  expect(fitted(`a  b\n\n${coloured}\none two three\n`, { width: 8 })).toBe(`a  b\n\n${coloured}\none two\nthree\n`);
});
