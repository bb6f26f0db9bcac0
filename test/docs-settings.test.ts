/** What the docs say about settings is what the table of settings says. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { configSchema, settingsMarkdown } from "../src/crawl/index.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

it("the guide has the tables of all settings; npm run docs:settings writes them", () => {
  expect(read("docs/crawling.md")).toContain(
    `<!-- settings: written by npm run docs:settings -->\n\n${settingsMarkdown()}\n\n<!-- end of settings -->`,
  );
});

it("the schema that editors use is that of the table; npm run docs:settings writes it", () => {
  expect(JSON.parse(read("docs/crawl-config.schema.json"))).toEqual(configSchema());
});

it("a table of settings has three cells in every line: a bar within a cell is escaped", () => {
  const lines = settingsMarkdown()
    .split("\n")
    .filter((line) => line.startsWith("|"));
  expect(lines.filter((line) => line.includes("--keep-visits"))).toHaveLength(1);
  for (const line of lines) expect([line, line.split(/(?<!\\)\|/).length]).toEqual([line, 5]);
});
