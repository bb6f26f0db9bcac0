/**
 * What is kept of a page while it is read, whichever reader finds it: the rules of the HTML standard about attributes live
 * here once, so that the fast reader and the exact one can differ only in which elements they see.
 */
import { readRefresh } from "./html-refresh.ts";
import { robotsMeta } from "./robots-meta.ts";

export interface HtmlLink {
  readonly tag: "a" | "area" | "frame" | "iframe";
  /** Entities decoded, without the white space that a URL parser would drop; not yet resolved. */
  readonly href: string;
  /** `rel` has one of nofollow, ugc, sponsored. */
  readonly nofollow: boolean;
}

export interface HtmlPage {
  /** In document order (source order where a table throws its content out). */
  readonly links: readonly HtmlLink[];
  /** The first `base` with a href: every URL of the page is resolved against it. */
  readonly base: string | null;
  readonly title: string | null;
  /** The first `link rel=canonical` of the head; in the body, where visitors may write, it does not count. */
  readonly canonical: string | null;
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
  /** The first meta refresh that leads to a URL. */
  readonly refresh: string | null;
  /** The page was read by the exact parser. */
  readonly exact: boolean;
  /** There were more links than `linksMax`: those of the page are not all known. */
  readonly truncatedLinks: boolean;
}

export interface HtmlOptions {
  readonly linksMax: number;
  /** `<meta name=THIS>` is obeyed beside `<meta name=robots>`. */
  readonly productToken: string;
}

/** The value of an attribute, entities decoded, or null. */
type Attribute = (name: string) => string | null;

const TITLE_CHARACTERS_MAX = 300;

export class HtmlFacts {
  readonly #links: HtmlLink[] = [];
  readonly #linksMax: number;
  readonly #productToken: string;
  #truncatedLinks = false;
  #base: string | null = null;
  #title: string | null = null;
  #canonical: string | null = null;
  #noindex = false;
  #nofollow = false;
  #refreshed = false;
  #refresh: string | null = null;

  constructor(options: HtmlOptions) {
    this.#linksMax = options.linksMax;
    this.#productToken = options.productToken.toLowerCase();
  }

  link(tag: HtmlLink["tag"], href: string, rel: string | null): void {
    const url = urlText(href);
    // A frame without a URL shows an empty page; a link without one leads to its own page.
    if (url === "" && (tag === "frame" || tag === "iframe")) return;
    if (this.#links.length >= this.#linksMax) {
      this.#truncatedLinks = true;
      return;
    }
    this.#links.push({ tag, href: url, nofollow: rel !== null && unendorsed(rel) });
  }

  /** False when the page has named another base before: then the order of the two in the tree decides. */
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
      const { noindex, nofollow } = robotsMeta(content);
      this.#noindex ||= noindex;
      this.#nofollow ||= nofollow;
    }
    if (!this.#refreshed && attribute("http-equiv")?.toLowerCase() === "refresh") {
      const refresh = readRefresh(content);
      if (refresh === null) return;
      this.#refreshed = true;
      this.#refresh = refresh.url === null ? null : urlText(refresh.url);
    }
  }

  page(exact: boolean): HtmlPage {
    return {
      links: this.#links,
      base: this.#base,
      title: this.#title,
      canonical: this.#canonical,
      robots: { noindex: this.#noindex, nofollow: this.#nofollow },
      refresh: this.#refresh,
      exact,
      truncatedLinks: this.#truncatedLinks,
    };
  }
}

/** What the URL standard's parser does first: control characters and spaces at the ends, tabs and line ends within. */
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

/** `ugc` and `sponsored` are narrower words for the same wish, and pages use them instead of nofollow. */
function unendorsed(rel: string): boolean {
  return words(rel).some((word) => word === "nofollow" || word === "ugc" || word === "sponsored");
}

function words(value: string): string[] {
  return value.toLowerCase().split(/[\t\n\f\r ]+/);
}
