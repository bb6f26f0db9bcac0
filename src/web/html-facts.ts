/**
 * Collects the facts of a page for both readers (html-scan.ts, html-tree.ts), so that they can differ only in the
 * elements that they see: links and whether they are marked nofollow, the title, the language, what robots may do.
 */
import { anchorText } from "./html-anchors.ts";
import { type RobotsDirectives, robotsMeta } from "./robots-directives.ts";

/** A link of an HTML page. */
export interface HtmlLink {
  readonly tag: "a" | "area" | "frame" | "iframe";
  /** The URL as written, entities decoded, without the white space that a URL parser would drop; not yet resolved. */
  readonly href: string;
  /** Whether `rel` has one of nofollow, ugc, sponsored. */
  readonly nofollow: boolean;
}

/** The links and facts of an HTML page. */
export interface HtmlPage {
  /** The text of each link, in the same order; null unless it was asked for. */
  readonly anchors: readonly string[] | null;
  /** In document order (in source order if a table moves its content out). */
  readonly links: readonly HtmlLink[];
  /** The first `base` with a href; every URL of the page is resolved against it. */
  readonly base: string | null;
  readonly title: string | null;
  /** The `lang` of the html element, as written; null where it is none or no language tag. */
  readonly language: string | null;
  /** The first `link rel=canonical` in the head. In the body, where visitors may write, it does not count. */
  readonly canonical: string | null;
  readonly robots: RobotsDirectives;
  /** The URL of the first meta refresh that has one. */
  readonly refresh: string | null;
  /** The encoding of its bytes; of a text, "utf-8". The queries of its links are sent in it. */
  readonly encoding: string;
  /** Whether the page was read by the exact parser. */
  readonly exact: boolean;
  /** Why not all links are known: there are more than `linksMax`, or its tree is too large; null if all are. */
  readonly truncation: "too-many-links" | "too-complex" | null;
}

/** Options of `readHtml` and `readHtmlBody`. */
export interface HtmlOptions {
  /** How many links of a page are read, repeated ones included (default: a million). */
  readonly linksMax: number;
  /** `<meta name=...>` with this name is obeyed as well as `<meta name=robots>` (default: "tidemark"). */
  readonly productToken: string;
  /** Whether to read the text of links (default: false). */
  readonly anchors: boolean;
}

/** The value of an attribute, entities decoded, or null. */
type Attribute = (name: string) => string | null;

const TITLE_CHARACTERS_MAX = 300;
/** Tags of BCP 47, and those with the underscore of POSIX that pages use instead. */
const LANGUAGE_TAG = /^[a-z0-9][a-z0-9_-]{1,34}$/i;

export class HtmlFacts {
  readonly #links: HtmlLink[] = [];
  /** Null unless texts of links are wanted. */
  readonly #anchors: string[] | null;
  readonly #linksMax: number;
  readonly #productToken: string;
  #hasMore = false;
  #base: string | null = null;
  #title: string | null = null;
  #language: string | null = null;
  #canonical: string | null = null;
  #noindex = false;
  #nofollow = false;
  #noarchive = false;
  #refreshed = false;
  #refresh: string | null = null;

  constructor(options: HtmlOptions) {
    this.#linksMax = options.linksMax;
    this.#anchors = options.anchors ? [] : null;
    this.#productToken = options.productToken.toLowerCase();
  }

  get wantsAnchors(): boolean {
    return this.#anchors !== null;
  }

  /** The text of the link that was added last, or a label that it has instead. */
  anchor(text: string, label: string | null): void {
    if (this.#anchors === null || this.#links.length === 0) return;
    while (this.#anchors.length < this.#links.length - 1) this.#anchors.push("");
    this.#anchors[this.#links.length - 1] ||= text || anchorText(label ?? "");
  }

  /** An element of a tree, other than a title, whose text is not here. */
  element(name: string, attribute: Attribute, isInHead: () => boolean): void {
    switch (name) {
      case "a":
      case "area": {
        const href = attribute("href");
        if (href !== null) this.link(name, href, attribute("rel"));
        return;
      }
      case "iframe":
      case "frame": {
        const source = attribute("src");
        if (source !== null) this.link(name, source, null);
        return;
      }
      case "base": {
        const href = attribute("href");
        if (href !== null) this.base(href);
        return;
      }
      case "link":
        if (isInHead()) this.headLink(attribute);
        return;
      case "meta":
        this.meta(attribute);
        return;
      case "html":
        this.html(attribute);
    }
  }

  link(tag: HtmlLink["tag"], href: string, rel: string | null): void {
    const url = urlText(href);
    // A frame without a URL shows an empty page; a link without one leads to the page itself.
    if (url === "" && (tag === "frame" || tag === "iframe")) return;
    if (this.#links.length >= this.#linksMax) {
      this.#hasMore = true;
      return;
    }
    this.#links.push({ tag, href: url, nofollow: rel !== null && unendorsed(rel) });
  }

  /** Returns false if the page has named another base before: then their order in the tree decides. */
  base(href: string): boolean {
    const url = urlText(href);
    if (this.#base === null) this.#base = url;
    return this.#base === url;
  }

  hasTitle(): boolean {
    return this.#title !== null;
  }

  title(text: string): void {
    this.#title ??= text
      .replace(/[\t\n\f\r ]+/g, " ")
      .trim()
      .slice(0, TITLE_CHARACTERS_MAX);
  }

  /** The attributes of an html tag. A later tag adds those that the earlier ones lack. */
  html(attribute: Attribute): void {
    this.#language ??= attribute("lang")?.trim() ?? null;
  }

  headLink(attribute: Attribute): void {
    if (this.#canonical !== null) return;
    const rel = attribute("rel");
    if (rel === null || !words(rel).includes("canonical")) return;
    const href = attribute("href");
    if (href !== null && urlText(href) !== "") this.#canonical = urlText(href);
  }

  meta(attribute: Attribute): void {
    const content = attribute("content");
    if (content === null) return;
    const name = attribute("name")?.trim().toLowerCase();
    if (name === "robots" || name === this.#productToken) {
      const { noindex, nofollow, noarchive } = robotsMeta(content);
      this.#noindex ||= noindex;
      this.#nofollow ||= nofollow;
      this.#noarchive ||= noarchive;
    }
    if (!this.#refreshed && attribute("http-equiv")?.toLowerCase() === "refresh") {
      const refresh = readRefresh(content);
      if (refresh === null) return;
      this.#refreshed = true;
      this.#refresh = refresh.url === null ? null : urlText(refresh.url);
    }
  }

  page(exact: boolean): Omit<HtmlPage, "encoding"> {
    if (this.#anchors !== null) while (this.#anchors.length < this.#links.length) this.#anchors.push("");
    return {
      anchors: this.#anchors,
      links: this.#links,
      base: this.#base,
      title: this.#title,
      language: this.#language !== null && LANGUAGE_TAG.test(this.#language) ? this.#language : null,
      canonical: this.#canonical,
      robots: { noindex: this.#noindex, nofollow: this.#nofollow, noarchive: this.#noarchive },
      refresh: this.#refresh,
      exact,
      truncation: this.#hasMore ? "too-many-links" : null,
    };
  }
}

/** What the URL parser removes first: control characters and spaces at the ends, tabs and line ends within. */
function urlText(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && value.charCodeAt(start) <= 0x20) start++;
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end--;
  const url = value.slice(start, end);
  for (let at = 0; at < url.length; at++) {
    if (url.charCodeAt(at) <= 0x0d) return url.replace(/[\t\n\r]/g, "");
  }
  return url;
}

/** `ugc` and `sponsored` are narrower forms of nofollow, and pages use them instead. */
function unendorsed(rel: string): boolean {
  return words(rel).some((word) => word === "nofollow" || word === "ugc" || word === "sponsored");
}

function words(value: string): string[] {
  return value.toLowerCase().split(/[\t\n\f\r ]+/);
}

/**
 * The URL of `<meta http-equiv=refresh content="5; url=/next">`, by the "shared declarative refresh steps" of the HTML
 * standard; `url: null` refreshes the page itself. Null if the content has no valid time.
 */
function readRefresh(content: string): { readonly url: string | null } | null {
  const time = /^[\t\n\f\r ]*(?:[0-9]+[0-9.]*|\.[0-9.]*)/.exec(content)?.[0];
  if (time === undefined) return null;
  let rest = content.slice(time.length);
  if (rest === "") return { url: null };
  if (!/^[;,\t\n\f\r ]/.test(rest)) return null;
  rest = rest.replace(/^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/, "");
  if (rest === "") return { url: null };
  // "url=" may be spelt out; without its equals sign the letters belong to the URL.
  rest = rest.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
  const quote = rest[0];
  if (quote === '"' || quote === "'") {
    const end = rest.indexOf(quote, 1);
    rest = end < 0 ? rest.slice(1) : rest.slice(1, end);
  }
  return { url: rest };
}
