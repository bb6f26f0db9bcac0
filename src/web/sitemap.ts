/**
 * Sitemaps (sitemaps.org protocol 0.9): URL sets and indexes in XML, text lists of URLs, and feeds (RSS 2.0, RSS 1.0,
 * Atom 1.0).
 *
 * It tolerates common defects: any or no namespace, any prefix, bare ampersands, white space anywhere. Of a file that
 * is cut off, it gives the locations that are whole, and says that there may be more. External entities are never
 * resolved. Of a file at most 50,000 URLs and 50 MiB are read, as in the protocol. The protocol allows only URLs below
 * the folder of a sitemap; that is an option here, by default the scope of the crawl decides. `lastmod` is a W3C date:
 * a day, month or year means its beginning, and a time without a zone is UTC. Any other text, and a date before 1970,
 * says nothing.
 */
import { Parser } from "htmlparser2";
import { charsetLabel, decodeBody } from "./content-type.ts";

/** What a sitemap holds: URLs of pages, or (an index) of further sitemaps; or why it is not a sitemap. */
export type SitemapResult =
  | {
      readonly kind: "urls";
      readonly urls: readonly string[];
      /** When some of them were last modified according to `lastmod`, Unix time in milliseconds. */
      readonly modified: ReadonlyMap<string, number>;
      /** What is listed as a page, but has no URL of a web page. */
      readonly invalid: InvalidLocations;
      readonly truncation: SitemapTruncation | null;
    }
  | { readonly kind: "index"; readonly sitemaps: readonly string[]; readonly truncation: SitemapTruncation | null }
  | { readonly kind: "error"; readonly message: string };

/** Why a sitemap may list more than was read: it ends in the middle, or it is larger or deeper than it may be. */
export type SitemapTruncation = "cut-off" | "too-large";

/** Locations that cannot be requested: how many, and the first few, as they are written. */
export interface InvalidLocations {
  readonly count: number;
  readonly examples: readonly string[];
}

/** Options of `parseSitemap`. */
export interface SitemapOptions {
  /** The URL of the file: relative locations are resolved against it. */
  readonly url: string;
  readonly contentType: string | null;
  /** Whether the body is only the beginning of the file (default: false). */
  readonly truncated?: boolean;
  /** Keep only URLs below the sitemap's own folder, as in the protocol (default: false). */
  readonly ownFolderOnly?: boolean;
  /** Reject XML sitemaps whose namespace is not that of the protocol (default: false). */
  readonly namespaceRequired?: boolean;
}

export const SITEMAP_BYTES_MAX = 50 * 2 ** 20;
export const SITEMAP_URLS_MAX = 50_000;
/** In the protocol URLs have fewer than 2,048 characters. */
const LOCATION_CHARACTERS_MAX = 4096;

/** Whether a body is itself a gzip file (`sitemap.xml.gz`), to be unpacked before parsing. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Parses a sitemap. Never throws. URLs are absolute, http or https, without fragment, in file order, each once. */
export function parseSitemap(body: Uint8Array, options: SitemapOptions): SitemapResult {
  if (isGzip(body)) return failed("it is a gzip file, which must be unpacked first");
  const label = charsetLabel(options.contentType);
  // Sitemaps are UTF-8 by default, text lists too: the rule of XML.
  const type = label === null ? "application/xml" : `application/xml; charset=${label}`;
  const text = decodeBody(body.subarray(0, SITEMAP_BYTES_MAX), type).text;
  const start = text.search(/[^\s\ufeff\0]/);
  if (start < 0) return failed("it is empty");
  const isPart = options.truncated === true || body.length > SITEMAP_BYTES_MAX;
  const result = text[start] === "<" ? fromXml(text.slice(start), options) : fromText(text, options, isPart);
  if (result.kind === "error" || !isPart) return result;
  return { ...result, truncation: body.length >= SITEMAP_BYTES_MAX ? "too-large" : "cut-off" };
}

function fromXml(text: string, options: SitemapOptions): SitemapResult {
  const found = new Locations(options);
  const reader = new SitemapReader(found, options.namespaceRequired ?? false);
  const parser = new Parser(reader, { xmlMode: true, lowerCaseTags: true });
  for (let at = 0; at < text.length && !reader.isDone; at += CHUNK_CHARACTERS) {
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
  }
  // The end closes whatever is open.
  const { isWhole } = reader;
  if (!reader.isDone) parser.end();
  if (reader.kind === undefined) return failed(reader.message ?? "it is XML without a root element");
  const truncation = reader.isDone ? "too-large" : isWhole ? null : "cut-off";
  return reader.kind === "index" ? { kind: "index", sitemaps: found.urls, truncation } : found.result(truncation);
}

function fromText(text: string, options: SitemapOptions, isPart: boolean): SitemapResult {
  const found = new Locations(options);
  let lines = 0;
  let absolute = 0;
  let isWhole = true;
  // The last line of a part may be half a URL.
  for (const [written] of text.matchAll(isPart ? /[^\r\n]+(?=[\r\n])/g : /[^\r\n]+/g)) {
    const line = written.trim();
    if (line === "") continue;
    lines++;
    // A list has one absolute URL per line, perhaps without its scheme; prose must not be taken for relative URLs.
    const isUrl = /^https?:\/\//i.test(line) || (/^\S+$/.test(line) && found.startsWithHost(line));
    if (line.length > LOCATION_CHARACTERS_MAX || !isUrl) continue;
    absolute++;
    isWhole = found.add(line, true);
    if (!isWhole) break;
  }
  if (absolute === 0) return failed(`it is a text of ${lines} lines, none of them a URL`);
  return found.result(isWhole ? null : "too-large");
}

const INVALID_NAMED = 3;
export const noInvalid: InvalidLocations = { count: 0, examples: [] };

export function joinedInvalid(some: InvalidLocations, more: InvalidLocations): InvalidLocations {
  return { count: some.count + more.count, examples: [...some.examples, ...more.examples].slice(0, INVALID_NAMED) };
}

class Locations {
  readonly #modified = new Map<string, number>();
  #invalid = noInvalid;
  readonly #found = new Set<string>();
  /** What was added last, if it is a page. */
  #last: string | null = null;
  readonly #base: string;
  readonly #host: string;
  readonly #folder: string | null;

  constructor({ url, ownFolderOnly = false }: SitemapOptions) {
    this.#base = url;
    const base = parsed(url, undefined);
    this.#host = base?.host ?? "";
    this.#folder = ownFolderOnly && base !== null ? new URL(".", base).href : null;
  }

  get urls(): readonly string[] {
    return [...this.#found];
  }

  result(truncation: SitemapTruncation | null): SitemapResult {
    return { kind: "urls", urls: this.urls, modified: this.#modified, invalid: this.#invalid, truncation };
  }

  /** "www.example.com/page" in the sitemap of www.example.com lacks its scheme; it is not a relative path. */
  startsWithHost(location: string): boolean {
    return this.#host !== "" && /^[^/?#]*/.exec(location)?.[0]?.toLowerCase() === this.#host;
  }

  /** Returns false once the file has more URLs than allowed. */
  add(location: string, isPage: boolean): boolean {
    // Words are no relative URL.
    const isProse = /\s/.test(location) && !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(location);
    const url = isProse ? null : parsed(this.startsWithHost(location) ? `//${location}` : location, this.#base);
    this.#last = null;
    if (url === null || !/^https?:$/.test(url.protocol)) {
      this.#invalid = joinedInvalid(this.#invalid, { count: 1, examples: [location] });
      return true;
    }
    url.hash = "";
    if (isPage && this.#folder !== null && !url.href.startsWith(this.#folder)) return true;
    if (this.#found.size >= SITEMAP_URLS_MAX && !this.#found.has(url.href)) return false;
    this.#found.add(url.href);
    if (isPage) this.#last = url.href;
    return true;
  }

  /** What a sitemap says of the page that was added last. */
  addModified(written: string): void {
    const modifiedMs = w3cDateMs(written);
    if (this.#last !== null && modifiedMs !== null) this.#modified.set(this.#last, modifiedMs);
  }
}

function parsed(url: string, base: string | undefined): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

/** "2026-11-16", "2026-11-16T09:30:00+01:00"; null for what is no such date. */
function w3cDateMs(written: string): number | null {
  const parts = W3C_DATE.exec(written);
  if (parts === null) return null;
  const [, year, month = "01", day = "01", time = "00:00", seconds = ":00", zone = "Z"] = parts;
  const milliseconds = Date.parse(`${year}-${month}-${day}T${time}${seconds.slice(0, 7)}${zone}`);
  // Also of a program that writes 0001-01-01 where it knows no date.
  return milliseconds >= 0 ? milliseconds : null;
}

const W3C_DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(?: ?(Z|[+-]\d\d:?\d\d))?)?)?)?$/i;

function failed(what: string): SitemapResult {
  return { kind: "error", message: `not a sitemap: ${what}; expected an XML sitemap, a feed or a list of URLs` };
}

const SITEMAP_NAMESPACE = /^https?:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9\/?$/;

/** By root element: the element that holds an address, and its parent. */
const ROOTS: Readonly<Record<string, { kind: "urls" | "index"; entry: string; address: string }>> = {
  urlset: { kind: "urls", entry: "url", address: "loc" },
  sitemapindex: { kind: "index", entry: "sitemap", address: "loc" },
  rss: { kind: "urls", entry: "item", address: "link" },
  rdf: { kind: "urls", entry: "item", address: "link" },
  feed: { kind: "urls", entry: "entry", address: "link" },
};

const CHUNK_CHARACTERS = 1 << 16;
/** Sitemaps are three levels deep, feeds hardly more. What nests deeper is not a sitemap and would only fill memory. */
const DEPTH_MAX = 64;

/**
 * Reads the XML of sitemaps and feeds in one pass. Elements must have the prefix of their root, whatever it is
 * (image:loc is not loc). In RSS an item without a link has its guid, if that is a URL.
 */
class SitemapReader {
  readonly #found: Locations;
  readonly #namespaceRequired: boolean;
  readonly #names: string[] = [];
  #root: (typeof ROOTS)[string] | undefined;
  #isFeed = false;
  #prefix = "";
  /** The text of the open element that holds an address or a date; null if none is open. */
  #text: string | null = null;
  /** The `lastmod` of the open entry. */
  #modified: string | null = null;
  /** A guid is used only if its item has no link. */
  #guid: string | null = null;
  #linked = false;
  /** It is not read any further. */
  isDone = false;
  message: string | null = null;

  constructor(found: Locations, namespaceRequired: boolean) {
    this.#found = found;
    this.#namespaceRequired = namespaceRequired;
  }

  /** Undefined before the root element, and if that is not the root of a sitemap. */
  get kind(): "urls" | "index" | undefined {
    return this.#root?.kind;
  }

  /** Whether its root element has ended. */
  get isWhole(): boolean {
    return this.#root !== undefined && this.#names.length === 0;
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.isDone) return;
    if (this.#names.length >= DEPTH_MAX) this.isDone = true;
    this.#names.push(name);
    if (this.#names.length === 1) this.#openRoot(name, attributes);
    else if (this.#is(name, "entry")) this.#openEntry();
    else if (this.#isFeed && this.#is(name, "address") && this.#inEntry()) this.#feedLink(attributes);
    else if (this.#isAddress(name) || this.#isModified(name)) this.#text = "";
  }

  ontext(text: string): void {
    if (this.#text !== null && this.#text.length <= LOCATION_CHARACTERS_MAX) this.#text += text;
  }

  onclosetag(name: string, isImplied: boolean): void {
    this.#names.pop();
    if (this.isDone) return;
    if (this.#text !== null && this.#isAddress(name, 1)) {
      // A truncated text is not an address, and an entity is not looked up.
      const location = this.#text.trim();
      this.#text = null;
      if (isImplied || location === "" || location.length > LOCATION_CHARACTERS_MAX) return;
      if (/^&[^;\s]*;$/.test(location)) return;
      if (name.endsWith("guid")) this.#guid = location;
      else this.#report(location);
    } else if (this.#text !== null && this.#isModified(name, 1)) {
      if (!isImplied) this.#modified = this.#text.trim();
      this.#text = null;
    } else if (this.#is(name, "entry")) this.#closeEntry();
  }

  /** Address and date may come in any order. */
  #closeEntry(): void {
    if (!this.#linked && this.#guid !== null && /^https?:\/\//i.test(this.#guid)) this.#report(this.#guid);
    if (this.#linked && this.#modified !== null) this.#found.addModified(this.#modified);
  }

  #openRoot(name: string, attributes: Readonly<Record<string, string>>): void {
    const [local, prefix] = split(name);
    const root = Object.hasOwn(ROOTS, local) ? ROOTS[local] : undefined;
    if (root === undefined) return this.#refuse(`its root element is ${name.slice(0, 40)}`);
    const namespace = attributes[prefix === "" ? "xmlns" : `xmlns:${prefix}`] ?? "";
    if (this.#namespaceRequired && root.address === "loc" && !SITEMAP_NAMESPACE.test(namespace))
      return this.#refuse(`its namespace is "${namespace.slice(0, 80)}"`);
    this.#root = root;
    this.#isFeed = local === "feed";
    // The items of RSS 1.0 have the default namespace, not that of their root.
    this.#prefix = local === "rdf" ? "" : prefix;
  }

  #openEntry(): void {
    this.#guid = null;
    this.#modified = null;
    this.#linked = false;
  }

  #feedLink(attributes: Readonly<Record<string, string>>): void {
    const rel = attributes["rel"] ?? "alternate";
    const href = attributes["href"]?.trim();
    if (rel === "alternate" && href !== undefined && href !== "") this.#report(href);
  }

  #report(location: string): void {
    this.#linked = true;
    // An index may name sitemaps anywhere: the rule about the folder applies to pages only.
    if (!this.#found.add(location, this.kind !== "index")) this.isDone = true;
  }

  /** Whether an element of this name, inside the open elements, holds an address. */
  #isAddress(name: string, closed = 0): boolean {
    if (this.#root === undefined || this.#isFeed || !this.#inEntry(closed)) return false;
    return this.#is(name, "address") || (this.#root.entry === "item" && name === this.#qualified("guid"));
  }

  #isModified(name: string, closed = 0): boolean {
    return this.kind === "urls" && name === this.#qualified("lastmod") && this.#inEntry(closed);
  }

  #inEntry(closed = 0): boolean {
    const parent = this.#names.at(closed - 2);
    return parent !== undefined && this.#is(parent, "entry");
  }

  #is(name: string, role: "entry" | "address"): boolean {
    return this.#root !== undefined && name === this.#qualified(this.#root[role]);
  }

  #qualified(local: string): string {
    return this.#prefix === "" ? local : `${this.#prefix}:${local}`;
  }

  #refuse(message: string): void {
    this.message = message;
    this.isDone = true;
  }
}

function split(name: string): [local: string, prefix: string] {
  const colon = name.indexOf(":");
  return colon < 0 ? [name, ""] : [name.slice(colon + 1), name.slice(0, colon)];
}
