/** docs/glossary.md names every state and every count, as people and programs see them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { countsOf } from "../src/crawl/index.ts";
import { Tally } from "../src/log/index.ts";
import { stateTexts } from "../src/text/index.ts";

const rows = readFileSync(new URL("../docs/glossary.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

it.each(Object.entries(stateTexts))("the state %s has one row", (state, { name }) => {
  expect(rows.filter((cells) => cells[1] === name && cells[2].includes(`\`${state}\``))).toHaveLength(1);
});

it.each(Object.keys(countsOf(new Tally())).filter((name) => name !== "bytes"))("the count %s has one row", (name) => {
  expect(rows.filter((cells) => cells[2]?.includes(`\`${name}\``))).toHaveLength(1);
});
