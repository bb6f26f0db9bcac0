/**
 * Reads the links and facts of an HTML page, as in a browser's tree with scripting off.
 *
 * Ordinary pages are read by a scan of their tags. A page where the tree decides which links exist is read again by
 * parse5. Both give the same set of links: html-scan.ts says why, and tests compare them. A page whose tree exceeds the
 * bounds keeps the links that the scan found, marked as incomplete. A page in UTF-8 is scanned as bytes, five times as
 * fast; only addresses and titles with letters beyond ASCII are decoded. A page that is served as XML is read by the
 * rules of XML (xhtml.ts).
 */
import { isomorphicDecode, isomorphicEncode } from "@exodus/bytes/encoding.js";
import { decodeAs, encodingOf, isXhtml } from "./content-type.ts";
import { HtmlFacts, type HtmlOptions, type HtmlPage } from "./html-facts.ts";
import { scanHtml } from "./html-scan.ts";
import { readHtmlTree } from "./html-tree.ts";
import { readXhtml } from "./xhtml.ts";

export type { HtmlLink, HtmlOptions, HtmlPage } from "./html-facts.ts";

/** A bound of memory: what a crawl takes of a page is up to its settings. */
const LINKS_MAX = 1_000_000;
const PRODUCT_TOKEN = "tidemark";
const BYTE_ORDER_MARK = "\xef\xbb\xbf";

/** Inside a page, what looks like a byte order mark is a letter. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads the links and facts of an HTML page. Never throws. Strings of the result may share memory with `text`. */
export function readHtml(text: string, options: Partial<HtmlOptions> = {}): HtmlPage {
  const page = read(
    text,
    withDefaults(options),
    (part) => part,
    () => text,
  );
  return { ...page, encoding: "utf-8" };
}

/** Reads an HTML page from its bytes: as `readHtml(decodeBody(...).text)`, but faster for UTF-8. */
export function readHtmlBody(
  body: Uint8Array,
  contentType: string | null,
  options: Partial<HtmlOptions> = {},
): HtmlPage {
  const encoding = encodingOf(body, contentType);
  if (isXhtml(contentType)) {
    return { ...readXhtml(decodeAs(body, encoding).text, withDefaults(options)), encoding };
  }
  if (encoding !== "utf-8") return { ...readHtml(decodeAs(body, encoding).text, options), encoding };
  const bytes = isomorphicDecode(body);
  const start = bytes.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const page = read(bytes.slice(start), withDefaults(options), decodePart, () => decodeAs(body, encoding).text);
  return { ...page, encoding };
}

/** What relative links are resolved against. A broken base is ignored; one that is no web address gives no links. */
export function baseOf(base: string | null, url: string): string {
  return base !== null && URL.canParse(base, url) ? new URL(base, url).href : url;
}

function read(
  scanned: string,
  options: HtmlOptions,
  decode: (part: string) => string,
  decoded: () => string,
): Omit<HtmlPage, "encoding"> {
  const facts = new HtmlFacts(options);
  if (scanHtml(scanned, facts, decode)) return facts.page(false);
  return readHtmlTree(decoded(), options) ?? { ...facts.page(false), truncation: "too-complex" };
}

function withDefaults(options: Partial<HtmlOptions>): HtmlOptions {
  const { linksMax = LINKS_MAX, productToken = PRODUCT_TOKEN, anchors = false } = options;
  return { linksMax, productToken, anchors };
}

/** Decodes UTF-8 whose bytes are the letters of a string. */
function decodePart(part: string): string {
  for (let at = 0; at < part.length; at++) {
    if (part.charCodeAt(at) >= 0x80) return utf8.decode(isomorphicEncode(part));
  }
  return part;
}
