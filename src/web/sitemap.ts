/**
 * Sitemaps (sitemaps.org protocol 0.9): URL sets and indexes in XML, text lists of URLs, and the feeds that the
 * protocol allows instead (RSS 2.0, RSS 1.0, Atom 1.0).
 *
 * It tolerates common defects: any or no namespace, any prefix, bare ampersands, a truncated end, white space anywhere.
 * External entities are never resolved. The bounds of the protocol, 50,000 URLs and 50 MiB per file, apply; the rest is
 * ignored. The protocol allows a sitemap only URLs below its own folder; robots.txt may widen that, so the rule is an
 * option here. By default the scope of the crawl decides.
 */
import { decodeBody } from "./charset.ts";
import { charsetLabel } from "./content-type.ts";
import { readSitemapXml, type SitemapKind } from "./sitemap-xml.ts";

/** What a sitemap holds: URLs of pages, or (an index) of further sitemaps; or why it is not a sitemap. */
export type SitemapResult =
  | { readonly kind: "urls"; readonly urls: readonly string[] }
  | { readonly kind: "index"; readonly sitemaps: readonly string[] }
  | { readonly kind: "error"; readonly message: string };

/** Options of `parseSitemap`. */
export interface SitemapOptions {
  /** The URL of the file: relative locations are resolved against it. */
  readonly url: string;
  readonly contentType: string | null;
  /** Keep only URLs below the sitemap's own folder, as in the protocol (default: false). */
  readonly ownFolderOnly?: boolean;
  /** Reject XML sitemaps whose namespace is not that of the protocol (default: false). */
  readonly namespaceRequired?: boolean;
}

export const SITEMAP_BYTES_MAX = 50 * 2 ** 20;
export const SITEMAP_URLS_MAX = 50_000;
/** The protocol has URLs under 2,048 characters. */
const LINE_CHARACTERS_MAX = 4096;

/** Whether a body is itself a gzip file (`sitemap.xml.gz`), to be unpacked before parsing. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Parses a sitemap. Never throws. URLs are absolute, http or https, without fragment, in the order of the file, each
 * once.
 */
export function parseSitemap(body: Uint8Array, options: SitemapOptions): SitemapResult {
  if (isGzip(body)) return failed("it is a gzip file, which must be unpacked first");
  const label = charsetLabel(options.contentType);
  // Sitemaps are UTF-8 by default, text lists too: the rule of XML.
  const type = label === null ? "application/xml" : `application/xml; charset=${label}`;
  const text = decodeBody(body.subarray(0, SITEMAP_BYTES_MAX), type).text;
  const start = text.search(/[^\s\ufeff\0]/);
  if (start < 0) return failed("it is empty");
  return text[start] === "<" ? fromXml(text.slice(start), options) : fromText(text, options);
}

function fromXml(text: string, options: SitemapOptions): SitemapResult {
  const found = new Locations(options);
  let kind: SitemapKind | undefined;
  const message = readSitemapXml(text, {
    namespaceRequired: options.namespaceRequired ?? false,
    onKind: (each) => {
      kind = each;
    },
    // An index may name sitemaps anywhere: the rule about the folder applies to pages only.
    onLocation: (location) => found.add(location, kind !== "index"),
  });
  if (message !== null) return failed(message);
  return kind === "index" ? { kind: "index", sitemaps: found.urls } : { kind: "urls", urls: found.urls };
}

function fromText(text: string, options: SitemapOptions): SitemapResult {
  const found = new Locations(options);
  let lines = 0;
  let absolute = 0;
  for (const [written] of text.matchAll(/[^\r\n]+/g)) {
    const line = written.trim();
    if (line === "") continue;
    lines++;
    // A list has one absolute URL per line; prose must not be taken for relative URLs.
    if (line.length > LINE_CHARACTERS_MAX || !/^https?:\/\//i.test(line)) continue;
    absolute++;
    if (!found.add(line, true)) break;
  }
  if (absolute === 0) return failed(`it is a text of ${lines} lines, none of them a URL`);
  return { kind: "urls", urls: found.urls };
}

class Locations {
  readonly #found = new Set<string>();
  readonly #base: string;
  readonly #host: string;
  readonly #folder: string | null;

  constructor({ url, ownFolderOnly = false }: SitemapOptions) {
    this.#base = url;
    const base = parsed(url, undefined);
    this.#host = base?.host ?? "";
    this.#folder = ownFolderOnly ? folderOf(base) : null;
  }

  get urls(): readonly string[] {
    return [...this.#found];
  }

  /** Returns false once the file has as many URLs as allowed. */
  add(location: string, isPage: boolean): boolean {
    // "www.example.com/page" in the sitemap of www.example.com lacks its scheme; it is not a relative path.
    const hostFirst = this.#host !== "" && /^[^/?#]*/.exec(location)?.[0]?.toLowerCase() === this.#host;
    const url = parsed(hostFirst ? `//${location}` : location, this.#base);
    if (url === null || !/^https?:$/.test(url.protocol)) return true;
    url.hash = "";
    if (isPage && this.#folder !== null && !url.href.startsWith(this.#folder)) return true;
    this.#found.add(url.href);
    return this.#found.size < SITEMAP_URLS_MAX;
  }
}

function parsed(url: string, base: string | undefined): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

function folderOf(base: URL | null): string | null {
  return base === null ? null : base.origin + base.pathname.slice(0, base.pathname.lastIndexOf("/") + 1);
}

function failed(what: string): SitemapResult {
  return { kind: "error", message: `not a sitemap: ${what}; expected an XML sitemap, a feed or a list of URLs` };
}
