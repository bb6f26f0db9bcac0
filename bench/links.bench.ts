/**
 * Links from HTML: megabytes of pages per CPU second, compared with other parsers, on the documentation under
 * /usr/share/doc (for instance the packages python3-doc and postgresql-doc-15), or else on generated pages. The links
 * of every page are compared with those of parse5's tree.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Parser } from "htmlparser2";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import { decodeBody, readHtml, readHtmlBody } from "../src/web/index.ts";
import { bestCpuSeconds, cpuSeconds } from "./measure.ts";

export interface LinksFigures {
  readonly source: string;
  readonly pages: number;
  readonly megabytes: number;
  readonly links: number;
  /** Pages with the same set of links as parse5's tree. */
  readonly pagesEqual: number;
  /** Pages that the scan left to the exact parser. */
  readonly pagesExact: number;
  readonly firstMegabytesPerCpuSecond: number;
  readonly megabytesPerCpuSecond: {
    readonly tidemark: number;
    readonly tidemarkDecodedFirst: number;
    readonly tidemarkFromBytes: number;
    readonly htmlparser2: number;
    readonly parse5: number;
    readonly cheerio: number;
  };
}

interface Page {
  readonly bytes: Uint8Array;
  readonly text: string;
}

const DOCUMENTATION = "/usr/share/doc";
const BYTES_MAX = 64 << 20;
const LINKS_MAX = 1_000_000;
const CONTENT_TYPE = "text/html; charset=utf-8";

export function benchLinks(options: { readonly tiny: boolean }): LinksFigures {
  const found = options.tiny ? [] : documentationPages();
  const pages = found.length > 0 ? found : generatedPages(options.tiny ? 20 : 1000);
  const runs = options.tiny ? 1 : 5;
  // Two runs of 64 MB are enough to warm up; the slowest peer takes half a minute for them.
  const peerRuns = options.tiny ? 1 : 2;
  const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
  const megabytesIn = (seconds: number): number => bytes / 1e6 / seconds;
  const speed = (read: (page: Page) => void, times: number): number =>
    megabytesIn(
      bestCpuSeconds(times, () => {
        for (const page of pages) read(page);
      }),
    );
  const first = cpuSeconds(() => {
    for (const { text } of pages) readHtml(text, { linksMax: LINKS_MAX });
  });
  const ours = pages.map(({ text }) => readHtml(text, { linksMax: LINKS_MAX }));
  const cheerio = loadCheerio();
  return {
    source: found.length > 0 ? DOCUMENTATION : "generated pages",
    pages: pages.length,
    megabytes: bytes / 1e6,
    links: ours.reduce((sum, page) => sum + page.links.length, 0),
    pagesEqual: pages.filter(({ text }, page) => sameLinks(ours[page].links, treeLinks(text))).length,
    pagesExact: ours.filter((page) => page.exact).length,
    firstMegabytesPerCpuSecond: megabytesIn(first),
    megabytesPerCpuSecond: {
      tidemark: speed(({ text }) => readHtml(text), runs),
      tidemarkDecodedFirst: speed((page) => readHtml(decodeBody(page.bytes, CONTENT_TYPE).text), runs),
      tidemarkFromBytes: speed((page) => readHtmlBody(page.bytes, CONTENT_TYPE), runs),
      htmlparser2: speed(({ text }) => parserLinks(text), peerRuns),
      parse5: speed(({ text }) => treeLinks(text), peerRuns),
      cheerio: speed(({ text }) => cheerio(text), peerRuns),
    },
  };
}

function sameLinks(ours: readonly { tag: string; href: string }[], theirs: ReadonlySet<string>): boolean {
  const set = new Set(ours.map(({ tag, href }) => `${tag} ${href}`));
  return set.size === theirs.size && [...set].every((link) => theirs.has(link));
}

/** Plain parse5 with a walk over its tree. */
function treeLinks(text: string): Set<string> {
  const links = new Set<string>();
  const ahead: DefaultTreeAdapterMap["node"][] = [parse(text, { scriptingEnabled: false })];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if ("childNodes" in node) ahead.push(...node.childNodes);
    if (!("tagName" in node) || node.namespaceURI !== "http://www.w3.org/1999/xhtml") continue;
    const name = addressOf(node.tagName);
    const value = node.attrs.find((attribute) => attribute.name === name)?.value;
    // The tag and the address as a URL parser trims it.
    if (value !== undefined) links.add(`${node.tagName} ${value.trim().replace(/[\t\n\r]/g, "")}`);
  }
  return links;
}

function parserLinks(text: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(tag, attributes) {
      const name = addressOf(tag);
      const value = name === null ? undefined : attributes[name];
      if (value !== undefined) links.push(value);
    },
  });
  parser.end(text);
  return links;
}

function addressOf(tag: string): "href" | "src" | null {
  if (tag === "a" || tag === "area") return "href";
  return tag === "iframe" || tag === "frame" ? "src" : null;
}

type Cheerio = (selector: string) => {
  map(read: (at: number, element: unknown) => unknown): { get(): unknown[] };
};

/** The cheerio that Crawlee's CheerioCrawler depends on. */
function loadCheerio(): (text: string) => unknown[] {
  const crawlee = createRequire(import.meta.url).resolve("@crawlee/cheerio");
  const { load } = createRequire(crawlee)("cheerio") as { load: (text: string) => Cheerio };
  return (text) =>
    load(text)("a[href]")
      .map((_, element) => (element as { attribs: Record<string, string> }).attribs["href"])
      .get();
}

function documentationPages(): Page[] {
  const pages: Page[] = [];
  let bytes = 0;
  for (const path of htmlFiles()) {
    const size = statSync(path).size;
    if (bytes + size > BYTES_MAX) continue;
    bytes += size;
    pages.push(pageOf(readFileSync(path)));
  }
  return pages;
}

function htmlFiles(): string[] {
  try {
    return readdirSync(DOCUMENTATION, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.html?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [];
  }
}

function generatedPages(count: number): Page[] {
  const encoder = new TextEncoder();
  return Array.from({ length: count }, (_, page) => {
    const items = Array.from({ length: 100 }, (__, item) => {
      const href = `../page${(page * 7 + item) % count}.html?a=1&amp;b=${item}`;
      return `<li class="toctree-l1"><a class="reference internal" href="${href}">
        <code class="xref"><span class="pre">page ${item}</span></code></a>, which is
        <em>not</em> page ${item + 1}.</li>`;
    });
    return pageOf(
      encoder.encode(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title>
        <link rel="canonical" href="https://example.org/page${page}.html">
        <script>if (1 < 2) document.write("<a>");</script></head>
        <body><h1>Page ${page}</h1><ul>${items.join("\n")}</ul></body></html>`),
    );
  });
}

function pageOf(bytes: Uint8Array): Page {
  return { bytes, text: decodeBody(bytes, CONTENT_TYPE).text };
}
