/** Lists of pages for language models. */
import { describe, expect, it } from "vitest";
import { llmsTxt, type LlmsTxtSource } from "../../src/content/index.ts";
import { downloadedRow } from "./page-rows.ts";

type Page = readonly [url: string, title?: string | null, text?: string];

/** Of pages in the order of their importance; their ids are in another one. */
function listOf(pages: readonly Page[], importance?: number): string {
  const ids = Uint32Array.from(pages, (_, k) => 100 - k);
  const page = (id: number): Page => pages[100 - id];
  const source: LlmsTxtSource = {
    pages: ids,
    row: (id) => downloadedRow(id, page(id)[0], { title: page(id)[1] ?? null }),
    importance,
    textOf: ({ id }) => page(id)[2],
  };
  return [...llmsTxt(source)].join("");
}

const sentenceOf = (text: string): string | undefined =>
  /^- \[x\]\(https:\/\/a\.example\/\)(?:: (.*))?$/m.exec(listOf([["https://a.example/", "x", text]]))?.[1];

it("have a title, the share of importance, and sections by first segment with the most important page first", () => {
  const list = listOf(
    [
      ["https://a.example/docs/start", "Start", "Start\n\nBegin with the tide tables here. Then sail."],
      ["https://a.example/about", "About us"],
      ["https://a.example/", "Tide and Time"],
      ["https://a.example/blog/", "Blog"],
      ["https://a.example/docs", "Docs"],
      ["https://a.example/blog/1"],
    ],
    0.93219,
  );
  expect(list).toBe(`# Tide and Time

> 6 pages, the most important first, with at least 93.21% of all importance.

## docs

- [Start](https://a.example/docs/start): Begin with the tide tables here.
- [Docs](https://a.example/docs)

## Main pages

- [About us](https://a.example/about)
- [Tide and Time](https://a.example/)

## blog

- [Blog](https://a.example/blog/)
- [https://a.example/blog/1](https://a.example/blog/1)
`);
});

it("have sections by host if there are several, and the host for a title if its front page has none", () => {
  const list = listOf([
    ["https://b.example/x/1", "B 1"],
    ["https://a.example/", "A"],
    ["http://b.example/y/2", "B 2"],
  ]);
  expect(list).toBe(`# b.example

> 3 pages.

## b.example

- [B 1](https://b.example/x/1)
- [B 2](http://b.example/y/2)

## a.example

- [A](https://a.example/)
`);
});

it("keep the order of importance where pages of several places share a section", () => {
  const urls = ["/b", "/a", "/", "/c?x", "/a?y"].map((path): Page => [`https://a.example${path}`, path]);
  const titles = [...listOf(urls).matchAll(/^- \[(.*?)\]/gm)].map(([, title]) => title);
  expect(titles).toEqual(["/b", "/a", "/", "/c?x", "/a?y"]);
});

it("are lines that no title, URL or text can break", () => {
  const page: Page = [
    "https://a.example/%0A/wiki_(x)",
    "a](b)\n# <b>c</b>\u0000",
    "Click <b>here</b>\nfor the tide. Or not.",
  ];
  const lines = listOf([page]).split("\n");
  expect(lines.slice(4)).toEqual([
    "## ",
    "",
    "- [a)(b) # &lt;b>c&lt;/b>](https://a.example/%0A/wiki_%28x%29): Click &lt;b>here&lt;/b> for the tide.",
    "",
  ]);
});

it("say that there are no pages", () => {
  expect(listOf([], 0)).toBe(
    "# No pages\n\n> 0 pages, the most important first, with at least 0.00% of all importance.\n",
  );
});

describe("the first sentence", () => {
  it.each([
    [
      "comes after headings and lists",
      "# Tide!\n\n- It ebbs, and it flows.\n\nThe sea is never at rest. Ever.",
      "The sea is never at rest.",
    ],
    [
      "does not end at an abbreviation",
      "See e.g. the tables of Dr. Brae in the library. More.",
      "See e.g. the tables of Dr. Brae in the library.",
    ],
    ["says more than one word", "Welcome! The sea is never at rest. Ever.", "Welcome! The sea is never at rest."],
    ["may be a question in quotes", '"Is the sea ever at rest?" Nobody knows.', '"Is the sea ever at rest?"'],
    [
      "may be Chinese",
      "潮水从来不会停止，也没有人数过它留下的东西。然后",
      "潮水从来不会停止，也没有人数过它留下的东西。",
    ],
    ["has no links", "The [sea](http://a.example/sea) is never at rest. Ever.", "The sea is never at rest."],
    ["is none where no paragraph has one", "Menu\n\nHome | About | Contact", undefined],
    ["is cut at a word", `${"word ".repeat(50)}end. More.`, `${"word ".repeat(40).slice(0, -1)}…`],
    ["is cut where there is no word", `${"潮".repeat(300)}。`, `${"潮".repeat(199)}…`],
  ])("%s", (_, text, sentence) => {
    expect(sentenceOf(text)).toBe(sentence);
  });
});
