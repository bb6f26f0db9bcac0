/**
 * Real pages of which the text is known: packages of Debian 12 that have both the HTML of their documentation and the
 * sources from which it was made. They are downloaded and unpacked as those of the benchmark of crawlers are.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unpackedPackage } from "../crawl/documentation.ts";
import { type SourceFormat, sourceText } from "./sources.ts";
import { wordsOf } from "./words.ts";

interface KnownPage {
  readonly html: string;
  /** What the page says, from its source. */
  readonly text: string;
}

export interface KnownSet {
  readonly name: string;
  readonly pages: readonly KnownPage[];
}

interface Documentation {
  readonly format: SourceFormat;
  /** The file that a page was made of, without `.gz`. */
  readonly sourceOf: (page: string) => string;
}

const PAGES_PER_SET = 40;
/** Shorter pages are lists of links to others. */
const WORDS_MIN = 200;

/** Sphinx keeps the source of each page in a folder at the root of the site. */
function sphinx(root = "html"): Documentation {
  return {
    format: "rst",
    sourceOf: (page) => page.replace(new RegExp(`/${root}/(.*)\\.html$`), `/${root}/_sources/$1.rst.txt`),
  };
}

/** Six templates: those of Python, Read the Docs, OpenStack and Bootstrap, of AsciiDoc, and one of Node.js alone. */
const packages: Readonly<Record<string, Documentation>> = {
  "python3.11-doc": sphinx(),
  "numba-doc": sphinx(),
  "keystone-doc": sphinx(),
  "lava-server-doc": sphinx("html/v2"),
  "git-doc": { format: "asciidoc", sourceOf: (page) => page.replace(/html$/, "txt") },
  "nodejs-doc": { format: "markdown", sourceOf: (page) => page.replace(/html$/, "md") },
};

/** Packages that are unavailable are reported on standard error and left out. */
export function knownSets(): KnownSet[] {
  const sets = Object.entries(packages).flatMap(([name, documentation]) => {
    const dir = unpackedPackage(name, ["*.html", "*.txt", "*.txt.gz", "*.md", "*.md.gz"], `${name}-with-sources`);
    if (dir === undefined) return [];
    const pages = spread(pagesIn(dir, documentation), PAGES_PER_SET);
    if (pages.length === 0) throw new Error(`${name} has no page with its source; expected that of Debian 12`);
    return [{ name, pages }];
  });
  if (sets.length === 0) {
    throw new Error("no page with known text could be had; expected Debian with `apt-get update` done before");
  }
  return sets;
}

function pagesIn(dir: string, { format, sourceOf }: Documentation): KnownPage[] {
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).map((name) => join(dir, name));
  const known = new Set(files);
  return files
    .filter((name) => name.endsWith(".html"))
    .sort()
    .flatMap((name) => {
      const source = [sourceOf(name), `${sourceOf(name)}.gz`].find((each) => known.has(each));
      const text = source === undefined ? undefined : sourceText(contentOf(source), format);
      if (text === undefined || wordsOf(text).length < WORDS_MIN) return [];
      return [{ html: readFileSync(name, "utf8"), text }];
    });
}

function contentOf(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}

/** So many of them, at equal distances. */
function spread(pages: readonly KnownPage[], count: number): KnownPage[] {
  const step = Math.max(1, pages.length / count);
  return Array.from({ length: Math.min(count, pages.length) }, (_, k) => pages[Math.floor(k * step)]);
}

/** Pages with menus and footers around their text, to check that the benchmark still works without Debian. */
export function generatedSets(): KnownSet[] {
  const menu = Array.from({ length: 20 }, (_, k) => `<li><a href="${k}.html">Entry ${k} elsewhere</a></li>`).join("");
  const pages = Array.from({ length: 3 }, (_, page) => {
    const sentence = `This sentence of the page is read by people, number ${page}, and nobody skips it.`;
    const paragraphs = Array.from({ length: 12 }, () => `<p>${sentence}</p>`).join("");
    const html = `<!doctype html><html><head><title>Page</title></head><body><nav><ul>${menu}</ul></nav>
      <div class="content">${paragraphs}</div><footer><a href="/">Imprint and privacy</a></footer></body></html>`;
    return { html, text: `${sentence}\n`.repeat(12) };
  });
  return [{ name: "generated pages", pages }];
}
