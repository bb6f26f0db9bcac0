/**
 * The XML of sitemaps and feeds, one pass. What a location is, by the root element:
 *   urlset         loc of url                     sitemapindex   loc of sitemap
 *   rss, rdf:RDF   link of item, else its guid when that is a URL
 *   feed (Atom)    href of an entry's link, rel alternate or none
 * Elements must have the prefix of their root, whatever it is (image:loc is not loc).
 */
import { Parser } from "htmlparser2";

export type SitemapKind = "urls" | "index";

interface Listener {
  readonly namespaceRequired: boolean;
  onKind(kind: SitemapKind): void;
  /** Returning false stops the reader. */
  onLocation(location: string): boolean;
}

const SITEMAP_NAMESPACE = /^https?:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9\/?$/;

/** By root element: the element that holds an address, and its parent. */
const ROOTS: Readonly<Record<string, { kind: SitemapKind; entry: string; address: string }>> = {
  urlset: { kind: "urls", entry: "url", address: "loc" },
  sitemapindex: { kind: "index", entry: "sitemap", address: "loc" },
  rss: { kind: "urls", entry: "item", address: "link" },
  rdf: { kind: "urls", entry: "item", address: "link" },
  feed: { kind: "urls", entry: "entry", address: "link" },
};

const CHUNK_CHARACTERS = 1 << 16;
/** Sitemaps are three levels deep, feeds hardly more. What nests deeper is not a sitemap and would only fill memory. */
const DEPTH_MAX = 64;
/** In the protocol URLs have fewer than 2,048 characters. */
const LOCATION_CHARACTERS_MAX = 4096;

/** Returns null, or why the file is not a sitemap. */
export function readSitemapXml(text: string, listener: Listener): string | null {
  const reader = new SitemapReader(listener);
  const parser = new Parser(reader, { xmlMode: true, lowerCaseTags: true });
  for (let at = 0; at < text.length && !reader.isDone; at += CHUNK_CHARACTERS)
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
  if (!reader.isDone) parser.end();
  return reader.hasRoot ? null : (reader.message ?? "it is XML without a root element");
}

class SitemapReader {
  readonly #listener: Listener;
  readonly #names: string[] = [];
  #root: (typeof ROOTS)[string] | undefined;
  #isFeed = false;
  #prefix = "";
  /** The text of the open address element; null if none is open. */
  #text: string | null = null;
  /** A guid is used only if its item has no link. */
  #guid: string | null = null;
  #linked = false;
  isDone = false;
  message: string | null = null;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get hasRoot(): boolean {
    return this.#root !== undefined;
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.isDone) return;
    if (this.#names.length >= DEPTH_MAX) this.isDone = true;
    this.#names.push(name);
    if (this.#names.length === 1) this.#openRoot(name, attributes);
    else if (this.#is(name, "entry")) this.#openEntry();
    else if (this.#isFeed && this.#is(name, "address") && this.#inEntry()) this.#feedLink(attributes);
    else if (this.#isAddress(name)) this.#text = "";
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
    } else if (this.#is(name, "entry") && !this.#linked && this.#guid !== null) {
      if (/^https?:\/\//i.test(this.#guid)) this.#report(this.#guid);
    }
  }

  #openRoot(name: string, attributes: Readonly<Record<string, string>>): void {
    const [local, prefix] = split(name);
    const root = Object.hasOwn(ROOTS, local) ? ROOTS[local] : undefined;
    if (root === undefined) return this.#refuse(`its root element is ${name.slice(0, 40)}`);
    const namespace = attributes[prefix === "" ? "xmlns" : `xmlns:${prefix}`] ?? "";
    if (this.#listener.namespaceRequired && root.address === "loc" && !SITEMAP_NAMESPACE.test(namespace))
      return this.#refuse(`its namespace is "${namespace.slice(0, 80)}"`);
    this.#root = root;
    this.#isFeed = local === "feed";
    // The items of RSS 1.0 have the default namespace, not that of their root.
    this.#prefix = local === "rdf" ? "" : prefix;
    this.#listener.onKind(root.kind);
  }

  #openEntry(): void {
    this.#guid = null;
    this.#linked = false;
  }

  #feedLink(attributes: Readonly<Record<string, string>>): void {
    const rel = attributes["rel"] ?? "alternate";
    const href = attributes["href"]?.trim();
    if (rel === "alternate" && href !== undefined && href !== "") this.#report(href);
  }

  #report(location: string): void {
    this.#linked = true;
    if (!this.#listener.onLocation(location)) this.isDone = true;
  }

  /** Whether an element of this name, inside the open elements, holds an address. */
  #isAddress(name: string, closed = 0): boolean {
    if (this.#root === undefined || this.#isFeed || !this.#inEntry(closed)) return false;
    return this.#is(name, "address") || (this.#root.entry === "item" && name === this.#qualified("guid"));
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
