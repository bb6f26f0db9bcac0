/**
 * What a browser loads to show a page: stylesheets, scripts, images, icons and fonts, from its HTML and its CSS. Other
 * pages, frames, audio and video are not among it. For archives: a crawl follows none of this.
 *
 * The HTML is read without building a tree, and the CSS by its few forms that name a URL. That finds a little more than
 * a browser would load, such as what stands in a comment of CSS that was never closed, and nothing less, unless
 * elements are nested too deeply.
 */
import { Parser } from "htmlparser2";
import { decodeBody } from "./content-type.ts";
import { LinkResolver } from "./url.ts";

/** Of one page or stylesheet; more would be an attack. */
export const REQUISITES_MAX = 5000;
/** What comes after deeper elements is not read: the parser takes quadratic time for elements in elements. */
const DEPTH_MAX = 1000;

interface Document {
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string | null;
}

/** Canonical URLs, each once, in document order. */
export function requisitesOfPage({ url, body, contentType }: Document): string[] {
  const { text, encoding } = decodeBody(body, contentType);
  const reader = new RequisiteReader();
  const parser = new Parser(reader, { lowerCaseTags: true, lowerCaseAttributeNames: true });
  parser.end(text);
  const base = reader.base === null ? url : (new LinkResolver(url).resolve(reader.base) ?? url);
  return resolved(reader.written, base, encoding);
}

/** The images, fonts and further stylesheets that a stylesheet names. */
export function requisitesOfStylesheet({ url, body, contentType }: Document): string[] {
  const { text, encoding } = decodeBody(body, contentType ?? "text/css; charset=utf-8");
  return resolved(urlsInCss(text), url, encoding);
}

function resolved(written: Iterable<string>, base: string, encoding: string): string[] {
  const resolver = new LinkResolver(base, undefined, encoding);
  const urls = new Set<string>();
  for (const each of written) {
    const url = resolver.resolve(each);
    if (url !== null) urls.add(url);
    if (urls.size >= REQUISITES_MAX) break;
  }
  return [...urls];
}

type Attributes = Readonly<Record<string, string>>;

/** Relations of a `link` whose target is loaded with the page. */
const LOADED = new Set(["stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon"]);
/** What a preload is for, where that is loaded with the page. */
const PRELOADED = new Set(["style", "script", "image", "font"]);

class RequisiteReader {
  base: string | null = null;
  readonly written: string[] = [];
  #isInStyle = false;
  #style = "";
  #depth = 0;
  #parser: Parser | undefined;

  onparserinit(parser: Parser): void {
    this.#parser = parser;
  }

  onopentag(name: string, attributes: Attributes): void {
    if (++this.#depth > DEPTH_MAX) return this.#parser?.pause();
    const add = (...urls: (string | undefined)[]): void => {
      for (const url of urls) if (url !== undefined && url !== "") this.written.push(url);
    };
    const { style } = attributes;
    if (style !== undefined) this.written.push(...urlsInCss(style));
    switch (name) {
      case "base":
        this.base ??= attributes["href"] ?? null;
        return;
      case "link":
        if (isLoaded(attributes)) add(attributes["href"], ...urlsInSrcset(attributes["imagesrcset"]));
        return;
      case "script":
        return add(attributes["src"]);
      case "img":
        return add(attributes["src"], ...urlsInSrcset(attributes["srcset"]));
      case "source":
        return add(...urlsInSrcset(attributes["srcset"]));
      case "input":
        return attributes["type"]?.toLowerCase() === "image" ? add(attributes["src"]) : undefined;
      case "video":
        return add(attributes["poster"]);
      case "image":
      case "use":
        return add(attributes["href"] ?? attributes["xlink:href"]);
      case "body":
      case "table":
      case "td":
      case "th":
        return add(attributes["background"]);
      case "style":
        this.#isInStyle = true;
    }
  }

  ontext(text: string): void {
    if (this.#isInStyle) this.#style += text;
  }

  onclosetag(name: string): void {
    this.#depth--;
    if (name !== "style") return;
    this.written.push(...urlsInCss(this.#style));
    this.#isInStyle = false;
    this.#style = "";
  }
}

function isLoaded({ rel = "", as = "" }: Attributes): boolean {
  const relations = rel.toLowerCase().split(/\s+/);
  if (relations.some((each) => LOADED.has(each)) || relations.includes("modulepreload")) return true;
  return relations.includes("preload") && PRELOADED.has(as.toLowerCase());
}

/** "a.png 1x, b.png 2x": a URL has no white space, and no comma at its end. */
function urlsInSrcset(srcset = ""): string[] {
  return Array.from(srcset.matchAll(/([^\s,]\S*[^\s,]|[^\s,])(?:\s+[^,\s]+)?\s*(?:,|$)/g), ([, url]) => url);
}

/** Where a URL begins in CSS: `url(`, or the string after `@import`. */
const CSS_URL = /url\(\s*|@import\s+(?=["'])/gi;
/** One piece of a string or of an unquoted URL: an escape with its digits, an escaped character, or plain ones. */
const CSS_PIECE = /\\([0-9a-f]{1,6})\s?|\\([^])|([^\\"'()\s]+|[^])/iy;

/** In `url(...)` and `@import "..."`, with escapes undone; what stands in comments does not count. */
function* urlsInCss(css: string): Generator<string> {
  const text = css.replace(/\/\*[^]*?\*\//g, " ");
  for (const { 0: start, index } of text.matchAll(CSS_URL)) {
    const url = cssUrlAt(text, index + start.length).trim();
    if (url !== "") yield url;
  }
}

/** Empty where none that ends begins here. */
function cssUrlAt(text: string, start: number): string {
  const quote = /["']/.exec(text[start] ?? "")?.[0];
  CSS_PIECE.lastIndex = quote === undefined ? start : start + 1;
  let url = "";
  for (let piece = CSS_PIECE.exec(text); piece !== null; piece = CSS_PIECE.exec(text)) {
    const [, hex, escaped, plain] = piece;
    if (quote === undefined ? plain === ")" || /^\s/.test(plain ?? "") : plain === quote) return url;
    if (quote === undefined ? /^["'(]/.test(plain ?? "") : plain === "\n") return "";
    // A line may go on in the next, after a backslash.
    url += hex === undefined ? (plain ?? (escaped === "\n" ? "" : escaped)) : characterOf(Number.parseInt(hex, 16));
  }
  return "";
}

function characterOf(code: number): string {
  return code === 0 || code > 0x10_ff_ff ? "\ufffd" : String.fromCodePoint(code);
}
