/** Sorts links by the rules of the crawl and packs them, each URL once. */
import { LinkResolver, Scope, splitUrl, trapIn, trapNames } from "../../web/index.ts";
import type { Fingerprinter } from "../fingerprint.ts";
import type { WebSettings } from "../settings/settings.ts";
import { LinkKind, type PackedLinks } from "./contract.ts";

export class LinkPacker {
  readonly #fingerprinter: Fingerprinter;
  readonly #scope: Scope;
  readonly #settings: WebSettings;
  /** How many places were added to the scope of the settings. */
  #widened = 0;
  /** Kind of each link of the page at hand, in the order in which they came. */
  readonly #kinds = new Map<string, number>();
  /** Of each URL the first text that a link to it has; null unless texts are wanted. */
  #anchors: Map<string, string> | null = null;
  #linksMax = Number.POSITIVE_INFINITY;
  #hasMore = false;

  constructor(settings: WebSettings, fingerprinter: Fingerprinter) {
    this.#settings = settings;
    this.#scope = new Scope(settings.scope);
    this.#fingerprinter = fingerprinter;
  }

  /** `widened` only grows. */
  widenScope(widened: readonly string[] = []): void {
    for (; this.#widened < widened.length; this.#widened++) this.#scope.add(widened[this.#widened]);
  }

  /** Whether a URL would be followed, were it a link. */
  isFollowed(url: string): boolean {
    return this.#kindOf(url, false) === LinkKind.Follow;
  }

  /** Begins with a page that may have this many links, without the link to itself. */
  begin(linksMax = Number.POSITIVE_INFINITY): void {
    this.#kinds.clear();
    this.#anchors = null;
    this.#linksMax = linksMax;
    this.#hasMore = false;
  }

  resolver(base: string, encoding?: string): LinkResolver {
    return new LinkResolver(base, this.#settings.urlRules, encoding);
  }

  /**
   * Takes a link as written, if it is a web address, and returns its canonical form. A URL that is linked twice is
   * followed if either link is.
   */
  add(href: string, resolver: LinkResolver, nofollow: boolean): string | null {
    const url = resolver.resolve(href);
    if (url === null) return null;
    const known = this.#kinds.get(url);
    // One more than may be, since one of them may be the page itself.
    if (known === undefined && this.#kinds.size > this.#linksMax) this.#hasMore = true;
    else if (known === undefined) this.#kinds.set(url, this.#kindOf(url, nofollow));
    else if (known === LinkKind.Nofollow && !nofollow) this.#kinds.set(url, this.#kindOf(url, false));
    return url;
  }

  /** The text of a link, by its canonical form. Of several links to a URL, the first that has a text counts. */
  addAnchor(url: string, text: string): void {
    this.#anchors ??= new Map();
    if (text !== "" && !this.#anchors.has(url)) this.#anchors.set(url, text);
  }

  /**
   * All links of the page, without those to `self` and, if only the scope counts, those out of it; and whether there
   * are more than may be.
   */
  finish(self: string): { readonly links: PackedLinks; readonly hasMore: boolean } {
    this.#kinds.delete(self);
    const hasMore = this.#hasMore || this.#kinds.size > this.#linksMax;
    const fingerprints = new Uint32Array(2 * this.#kinds.size);
    const kinds = new Uint8Array(this.#kinds.size);
    const ends = new Uint32Array(this.#kinds.size);
    const texts: string[] = [];
    const anchors: string[] | null = this.#anchors === null ? null : [];
    let count = 0;
    let end = 0;
    let left = this.#linksMax;
    for (const [url, kind] of this.#kinds) {
      if (left-- === 0) break;
      if (kind === LinkKind.OutOfScope && this.#settings.universe !== "web") continue;
      this.#fingerprinter.text(url);
      fingerprints[2 * count] = this.#fingerprinter.high;
      fingerprints[2 * count + 1] = this.#fingerprinter.low;
      kinds[count] = kind;
      ends[count++] = end += url.length;
      texts.push(url);
      anchors?.push(this.#anchors?.get(url) ?? "");
    }
    this.#kinds.clear();
    const links = {
      fingerprints: fingerprints.subarray(0, 2 * count),
      kinds: kinds.subarray(0, count),
      ends: ends.subarray(0, count),
      text: texts.join(""),
      anchors: anchors?.join("\n") ?? null,
    };
    return { links, hasMore };
  }

  #kindOf(url: string, nofollow: boolean): number {
    if (!this.#scope.contains(url)) return LinkKind.OutOfScope;
    if (nofollow && !this.#settings.followNofollow) return LinkKind.Nofollow;
    const trap = trapIn(splitUrl(url).path, this.#settings.traps);
    return trap === null ? LinkKind.Follow : LinkKind.Trap + trapNames.indexOf(trap);
  }
}
