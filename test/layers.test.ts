/**
 * The order of the house, kept by reading every file of `src`: folders import only folders above them, through their
 * `index.ts`; files form no cycle; the mathematics does no I/O; time and chance enter through `base` alone.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/** A folder imports only folders above it in this list. */
const LAYERS = [
  "base",
  "graph",
  "rank",
  "coverage",
  "order",
  "seeds",
  "community",
  "refresh",
  "web",
  "log",
  "store",
  "fetch",
  "crawl",
  "text",
  "survey",
  "lab",
  "demo",
  "report",
  "cluster",
  "dashboard",
  "cli",
  "public",
];

/** Doors of folders beside their index: this one is small enough for `--help`. */
const SIDE_DOORS = new Set(["crawl/settings/index.ts"]);

/** These do no I/O, read no clock and start no thread. */
const PURE = new Set(["graph", "rank", "coverage", "order", "seeds", "community", "refresh", "web"]);
/** Packages that pure folders may use: data and arithmetic only. */
const PURE_PACKAGES = new Set([
  "tldts",
  "htmlparser2",
  "parse5",
  "html-encoding-sniffer",
  "@exodus/bytes/encoding.js",
  "re2js",
]);
/** What a thread runs once somebody has started it: it hears of its work by messages, whatever the kernel does. */
const THREAD_ENTRIES = new Set(["rank/worker.ts"]);

const OUTSIDE_WORLD = new Set([
  "process",
  "console",
  "fetch",
  "Worker",
  "setTimeout",
  "setInterval",
  "setImmediate",
]);
const TIME_AND_CHANCE = new Set([
  "Date.now",
  "Math.random",
  "performance.now",
  "process.hrtime",
  "new Date",
  "crypto.getRandomValues",
]);

/** Text of every file by its path inside `src`. */
type House = ReadonlyMap<string, string>;

describe("the rules of the house", () => {
  it("are kept by every file of src", () => {
    expect(brokenRules(readHouse())).toEqual([]);
  });

  it("know every folder of src", () => {
    const folders = new Set([...readHouse().keys()].map(folderOf));
    folders.delete("");
    expect([...folders].filter((folder) => !LAYERS.includes(folder))).toEqual([]);
    expect(folders.size).toBeGreaterThan(5);
  });
});

describe("a house that breaks a rule is found out", () => {
  it.each<[what: string, files: Record<string, string>, rule: string]>([
    [
      "an import of a folder further down",
      { "graph/a.ts": 'import { x } from "../rank/index.ts";' },
      "graph/a.ts imports rank, which is not above graph",
    ],
    [
      "an import of a mere type from further down",
      { "graph/a.ts": 'import type { X } from "../cli/index.ts";' },
      "graph/a.ts imports cli, which is not above graph",
    ],
    [
      "a lazy import of a folder further down",
      { "order/a.ts": 'const x = await import("../lab/index.ts");' },
      "order/a.ts imports lab, which is not above order",
    ],
    [
      "an import past the index of another folder",
      { "rank/a.ts": 'export { x } from "../graph/b.ts";' },
      "rank/a.ts reaches past graph/index.ts to graph/b.ts",
    ],
    [
      "a cycle of two files",
      { "rank/a.ts": 'import { b } from "./b.ts";', "rank/b.ts": 'import type { A } from "./a.ts";' },
      "cycle: rank/a.ts -> rank/b.ts -> rank/a.ts",
    ],
    [
      "a file system in the mathematics",
      { "coverage/a.ts": 'import { readFileSync } from "node:fs";' },
      "coverage/a.ts uses node:fs",
    ],
    ["a thread in the mathematics", { "rank/a.ts": "new Worker(entry);" }, "rank/a.ts uses Worker"],
    ["a clock", { "lab/a.ts": "const start = Date.now();" }, "lab/a.ts uses Date.now"],
    ["a date of today", { "cli/a.ts": "const today = new Date();" }, "cli/a.ts uses new Date"],
    [
      "a clock in a view",
      { "dashboard/a.tsx": "export const View = () => <p>{Date.now()}</p>;" },
      "dashboard/a.tsx uses Date.now",
    ],
    ["unseeded chance", { "order/a.ts": "const x = Math.random();" }, "order/a.ts uses Math.random"],
  ])("%s", (_what, files, rule) => {
    expect(brokenRules(new Map(Object.entries(files)))).toContain(rule);
  });

  it("while comments and strings are free to speak of anything", () => {
    const files = { "graph/a.ts": '// Date.now()\nexport const text = `import x from "../cli/a.ts"`;' };
    expect(brokenRules(new Map(Object.entries(files)))).toEqual([]);
  });
});

function readHouse(): House {
  const root = fileURLToPath(new URL("../src/", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  return new Map(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function brokenRules(house: House): string[] {
  const broken: string[] = [];
  const links = new Map<string, string[]>();
  for (const [path, text] of house) {
    const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
    const inside = imports
      .filter((name) => name.startsWith("."))
      .map((name) => normalize(join(dirname(path), name)));
    links.set(path, inside);
    broken.push(...inside.flatMap((target) => brokenLayer(path, target)));
    const used = new Set([...imports.filter((name) => !name.startsWith(".")), ...namesUsed(path, text)]);
    broken.push(...[...used].filter((name) => !mayUse(path, name)).map((name) => `${path} uses ${name}`));
  }
  return [...broken, ...cycles(links)];
}

function brokenLayer(path: string, target: string): string[] {
  const from = folderOf(path);
  const to = folderOf(target);
  if (from === to) return [];
  if (from !== "" && LAYERS.indexOf(to) >= LAYERS.indexOf(from)) {
    return [`${path} imports ${to === "" ? target : to}, which is not above ${from}`];
  }
  return target === `${to}/index.ts` || SIDE_DOORS.has(target)
    ? []
    : [`${path} reaches past ${to}/index.ts to ${target}`];
}

function mayUse(path: string, name: string): boolean {
  const folder = folderOf(path);
  if (TIME_AND_CHANCE.has(name)) return folder === "base";
  if (!PURE.has(folder) || PURE_PACKAGES.has(name)) return true;
  return THREAD_ENTRIES.has(path) && name === "node:worker_threads";
}

/** Names of the outside world, of time and of chance, that the code of a file uses. */
function namesUsed(path: string, text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) names.push(node.getText(source));
    if (ts.isNewExpression(node)) {
      const name = node.expression.getText(source);
      names.push(name, ...(node.arguments?.length === 0 ? [`new ${name}`] : []));
    }
    if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node))
      names.push(node.expression.getText(source));
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  visit(source);
  return names.filter((name) => OUTSIDE_WORLD.has(name) || TIME_AND_CHANCE.has(name));
}

/** Each cycle once, by depth-first search. */
function cycles(links: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" -> ")}`);
      return;
    }
    if (finished.has(path)) return;
    for (const target of links.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of links.keys()) visit(path, []);
  return found;
}

/** "" for a file that is in no folder. */
function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}
