/** Pages as documents of Markdown with front matter. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { markdownDocuments } from "../../src/content/index.ts";
import { anyText } from "../support/any-text.ts";
import { cases } from "../support/cases.ts";
import { downloadedRow } from "./page-rows.ts";

const URL_1 = "https://a.example/tide";

it("have what is known of the page between two lines, and its Markdown", () => {
  const rows = [
    downloadedRow(7, URL_1, { title: 'The "Tide": #1', language: "en" }),
    downloadedRow(8, "https://a.example/bare", { fetchedAt: null }),
  ];
  const rankOf = (id: number) => (id === 7 ? { place: 1, low: 0.25, high: 0.5 } : undefined);
  const documents = markdownDocuments({ rows, rankOf, markdownOf: () => "\n# Tide\n\nIt ebbs.\n\n", onEmpty: fail });
  expect([...documents]).toEqual([
    {
      url: URL_1,
      text: `---
url: "https://a.example/tide"
title: "The \\"Tide\\": #1"
language: "en"
fetched: "2026-11-16T12:00:00.000Z"
rank: 1
rank_low: 0.25
---

# Tide

It ebbs.
`,
    },
    { url: "https://a.example/bare", text: '---\nurl: "https://a.example/bare"\n---\n\n# Tide\n\nIt ebbs.\n' },
  ]);
});

it("leave out pages without text, and say so", () => {
  const texts = [undefined, "", " \n", "x"];
  const rows = texts.map((_, id) => downloadedRow(id, `https://a.example/${id}`));
  let empty = 0;
  const documents = markdownDocuments({ rows, markdownOf: ({ id }) => texts[id], onEmpty: () => void empty++ });
  expect([...documents].map(({ url }) => url)).toEqual(["https://a.example/3"]);
  expect(empty).toBe(3);
});

it("read one page at a time", () => {
  let read = 0;
  const rows = Array.from({ length: 9 }, (_, id) => downloadedRow(id, `https://a.example/${id}`));
  const documents = markdownDocuments({ rows, markdownOf: () => `text ${++read}`, onEmpty: fail });
  documents.next();
  expect(read).toBe(1);
});

it("have front matter that YAML reads as it was, whatever the title", () => {
  fc.assert(
    fc.property(anyText({ minLength: 1 }), (title) => {
      const rows = [downloadedRow(0, URL_1, { title })];
      const [{ text }] = markdownDocuments({ rows, markdownOf: () => "x", onEmpty: fail });
      const [, yaml, ...rest] = text.split("---\n");
      if (rest.length === 1) expect(parse(yaml)).toMatchObject({ url: URL_1, title });
      expect(text.endsWith("\n---\n\nx\n")).toBe(true);
    }),
    { numRuns: cases(500) },
  );
});

function fail(): never {
  throw new Error("a page with text was taken for one without");
}
