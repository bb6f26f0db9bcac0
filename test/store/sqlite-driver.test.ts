/** Which SQLite driver is used, and what is said where there is none. */
import { describe, expect, it } from "vitest";
import { loadDriver } from "../../src/store/sqlite-driver.ts";

type Loaders = Readonly<Record<string, () => unknown>>;

/** A `require` that knows these modules only. */
function requiring(loaders: Loaders): NodeJS.Require {
  const load = (name: string): unknown => {
    const loader = loaders[name];
    if (loader !== undefined) return loader();
    throw Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- x.js`), {
      code: "MODULE_NOT_FOUND",
    });
  };
  return load as NodeJS.Require;
}

/** better-sqlite3 as it is installed: its compiled part is loaded with the first database. */
function betterFailingWith(message: string): Loaders {
  function Better(): never {
    throw new Error(message);
  }
  return { "better-sqlite3": () => Better };
}

describe("without node:sqlite", () => {
  it.each([
    ["is not there", {}, "is not installed", "npm install better-sqlite3@12"],
    [
      "has no compiled part",
      betterFailingWith("Could not locate the bindings file. Tried:\n → build/better_sqlite3.node"),
      "was installed without its compiled part, because install scripts are blocked",
      "npm rebuild better-sqlite3 --ignore-scripts=false",
    ],
    [
      "was built for another Node",
      betterFailingWith("The module 'x.node'\nwas compiled against a different Node.js version"),
      "cannot be loaded (The module 'x.node' was compiled against a different Node.js version)",
      "npm rebuild better-sqlite3",
    ],
  ])("a better-sqlite3 that %s is named with the remedy", (_, loaders, found, remedy) => {
    const load = () => loadDriver(requiring(loaders));
    expect(load).toThrow(expect.objectContaining({ name: "FailureError" }));
    expect(load).toThrow(found);
    expect(load).toThrow(remedy);
    expect(load).toThrow("use Node 22.13 or later");
    expect(load).not.toThrow("\n");
  });
});

it("node:sqlite comes first: better-sqlite3 is not even looked for", () => {
  const opened: unknown[] = [];
  function DatabaseSync(...given: unknown[]): void {
    opened.push(given);
  }
  loadDriver(requiring({ "node:sqlite": () => ({ DatabaseSync }) }))("a.sqlite", true);
  expect(opened).toEqual([["a.sqlite", { readOnly: true }]]);
});
