/** The pieces of a pack: headings below the heading of their page, titles and URLs that break nothing. */
import { describe, expect, it } from "vitest";
import { contentsLine, demoted, section } from "../../src/content/pack-file.ts";

const lines = (...all: readonly string[]): string => all.join("\n");

describe("headings", () => {
  it("are two levels lower, at most six signs, however they are written", () => {
    expect(demoted("# A\n\n## B\n   ### C #\n##### E\n###### F")).toBe(
      "### A\n\n#### B\n##### C #\n###### E\n###### F",
    );
    expect(demoted("Tide\n====\n\nLow\n---\n\ntext")).toBe("### Tide\n\n#### Low\n\ntext");
    expect(demoted("#\n\n# A\r\nb\rc")).toBe("###\n\n### A\nb\nc");
  });

  it("are no more than they were: tags, code, rules, lists and tables stay as they are", () => {
    const same = lines(
      "#tag",
      "####### seven",
      "    # code",
      "a",
      "b",
      "---",
      "",
      "- c",
      "---",
      "",
      "a | b",
      "--- | ---",
    );
    expect(demoted(same)).toBe(same);
    expect(demoted("---\ntitle: x\n---")).toBe("---\ntitle: x\n---");
  });

  it.each([
    ["```", lines("```sh", "# comment", "Title", "=====", "```", "# A")],
    ["~~~", lines("~~~", "```", "# comment", "~~~", "# A")],
    ["a longer fence", lines("````", "```", "# comment", "````", "# A")],
    ["a fence in a list", lines("- x", "    ```", "# comment", "    ```", "# A")],
    ["a fence whose end looks like another beginning", lines("```", "```sh", "# comment", "```", "# A")],
  ])("in code are none: %s", (_, markdown) => {
    expect(demoted(markdown)).toBe(markdown.replace("\n# A", "\n### A"));
  });

  it("of the next page are none in code that never ended: it is ended", () => {
    expect(demoted("~~~~\n# comment")).toBe("~~~~\n# comment\n~~~~");
    expect(demoted("```x``` is code\n# A")).toBe("```x``` is code\n### A");
  });
});

describe("a page", () => {
  it("has a line in the table of contents, and a section with its source", () => {
    const page = { url: "http://a.example/x", title: " The\n tide ", markdown: "# Tide\n\ntext\n" };
    expect(contentsLine(7, page)).toBe("7. [The tide](http://a.example/x)\n");
    expect(section(7, page)).toBe("## 7. The tide\n\nSource: http://a.example/x\n\n### Tide\n\ntext\n\n");
  });

  it("without a title has its URL for one, and no sign of either ends the link", () => {
    const url = "http://a.example/x_(y)";
    expect(contentsLine(1, { url, title: null })).toBe(`1. [${url}](<${url}>)\n`);
    expect(contentsLine(1, { url, title: " \t" })).toBe(`1. [${url}](<${url}>)\n`);
    expect(contentsLine(1, { url: "http://a/", title: "a[0] `\\` <b>" })).toBe(
      "1. [a\\[0\\] \\`\\\\\\` \\<b>](http://a/)\n",
    );
  });
});
