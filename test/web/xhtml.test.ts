/** Pages that are served as XML: by the rules of XML, and as HTML where both rules agree. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHtml, readHtmlBody } from "../../src/web/index.ts";
import { anyText } from "../support/any-text.ts";
import { cases } from "../support/cases.ts";

const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';

const read = (text: string, contentType = "application/xhtml+xml") =>
  readHtmlBody(new TextEncoder().encode(text), contentType);
const hrefs = (text: string, contentType?: string) => read(text, contentType).links.map(({ href }) => href);

describe("a page served as XML", () => {
  it("closes elements that close themselves, as a page of HTML does not", () => {
    const page =
      `<html ${XHTML}><head><title/><script src="x.js"/></head><body><a href="/1"/><iframe src="/2"/><p/>` +
      `<textarea/><a href="/3">3</a></body></html>`;
    expect(hrefs(page)).toEqual(["/1", "/2", "/3"]);
    expect(hrefs(page, "text/html")).not.toContain("/3");
  });

  it("has its facts, with entities and CDATA", () => {
    const page = read(`<?xml version="1.0"?><!DOCTYPE html>
      <html ${XHTML} xml:lang="de"><head><base href="/b/"/><title>A &amp; <![CDATA[B <b>]]></title>
      <link rel="canonical" href="c"/><meta name="robots" content="nofollow"/></head>
      <body><link rel="canonical" href="no"/><a href="x?a=1&amp;b=2" rel="nofollow">x</a></body></html>`);
    expect(page).toMatchObject({
      base: "/b/",
      title: "A & B <b>",
      language: "de",
      canonical: "c",
      robots: { nofollow: true },
      links: [{ href: "x?a=1&b=2", nofollow: true }],
      encoding: "utf-8",
      truncation: null,
    });
  });

  it("has only the links of its own namespace, whatever their prefix", () => {
    const page = `<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/2000/svg">
      <h:body><h:a href="/1"/><a href="/2"/><svg><a href="/3"/><h:a href="/4"/></svg>
      <div ${XHTML}><a href="/5"/><A href="/6"/></div></h:body></h:html>`;
    expect(hrefs(page)).toEqual(["/1", "/4", "/5"]);
  });

  it("is HTML where it names no namespace, and is read as far as it is well-formed", () => {
    expect(hrefs("<html><body><a href='/1'>")).toEqual(["/1"]);
    expect(hrefs("<html><a href='/1'></b></i><a href=/2><a href='/3'/></html>")).toContain("/1");
    expect(hrefs("")).toEqual([]);
  });

  it("is read in its declared encoding, and in UTF-8 without one", () => {
    const declared = '<?xml version="1.0" encoding="iso-8859-1"?><html><title>\u00e9</title></html>';
    const bytes = Buffer.from(declared, "latin1");
    expect(readHtmlBody(bytes, "application/xhtml+xml")).toMatchObject({ title: "\u00e9", encoding: "windows-1252" });
    expect(read("<html><title>\u00e9</title></html>").title).toBe("\u00e9");
  });

  it("has the same links and facts as HTML where the rules are the same", () => {
    const leaf = fc.constantFrom(
      '<a href="/1">one</a>',
      '<a href="/2" rel="nofollow">two</a>',
      '<a href="?q=1&amp;r=2">three</a>',
      "<p>text &lt; text</p>",
      "<!-- <a href='/no'>no</a> -->",
      '<img alt="x" src="y" />',
      '<iframe src="/frame"></iframe>',
    );
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("tree"), { maxLength: 4 }).map((children) => `<div>${children.join("")}</div>`),
      ),
    }));
    fc.assert(
      fc.property(tree, (body) => {
        const page = `<html ${XHTML} lang="en"><head><title>t</title></head><body>${body}</body></html>`;
        const { exact: _xml, ...asXml } = read(page);
        const { exact: _html, ...asHtml } = readHtml(page);
        expect(asXml).toEqual(asHtml);
      }),
      { numRuns: cases(300) },
    );
  });

  it("forgets the namespaces of an element where it ends, and sees again those around it", () => {
    const page = `<html ${XHTML} xmlns:h="http://www.w3.org/1999/xhtml"><body>
      <g xmlns="http://www.w3.org/2000/svg" xmlns:="urn:x" xmlns:h="urn:y" xmlns:n="http://www.w3.org/1999/xhtml">
      <a href="/no"/><h:a href="/no"/><n:a href="/1"/></g>
      <a href="/2"/><h:a href="/3"/><n:a href="/no"/></body></html>`;
    expect(hrefs(page)).toEqual(["/1", "/2", "/3"]);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (text) => {
        expect(read(`<a href='/1'/>${text}`).links[0]?.href).toBe("/1");
      }),
    );
  });
});

describe("a page served as XML that is out of all bounds", () => {
  const deep = (elements: number): string => `<a href="/1"/>${"<b>".repeat(elements - 1)}<a href="/2"/>`;
  const declaring = (prefixes: number): string =>
    `<html><a href="/1"/>${Array.from({ length: prefixes }, (_, k) => `<b xmlns:p${k}="">`).join("")}<a href="/2"/>`;

  it.each([
    ["elements that are open", deep, 1000],
    ["namespaces that are declared on them", declaring, 500],
  ])("keeps the links that were found, and says that there are others: %s", (_what, pageOf, most) => {
    const [within, beyond] = [read(pageOf(most)), read(pageOf(most + 1))];
    expect([within.truncation, within.links.map(({ href }) => href)]).toEqual([null, ["/1", "/2"]]);
    expect([beyond.truncation, beyond.links.map(({ href }) => href)]).toEqual(["too-complex", ["/1"]]);
  });

  it("may have as many elements and declarations as it likes, one after the other", () => {
    const { truncation, links } = read(`<html>${'<a xmlns:p="x" href="/1"><b/></a>'.repeat(5000)}</html>`);
    expect([truncation, links.length]).toEqual([null, 5000]);
  });

  it("takes no longer than it is long", () => {
    const before = process.cpuUsage();
    const [within, many] = [declaring(490), Array.from({ length: 60_000 }, (_, k) => `xmlns:p${k}=""`).join(" ")];
    const inside = (part: string): string => within + part.repeat(1_000_000 / part.length);
    for (const page of [declaring(60_000), deep(300_000), `<b ${many}>`, inside("</c>"), inside('<b xmlns:p=""/>')]) {
      read(page);
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
  });
});
