import { expect, it, test } from "vitest";
import { shellWord } from "../../src/base/index.ts";
import { fitted, programName, renderTable, wrapped } from "../../src/cli/terminal/layout.ts";
import { type Column, simulationTable } from "../../src/lab/index.ts";
import { sampleSimulation } from "../support/sample-simulation.ts";

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

const COLUMNS: Column[] = [
  { title: "order", kind: "text" },
  { title: "0.9", kind: "count", group: "actual", importance: 1 },
  { title: "0.98", kind: "count", group: "actual", importance: 2 },
  { title: "time", kind: "seconds" },
];
const ROWS = [
  ["rankmass", 1684, 16_236, 0.14],
  ["fpr", 1890, null, 0.0132],
];

test("a table has text to the left, numbers to the right, and headings over groups of columns", () => {
  expect(renderTable(COLUMNS, ROWS, { width: 80, color: false })).toBe(
    [
      "          ── actual ───",
      "order       0.9    0.98     time",
      "rankmass  1,684  16,236   140 ms",
      "fpr       1,890       –  13.2 ms",
      "",
    ].join("\n"),
  );
});

test("a table too wide leaves out the least important columns and says which", () => {
  expect(renderTable(COLUMNS, ROWS, { width: 31, color: false })).toBe(
    [
      "          ── actual ───",
      "order       0.9    0.98",
      "rankmass  1,684  16,236",
      "fpr       1,890       –",
      "(hidden at this width: time)",
      "",
    ].join("\n"),
  );
  expect(renderTable(COLUMNS, ROWS, { width: 22, color: false })).toBe(
    ["          actual", "order       0.98", "rankmass  16,236", "fpr            –", "(hidden at this width…", ""].join(
      "\n",
    ),
  );
});

test("long texts in the last column are cut before any column is left out", () => {
  const columns: Column[] = [
    { title: "page", kind: "text" },
    { title: "rank", kind: "text", importance: 1 },
    { title: "url", kind: "text", importance: 2 },
  ];
  const url = `http://a.example/${"x".repeat(40)}`;
  // "12" below "page", "0.25" below "rank" and two gaps take 12 of the columns.
  const table = (width: number) => renderTable(columns, [["12", "0.25", url]], { width, color: false });
  expect(table(69)).toBe(`page  rank  url\n12    0.25  ${url}\n`);
  expect(table(68)).toBe(`page  rank  url\n12    0.25  ${url.slice(0, 55)}…\n`);
  expect(table(42)).toBe(`page  rank  url\n12    0.25  ${url.slice(0, 29)}…\n`);
  expect(table(41)).toBe(`page  url\n12    ${url.slice(0, 34)}…\n(hidden at this width: rank)\n`);
});

test("no line is wider than the terminal, however narrow it is", () => {
  const { columns, rows } = simulationTable(sampleSimulation(12));
  for (let width = 1; width <= 130; width++) {
    for (const line of renderTable(columns, rows, { width, color: false }).split("\n")) {
      expect(line.length, line).toBeLessThanOrEqual(width);
    }
  }
});

test("colour adds escape sequences and changes nothing else", () => {
  const plain = renderTable(COLUMNS, ROWS, { width: 31, color: false });
  const colored = renderTable(COLUMNS, ROWS, { width: 31, color: true });
  expect(colored).toContain("\u001B[1m");
  expect(["0", "1", "2"].reduce((text, code) => text.replaceAll(`\u001B[${code}m`, ""), colored)).toBe(plain);
});

test("a name cannot send commands to the terminal", () => {
  const text = renderTable(COLUMNS, [["\u001B[2J\nx", 1, 2, 3]], { width: 80, color: false });
  expect(text).not.toContain("\u001B");
  expect(text.split("\n")[2]).toMatch(/^\uFFFD\[2J\uFFFDx /);
});

test("a simulation's table gives downloads per level, blanks for levels not reached, and what the run cost", () => {
  const simulation = sampleSimulation(3);
  const { columns, rows } = simulationTable(simulation);
  expect(columns.map(({ group, title }) => (group === undefined ? title : `${group} ${title}`))).toEqual([
    "order",
    "actual 0.9",
    "actual 0.98",
    "actual 0.99",
    "guaranteed 0.9",
    "guaranteed 0.98",
    "guaranteed 0.99",
    "certified 0.9",
    "certified 0.98",
    "certified 0.99",
    "at the end downloads",
    "at the end certified",
    "time",
    "pushes",
  ]);
  const fpr = simulation.runs[2];
  expect(rows[2]).toEqual([
    "fpr",
    fpr.actual["0.9"],
    fpr.actual["0.98"],
    fpr.actual["0.99"],
    null,
    null,
    null,
    fpr.certified["0.9"],
    fpr.certified["0.98"],
    fpr.certified["0.99"],
    fpr.downloads,
    fpr.final.certified,
    fpr.seconds,
    fpr.pushes,
  ]);
});

test("in 80 columns a simulation's table keeps what is actual and certified", () => {
  const { columns, rows } = simulationTable(sampleSimulation(12));
  const [groups, titles] = renderTable(columns, rows, { width: 80, color: false }).split("\n");
  expect(groups).toMatch(/^ +─+ actual ─+ +─+ certified ─+$/);
  expect(titles.trim().split(/ +/)).toEqual(["order", "0.9", "0.98", "0.99", "0.9", "0.98", "0.99", "time"]);
});
