/** The main part of pages as sites make them, and of pages that nobody makes on purpose. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mainPart, pageMarkdown, pageText } from "../../src/content/index.ts";
import { cases } from "../support/cases.ts";

const PROSE = "The tide comes in twice a day, and what it leaves on the beach is another thing each time. ";
const paragraphs = (count: number): string => `<p>${PROSE}</p>`.repeat(count);
const MENU = `<ul>${'<li><a href="/x">Another page of this site</a></li>'.repeat(30)}</ul>`;

function page(body: string): string {
  return `<!doctype html><html><head><title>T</title><script>let hidden = "<p>";</script></head><body>${body}</body></html>`;
}

describe("the main part", () => {
  it.each([
    ["is main", `<nav>${MENU}</nav><main>${paragraphs(3)}</main><footer>Imprint of the site</footer>`],
    ["is role=main", `<div>${MENU}</div><div role="main">${paragraphs(3)}</div><div>${MENU}</div>`],
    ["is a lone article", `<div>${MENU}</div><article>${paragraphs(3)}</article><div>Imprint of the site</div>`],
    ["is where the paragraphs are", `<div>${MENU}</div><div><div>${paragraphs(5)}</div></div><div>${MENU}</div>`],
    ["is a cell of a table", `<table><tr><td>${MENU}</td><td>${paragraphs(5)}</td></tr></table>`],
  ])("%s", (_, body) => {
    const { html, isWhole } = mainPart(page(body));
    expect(isWhole).toBe(false);
    expect(html).toContain(PROSE);
    expect(html).not.toContain("Another page");
    expect(html).not.toContain("Imprint");
  });

  it.each([
    ["a menu by its name", `<div class="sidebar left">${PROSE}Around</div>`],
    ["a menu by its id", `<div id="main-menu">${PROSE}Around</div>`],
    ["a menu by its role", `<div role="navigation">${PROSE}Around</div>`],
    ["what is hidden", `<div style="color: red; display:none">${PROSE}Around</div>`],
    ["what is for scripts", `<script>"Around"</script><template>Around</template>`],
    ["a form for a search", `<form><label>Around</label><input></form>`],
    ["an aside", `<aside>${PROSE}Around</aside>`],
  ])("leaves out %s", (_, part) => {
    const text = pageText(page(`<main>${paragraphs(2)}${part}<p>${PROSE}The end.</p></main>`));
    expect(text).not.toContain("Around");
    expect(text).toContain("The end.");
  });

  it.each([
    ["a form around the whole page", (inner: string) => `<form action="/">${inner}</form>`],
    ["a name that only speaks of a sidebar", (inner: string) => `<div class="has-sidebar">${inner}</div>`],
    ["a name that speaks of both", (inner: string) => `<div class="sidebar content">${inner}</div>`],
    ["a header of an article", (inner: string) => `<article><header>${inner}</header></article>`],
  ])("stays inside %s", (_, around) => {
    const { html, isWhole } = mainPart(page(`<div>${MENU}</div>${around(paragraphs(5))}`));
    expect(isWhole).toBe(false);
    expect(html).toContain(PROSE);
    expect(html).not.toContain("Another page");
  });

  it("is all parts of a page that is divided into several", () => {
    const parts = ["First", "Second", "Third"].map(
      (name) => `<div><div><div><div><p>${name}. ${PROSE}</p>${paragraphs(3)}</div></div></div></div>`,
    );
    const text = pageText(page(`<div>${MENU}</div><div>${parts.join("")}</div>`));
    for (const name of ["First", "Second", "Third"]) expect(text).toContain(`${name}. The tide`);
    expect(text).not.toContain("Another page");
  });

  it("is all articles of a page that lists several", () => {
    const text = pageText(
      page(`<div>${`<article>${paragraphs(2)}</article>`.repeat(2)}<article><p>${PROSE}Last</p></article></div>`),
    );
    expect(text).toContain("Last");
  });

  it.each([
    ["main", `<main><h1>B</h1><p>Short.</p></main>`],
    ["main that has only links", `<main><h1><a href="/b">B</a></h1><p><a href="/s">Short.</a></p></main>`],
    ["main beside long text", `<main><h1>B</h1><p>Short.</p></main><div>${paragraphs(5)}</div>`],
    ["role=main", `<div role="main"><h1>B</h1><p>Short.</p></div>`],
    ["the only article", `<article><h1>B</h1><p>Short.</p></article><div>Around</div>`],
  ])("is %s, however short", (_, part) => {
    const text = pageText(page(`<nav><a href="/">Home</a></nav>${part}<footer>Imprint, cookies</footer>`));
    expect(text.split(/\s+/)).toEqual(["B", "Short."]);
  });

  it("is the largest of several that are marked, and none without text", () => {
    const mains = ["", "<p>One.</p>", "<p>The longest.</p>", "<p>Two.</p>"].map((inner) => `<main>${inner}</main>`);
    expect(pageText(page(mains.join("")))).toBe("The longest.");
    expect(pageText(page(`<main><nav>Menu</nav></main><article>Short.</article>`))).toBe("Short.");
  });

  it("is no short article beside long text", () => {
    const text = pageText(page(`<article>A card.</article><div>${paragraphs(5)}</div>`));
    expect(text).toContain(PROSE.trim());
    expect(text).not.toContain("A card.");
  });

  it("is all that is visible of a page with little text, without what is marked as standing around it", () => {
    const around = `<nav>Menu</nav><div role="contentinfo">Imprint</div><footer>Cookies</footer>`;
    const text = `<header>Site</header><h1>Soon</h1><div class="banner">Big<i hidden>Never</i></div>`;
    const { html, isWhole } = mainPart(page(`${around}${text}<script>x</script><p hidden>Never</p>`));
    expect(isWhole).toBe(true);
    expect(html).toContain('<body><header>Site</header><h1>Soon</h1><div class="banner">Big</div></body>');
    expect(html).not.toMatch(/<script>|<title>/);
  });

  it("is what stands around if there is nothing else, but never the title", () => {
    const { html } = mainPart(page(`<nav>Menu<b hidden>Never</b></nav><p> </p><footer>Imprint</footer>`));
    expect(html).toContain("<body><nav>Menu</nav><p> </p><footer>Imprint</footer></body>");
    expect(pageText("<title>T</title><p></p>")).toBe("");
  });

  it("is found after a head that does not end", () => {
    expect(pageText("<!doctype html><head><title>T</title><p>Soon.")).toBe("Soon.");
  });

  it("ends where another tag implies it", () => {
    const items = `<li class="nav">Around<li class="item">${PROSE}Inside`;
    const text = pageText(page(`<main>${paragraphs(2)}<ul>${items}</ul></main>`));
    expect(text).toContain("Inside");
    expect(text).not.toContain("Around");
    expect(text).not.toContain("class=");
  });

  it("is the whole page where elements are nested without end", () => {
    const html = `${"<div>".repeat(100_000)}<main>${paragraphs(5)}</main>`;
    expect(mainPart(html)).toEqual({ html, isWhole: true });
  });

  it("is found in any text, and never adds to it", () => {
    const piece = fc.constantFrom(
      "<div>",
      "</div>",
      "<p>",
      "</p>",
      "<main>",
      "</main>",
      "<nav>",
      "</nav>",
      "<li>",
      "<b",
      '"',
      "<!--",
      "-->",
      PROSE,
      "<script>",
      "</script>",
      "&amp;",
      "<td>",
      "<form>",
      "</form>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join("");
        const part = mainPart(html);
        expect(part.html.length).toBeLessThanOrEqual(html.length);
        // What is left stands in the page in the same order.
        let at = 0;
        for (const character of part.html) {
          at = html.indexOf(character, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("the text of a page", () => {
  const body =
    `<main><h1 id="a">Tides &amp; moon<a class="headerlink" href="#a">¶</a></h1><p>${PROSE}See <a href="../moon">the moon</a>.</p>` +
    `<dl><dt>ebb</dt><dd>when the water goes</dd></dl><pre><code class="language-js">let a = 1;\n  a++;</code></pre>` +
    `<table><tr><th>day</th><th>height</th></tr><tr><td>1</td><td>3 m</td></tr></table><p>${PROSE}</p></main>`;

  it("is plain, without any markup", () => {
    const text = pageText(page(body));
    expect(text).toContain("Tides & moon");
    expect(text).toContain("See the moon.");
    expect(text).toContain("let a = 1;\n  a++;");
    expect(text).not.toMatch(/[<>*`#]|¶/);
  });

  it("is Markdown, with absolute links", () => {
    const markdown = pageMarkdown(page(body), "https://a.example/sea/tides/index.html");
    expect(markdown).toMatch(/^# Tides & moon\n/);
    expect(markdown).toContain("[the moon](https://a.example/sea/moon)");
    expect(markdown).toContain("```js\nlet a = 1;\n  a++;\n```");
    expect(markdown).toContain("| day | height |");
    expect(markdown).not.toContain("<dl>");
  });

  it("is empty for a page without any", () => {
    expect(pageText("")).toBe("");
    expect(pageMarkdown("<html><body><script>x()</script></body></html>", "https://a.example/")).toBe("");
  });
});
