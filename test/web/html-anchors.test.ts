import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHtml, readHtmlBody } from "../../src/web/index.ts";
import { readHtmlTree } from "../../src/web/html-tree.ts";
import { cases } from "../support/cases.ts";

const OPTIONS = { linksMax: 1000, productToken: "tidemark", anchors: true };
const bytes = (text: string) => new TextEncoder().encode(text);

describe("the text of a link", () => {
  it.each<[string, string, string]>([
    ["has its white space collapsed", "<a href=x>\n  Two \t words&nbsp;here </a>", "Two words here"],
    ["has its references decoded", "<a href=x>R&amp;D &#x2603; &lt;b&gt;</a>", "R&D ☃ <b>"],
    ["is not divided by tags inside a word", "<a href=x><b>B</b>old <span>words</span></a>", "Bold words"],
    [
      "is divided by blocks and line ends",
      "<a href=x><div>One</div><div>two</div>three<br>four</a>",
      "One two three four",
    ],
    ["is the alt of an image if there is none", `<a href=x><img src=i alt="A &amp; B"></a>`, "A & B"],
    ["is the text rather than the alt", `<a href=x><img src=i alt=Picture>Words</a>`, "Words"],
    ["is the label if there is neither", `<a href=x aria-label="Close" title="Other"><i></i></a>`, "Close"],
    ["is the title if there is no label", `<a href=x title=" Other "></a>`, "Other"],
    ["leaves out comments, scripts and styles", "<a href=x>a<!-- b > --><script>c</script><style>d</style>e</a>", "ae"],
    ["is empty where there is nothing to read", "<a href=x><i></i></a>", ""],
    ["has no control characters", "<a href=x>a\u0001\u001b[31mb</a>", "a [31mb"],
    ["of an area is its alt", "<map><area href=x alt=North></map>", "North"],
    ["ends where the next link begins", "<a href=x>first <a href=y>second</a>", "first"],
    ["has at most a hundred characters", `<a href=x>${"ab ".repeat(60)}</a>`, `${"ab ".repeat(33)}a`],
    ["ends with a whole character", `<a href=x>${"a".repeat(99)}\u{1f30a}</a>`, "a".repeat(99)],
  ])("%s", (_what, html, expected) => {
    for (const page of [
      readHtml(html, OPTIONS),
      readHtmlTree(html, OPTIONS),
      readHtmlBody(bytes(html), "text/html; charset=utf-8", OPTIONS),
    ]) {
      expect(page?.anchors?.[0]).toBe(expected);
      expect(page?.anchors).toHaveLength(page?.links.length ?? -1);
    }
  });

  it("is read by the rules of XML too", () => {
    const html =
      '<html xmlns="http://www.w3.org/1999/xhtml"><body><a href="x">One <b>t</b>wo</a>' +
      '<a href="y"><img alt="Three"/></a><a href="z" title="Four"/></body></html>';
    expect(readHtmlBody(bytes(html), "application/xhtml+xml", OPTIONS).anchors).toEqual(["One two", "Three", "Four"]);
  });

  it("is not read unless it is wanted", () => {
    expect(readHtml("<a href=x>Words</a>").anchors).toBeNull();
  });

  it("is the same for the scan and the tree, however a link is made up", () => {
    const word = fc.constantFrom("a", "b ", " c", "é", "&amp;", "&lt;", "\n");
    const part: fc.Arbitrary<string> = fc.oneof(
      { weight: 4, arbitrary: word },
      { weight: 1, arbitrary: fc.constantFrom("<br>", "<img alt='pic'>", "<img src=i>", "<!-- x -->", "<wbr>") },
      {
        weight: 2,
        arbitrary: fc
          .record({
            tag: fc.constantFrom("b", "span", "div", "em", "p", "h2"),
            inside: fc.array(word, { maxLength: 3 }),
          })
          .map(({ tag, inside }) => `<${tag}>${inside.join("")}</${tag}>`),
      },
    );
    const link = fc
      .record({ parts: fc.array(part, { maxLength: 6 }), label: fc.constantFrom("", ' title="T"', " aria-label=L") })
      .map(({ parts, label }) => `<a href="/x"${label}>${parts.join("")}</a> between `);
    fc.assert(
      fc.property(fc.array(link, { minLength: 1, maxLength: 5 }), (links) => {
        const html = `<!doctype html><body>${links.join("")}`;
        const page = readHtmlBody(bytes(html), "text/html; charset=utf-8", OPTIONS);
        expect(page.exact).toBe(false);
        expect(page.anchors).toEqual(readHtmlTree(html, OPTIONS)?.anchors);
        expect(page.anchors).toHaveLength(links.length);
      }),
      { numRuns: cases(500) },
    );
  });

  it("takes no longer than the page is long, whatever is in it", () => {
    const before = process.cpuUsage();
    for (const part of ["<!--", "<script>", "<a href=x><b", "<a href=x><img ", "<a href=x><object>"]) {
      readHtml(part.repeat(1_000_000 / part.length), OPTIONS);
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(20);
  });
});
