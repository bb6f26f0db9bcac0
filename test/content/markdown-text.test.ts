/** What a reader sees of Markdown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageMarkdown } from "../../src/content/page-text.ts";
import { markdownText } from "../../src/content/markdown-text.ts";

describe("the text of Markdown", () => {
  it.each([
    ["# High *water*", "High water"],
    ["See **the [tide table](https://a.example/t?x=(1)) today**.", "See the tide table today."],
    ['See [the *moon*](/moon "title") and ![a wave](/wave.png).', "See the moon and a wave."],
    ["> - one\n> - two", "- one\n- two"],
    ["- one\n* two\n+ three", "one\ntwo\nthree"],
    ["```js\nlet a_b = 1;\n```", "\nlet a_b = 1;\n"],
    ["a `snake_case` name, another_one_here", "a snake_case name, another_one_here"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "  a   b  \n\n  1   2  "],
    ["2 \\* 3 = 6, a \\| b", "2 * 3 = 6, a | b"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["one\n\n---\n\ntwo", "one\n\n\n\ntwo"],
  ])("%j", (markdown, text) => {
    expect(markdownText(markdown)).toBe(text);
  });

  it("has the words of the page in their order", () => {
    const words = fc
      .array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 5 })
      .map((all) => all.join(" "));
    const element = fc.tuple(fc.constantFrom("p", "h2", "blockquote", "b", "em", "code", "li", "td"), words);
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 8 }), (elements) => {
        const body = elements.map(([name, text]) => `<div><${name}>${text}</${name}></div>`).join("\n");
        const markdown = pageMarkdown(`<main>${body}</main>`, "https://a.example/");
        const seen = markdownText(markdown).match(/[a-z]+/g) ?? [];
        expect(seen.join(" ")).toBe((markdown.match(/[a-z]+/g) ?? []).join(" "));
        expect(markdownText(markdown)).not.toMatch(/[*`#>]/);
      }),
    );
  });

  it("takes linear time, whatever the page", () => {
    for (const piece of ["[", "![a](", "*a", "_", "`", "|", "**a ", "> ", " ", "(a", "[a](b(c", "~"]) {
      const beganMs = performance.now();
      markdownText(piece.repeat(200_000));
      expect(performance.now() - beganMs).toBeLessThan(5000);
    }
  });
});
