/** The cheap half of `npm run test:mutants`: every mutant still finds the text that it changes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../support/temporary.ts";
import { allMutants, mutantsWith } from "./all.ts";
import { type Mutant, problemsOf, whyNotApplicable } from "./mutant.ts";

const SLOW = "a.process.test.ts";
const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the list of mutants", () => {
  it("applies to the source as it is", () => {
    expect(problemsOf(root, allMutants)).toEqual([]);
  });

  it("has each mutant once, and a sentence for each", () => {
    const changes = allMutants.map(({ file, find, replace }) => JSON.stringify([file, find, replace]));
    expect(new Set(changes).size).toBe(changes.length);
    expect(new Set(allMutants.map(({ plants }) => plants)).size).toBe(changes.length);
    for (const { plants } of allMutants) expect(plants).toMatch(/^[A-Z].*\.$/);
  });

  it("is narrowed to areas, or to pieces of a file name or a sentence", () => {
    const areasWith = (...texts: string[]) => new Set(mutantsWith(texts).map(({ area }) => area));
    expect(areasWith("graph")).toEqual(new Set(["graph"]));
    expect(areasWith("graph", "rank")).toEqual(new Set(["graph", "rank"]));
    for (const { file } of mutantsWith(["intervals.ts"])) expect(file).toBe("src/coverage/intervals.ts");
    expect(mutantsWith(["intervals.ts"]).length).toBeGreaterThan(0);
    expect(mutantsWith(["no mutant says this"])).toEqual([]);
    expect(mutantsWith([])).toBe(allMutants);
  });
});

describe("a mutant does not apply", () => {
  const mutant: Mutant = {
    file: "source.ts",
    find: "a = 1",
    replace: "a = 2",
    plants: "It counts one too many.",
    killedBy: ["a.test.ts"],
  };

  it.each([
    ["when its text is gone", { find: "c = 1" }, "its text occurs 0 times in source.ts, expected once: c = 1"],
    ["when its text stands there twice", { find: " = 1" }, "its text occurs 2 times in source.ts, expected once:  = 1"],
    ["when its file is gone", { file: "moved.ts" }, "there is no moved.ts"],
    ["when a test that it names is gone", { killedBy: ["a.test.ts", "b.test.ts"] }, "there is no b.test.ts"],
    ["when a test that it names runs the build", { killedBy: [SLOW] }, `${SLOW} is not of the fast tests`],
    ["when it names no test", { killedBy: [] }, "it names no test file"],
    ["when it changes nothing", { replace: "a = 1" }, "its replacement changes nothing"],
  ])("%s", (_, change, why) => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, "source.ts"), "let a = 1;\nlet b = 1;\n");
    for (const test of ["a.test.ts", SLOW]) writeFileSync(join(folder, test), "");
    expect(whyNotApplicable(folder, mutant)).toBeNull();
    expect(whyNotApplicable(folder, { ...mutant, ...change })).toBe(why);
    const named = problemsOf(folder, [{ ...mutant, ...change, area: "area" }]);
    expect(named).toEqual([expect.stringContaining("area: It counts one too many.")]);
  });
});
