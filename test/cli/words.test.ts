import { expect, it } from "vitest";
import { programName } from "../../src/cli/terminal/words.ts";

it.each([
  [{}, "tidemark"],
  [{ npm_lifecycle_event: "npx", npm_lifecycle_script: "'tidemark'" }, "npx tidemark"],
  [{ npm_lifecycle_event: "npx", npm_lifecycle_script: 'tidemark "demo"' }, "npx tidemark"],
  [{ npm_lifecycle_event: "npx", npm_lifecycle_script: "'vitest'" }, "tidemark"],
  [{ npm_lifecycle_event: "test", npm_lifecycle_script: "tidemark demo" }, "tidemark"],
])("the program is called as the user calls it: %j", (environment, name) => {
  expect(programName(environment)).toBe(name);
});
