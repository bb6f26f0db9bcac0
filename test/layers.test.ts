/**
 * The order of the house, kept by reading every file of `src`: folders import only folders above them, through their
 * `index.ts`; files form no cycle, nor do the folders inside a layer; the mathematics does no I/O; time and chance
 * enter through `base` alone; a command loads what it needs when it runs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/** Used for every node of every file: a module of thousands of names takes its time to find one. */
const { forEachChild, isCallExpression, isIdentifier, isNewExpression, isPropertyAccessExpression } = ts;

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
  "content",
  "findings",
  "fetch",
  "render",
  "crawl",
  "import",
  "compare",
  "text",
  "survey",
  "lab",
  "demo",
  "report",
  "cluster",
  "dashboard",
  "mcp",
  "crawlee",
  "cli",
  "public",
];

/** Entries of folders besides their index: this one is small enough for `--help`. */
const SIDE_DOORS = new Set(["crawl/settings/index.ts"]);

/** The folders inside these layers import each other in one direction only. */
const LAYERS_WITH_FOLDERS = ["report", "dashboard", "cli"];

/** What the help of a command may load: everything else takes longer than printing it. */
const isLight = (path: string): boolean => /^(base|text|cli|crawl\/settings)\//.test(path);
const isStart = (path: string): boolean => path === "cli/main.ts" || /^cli\/commands\/[^/]+\.ts$/.test(path);

/** These do no I/O, read no clock and start no thread. */
const PURE = new Set(["graph", "rank", "coverage", "order", "seeds", "community", "refresh", "web"]);
/** Packages that pure folders may use: data and arithmetic only. */
const PURE_PACKAGES = new Set([
  "tldts",
  "htmlparser2",
  "parse5",
  "html-encoding-sniffer",
  "@exodus/bytes/encoding.js",
  "@exodus/bytes/whatwg.js",
  "re2js",
]);
/** What a thread runs once somebody has started it: it gets its work by messages, whatever the kernel does. */
const THREAD_ENTRIES = new Set(["rank/worker.ts"]);

const OUTSIDE_WORLD = new Set(["process", "console", "fetch", "Worker", "setTimeout", "setInterval", "setImmediate"]);
const TIME_AND_CHANCE = new Set([
  "Date.now",
  "Math.random",
  "performance.now",
  "process.hrtime",
  "new Date",
  "crypto.getRandomValues",
]);

const LINE_MAX = 120;

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
      "a line of a comment that does not fit",
      { "graph/a.ts": `/**\n * ${"x".repeat(118)}\n */` },
      "graph/a.ts:2 is longer than 120 characters",
    ],
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
      "two folders of the command line that import each other",
      {
        "cli/live/a.ts": 'import type { B } from "../crawl/b.ts";',
        "cli/crawl/b.ts": "",
        "cli/crawl/c.ts": 'import { a } from "../live/a.ts";',
      },
      "folders: cli/crawl -> cli/live -> cli/crawl",
    ],
    [
      "a command that loads before it runs",
      {
        "cli/commands/a.ts": 'import { b } from "../input/b.ts";',
        "cli/input/b.ts": 'import { type C, d } from "../../graph/index.ts";',
      },
      "cli/input/b.ts loads graph, which slows down the help of cli/commands/a.ts",
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

  it("while a command may load anything when it runs, and types cost nothing", () => {
    const files = {
      "cli/commands/a.ts": 'import type { B } from "../../graph/index.ts";\nconst c = import("../../lab/index.ts");',
    };
    expect(brokenRules(new Map(Object.entries(files)))).toEqual([]);
  });

  it("while comments and strings are free to speak of anything", () => {
    const files = { "graph/a.ts": '// Date.now()\nexport const text = `import x from "../cli/a.ts"`;' };
    expect(brokenRules(new Map(Object.entries(files)))).toEqual([]);
  });
});

function readHouse(): House {
  const root = fileURLToPath(new URL("../src/", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  return new Map(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function brokenRules(house: House): string[] {
  const broken: string[] = [];
  const links = new Map<string, string[]>();
  for (const [path, text] of house) {
    const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
    const inside = imports.filter((name) => name.startsWith(".")).map((name) => normalize(join(dirname(path), name)));
    links.set(path, inside);
    broken.push(...inside.flatMap((target) => brokenLayer(path, target)));
    const used = new Set([...imports.filter((name) => !name.startsWith(".")), ...namesUsed(path, text)]);
    broken.push(...[...used].filter((name) => !mayUse(path, name)).map((name) => `${path} uses ${name}`));
    broken.push(...longLines(text).map((line) => `${path}:${line} is longer than ${LINE_MAX} characters`));
  }
  return [...broken, ...cycles(links), ...folderCycles(links), ...heavyStarts(house)];
}

/** The numbers of lines that the formatter leaves too long: comments and literals. */
function longLines(text: string): number[] {
  return text.split("\n").flatMap((line, k) => (line.length > LINE_MAX ? [k + 1] : []));
}

/** Cycles of the folders inside a layer; the files directly in the layer count as one folder. */
function folderCycles(links: ReadonlyMap<string, readonly string[]>): string[] {
  return LAYERS_WITH_FOLDERS.flatMap((layer) => {
    const folders = new Map<string, string[]>();
    for (const [path, targets] of links) {
      if (folderOf(path) !== layer) continue;
      const inside = targets.filter((target) => folderOf(target) === layer).map((target) => dirname(target));
      folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), ...inside]);
    }
    for (const [folder, targets] of folders) {
      folders.set(folder, [...new Set(targets)].filter((target) => target !== folder).sort());
    }
    return cycles(new Map([...folders].sort())).map((cycle) => cycle.replace("cycle:", "folders:"));
  });
}

/** Commands whose help loads more than it needs. */
function heavyStarts(house: House): string[] {
  const imports = new Map<string, readonly string[]>();
  return [...house.keys()].filter(isStart).flatMap((start) => {
    const broken: string[] = [];
    const loaded = new Set([start]);
    for (const path of loaded) {
      const targets = imports.get(path) ?? importsAtOnce(path, house.get(path) ?? "");
      imports.set(path, targets);
      for (const target of targets) {
        if (isLight(target)) loaded.add(target);
        else broken.push(`${path} loads ${folderOf(target)}, which slows down the help of ${start}`);
      }
    }
    return broken;
  });
}

/** Files of ours that a file imports when it is loaded: neither later nor only for their types. */
function importsAtOnce(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement)) return [];
    if (isImport ? statement.importClause?.isTypeOnly : statement.isTypeOnly) return [];
    const { moduleSpecifier: name } = statement;
    if (name === undefined || !ts.isStringLiteral(name) || !name.text.startsWith(".")) return [];
    return [normalize(join(dirname(path), name.text))];
  });
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
    if (isUse(node) && isIdentifier(node.expression)) {
      const { text: name } = node.expression;
      names.push(name);
      if (isPropertyAccessExpression(node)) names.push(`${name}.${node.name.text}`);
      if (isNewExpression(node) && node.arguments?.length === 0) names.push(`new ${name}`);
    }
    forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return names.filter((name) => OUTSIDE_WORLD.has(name) || TIME_AND_CHANCE.has(name));
}

function isUse(node: ts.Node): node is ts.PropertyAccessExpression | ts.CallExpression | ts.NewExpression {
  return isPropertyAccessExpression(node) || isCallExpression(node) || isNewExpression(node);
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
