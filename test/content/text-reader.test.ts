/** The text of pages from whatever a crawl has stored of them. */
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { makeTexts, TextReader } from "../../src/content/index.ts";
import type { PageTexts, TextForm } from "../../src/log/index.ts";
import { createCrawl, openWarc } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const URL_1 = "http://a.example/sea/tide.html";
const PROSE = "What the tide leaves on the beach is another thing each time, and nobody has counted it. ".repeat(3);
const HTML = `<base href="/b/"><nav>Menu</nav><main><h1>Tide</h1><p>${PROSE}</p><a href="x">X</a></main>`;
const TEXT = `Tide\n\n${PROSE.trim()}\n\nX`;
const MARKDOWN = `# Tide\n\n${PROSE.trim()}\n\n[X](http://a.example/b/x)`;

const storing = (texts: PageTexts | undefined) => ({ textsOf: () => texts });
const stored = (...forms: readonly TextForm[]): PageTexts => makeTexts(HTML, "http://a.example/b/", forms);

it.each([
  ["as stored", stored("text", "markdown", "html"), TEXT, MARKDOWN, HTML],
  ["made of the HTML", stored("html"), TEXT, MARKDOWN, HTML],
  ["made of the Markdown, where only that was stored", stored("markdown"), TEXT, MARKDOWN, undefined],
  ["in the other form, where only that was stored", stored("text"), TEXT, TEXT, undefined],
  ["undefined, where nothing was stored", undefined, undefined, undefined, undefined],
])("is %s", (_, texts, text, markdown, html) => {
  const reader = new TextReader(temporaryDirectory(), storing(texts));
  expect(reader.read(0, URL_1, "text")).toBe(text);
  expect(reader.read(0, URL_1, "markdown")).toBe(markdown);
  expect(reader.read(0, URL_1, "html")).toBe(html);
});

it("tells of Markdown for which there is plain text only", () => {
  for (const [forms, calls] of [
    [["text"], 1],
    [["text", "html"], 0],
    [["text", "markdown"], 0],
  ] as const) {
    const onPlain = vi.fn();
    const reader = new TextReader(temporaryDirectory(), storing(stored(...forms)), onPlain);
    reader.read(0, URL_1, "text");
    reader.read(0, URL_1, "markdown");
    expect(onPlain).toHaveBeenCalledTimes(calls);
  }
});

it("is made of the response in the archive, decoded by its type", () => {
  const dir = join(temporaryDirectory(), "crawl");
  const store = createCrawl(dir, "{}");
  const archive = openWarc(dir, store, { software: "tidemark/0.0" });
  const keep = (url: string, contentType: string, body: Uint8Array, status = 200): void =>
    archive.keep({
      url,
      dateMs: 0,
      address: null,
      requestHeaders: [],
      status,
      headers: { "content-type": contentType },
      body,
      truncated: false,
    });
  keep(URL_1, "text/html; charset=iso-8859-1", Buffer.from(`${HTML}<main>caf\xe9</main>`, "latin1"));
  keep("http://a.example/copy", "text/html; charset=iso-8859-1", Buffer.from(`${HTML}<main>caf\xe9</main>`, "latin1"));
  keep("http://a.example/plain", "text/plain", Buffer.from("<b>"));
  keep("http://a.example/picture", "image/png", Buffer.from("png"));
  keep("http://a.example/gone", "text/html", Buffer.from(HTML), 404);
  store.close();
  const reader = new TextReader(dir, storing(undefined));
  expect(reader.read(0, URL_1, "markdown")).toBe(MARKDOWN);
  expect(reader.read(0, URL_1, "html")).toContain("café");
  expect(reader.read(0, "http://a.example/copy", "text")).toBe(TEXT);
  expect(reader.read(0, "http://a.example/plain", "text")).toBe("<b>");
  for (const name of ["picture", "gone", "unknown"]) {
    expect(reader.read(0, `http://a.example/${name}`, "text")).toBeUndefined();
  }
});
