/** Which SQLite driver is used, and what is said where there is none. */
import { describe, expect, it } from "vitest";
import { loadDriver, loadFullTextDriver } from "../../src/store/sqlite-driver.ts";

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

describe("for full-text search", () => {
  /** A driver whose SQLite has FTS5, or not. */
  function driver(name: string, { hasFts5 = true } = {}) {
    return class {
      readonly name = name;
      exec(): void {
        if (!hasFts5) throw new Error("no such module: fts5");
      }
      prepare(): unknown {
        return { all: () => [name] };
      }
      close(): void {}
    };
  }
  const nodeWith = (hasFts5: boolean): Loaders => ({
    "node:sqlite": () => ({ DatabaseSync: driver("node", { hasFts5 }) }),
  });
  const nameOf = (loaders: Loaders): unknown =>
    loadFullTextDriver(requiring(loaders))(":memory:", false).prepare("").all()[0];

  it("node:sqlite comes first, if it can do it", () => {
    expect(nameOf(nodeWith(true))).toBe("node");
    expect(nameOf({ ...nodeWith(true), "better-sqlite3": () => driver("better") })).toBe("node");
  });

  it("better-sqlite3 takes the place of one that cannot", () => {
    expect(nameOf({ ...nodeWith(false), "better-sqlite3": () => driver("better") })).toBe("better");
    expect(nameOf({ "better-sqlite3": () => driver("better") })).toBe("better");
  });

  it.each([
    ["is there", {}, "is not installed; use Node 22.16 or later, or install it: npm install better-sqlite3@12"],
    ["can do it", nodeWith(false), "is not installed; use Node 22.16 or later, or install it"],
    [
      "can do it, and scripts are blocked",
      { ...nodeWith(false), ...betterFailingWith("Could not locate the bindings file. Tried: ...") },
      "use Node 22.16 or later, or let its script run: npm rebuild better-sqlite3 --ignore-scripts=false",
    ],
    [
      "can be loaded",
      { ...nodeWith(false), ...betterFailingWith("compiled against a different Node.js version") },
      "use Node 22.16 or later, or build it for this one: npm rebuild better-sqlite3",
    ],
  ])("where no driver %s, the remedy is named", (_, loaders, remedy) => {
    expect(() => nameOf(loaders)).toThrow(expect.objectContaining({ name: "FailureError" }));
    expect(() => nameOf(loaders)).toThrow(remedy);
  });
});
