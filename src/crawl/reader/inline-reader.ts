/** Reads pages and sitemaps on the thread it is called on. */
import { gunzipSync } from "node:zlib";
import { NO_PAGE_FACTS } from "../../log/index.ts";
import {
  isGzip,
  isHtml,
  isVague,
  parseSitemap,
  readHtmlBody,
  SITEMAP_BYTES_MAX,
  xRobotsTag,
  LinkResolver,
  Scope,
  splitUrl,
  trapIn,
  trapNames,
} from "../../web/index.ts";
import { Fingerprinter } from "../fingerprint.ts";
import type { WebSettings } from "../settings/settings.ts";
import {
  type PageContent,
  type PageJob,
  type PageReader,
  type ReaderSettings,
  type SitemapContent,
  type SitemapJob,
  LinkKind,
  type PackedLinks,
} from "./contract.ts";

export class InlineReader implements PageReader {
  readonly #settings: ReaderSettings;
  readonly #fingerprinter: Fingerprinter;
  readonly #links: LinkPacker;

  private constructor(settings: ReaderSettings, fingerprinter: Fingerprinter) {
    this.#settings = settings;
    this.#fingerprinter = fingerprinter;
    this.#links = new LinkPacker(settings.web, fingerprinter);
  }

  static async create(settings: ReaderSettings): Promise<InlineReader> {
    return new InlineReader(settings, await Fingerprinter.create(settings.web.hashSeed));
  }

  readPage(job: PageJob, done: (content: PageContent) => void): void {
    done(this.page(job));
  }

  readSitemap(job: SitemapJob, done: (content: SitemapContent) => void): void {
    done(this.sitemap(job));
  }

  async close(): Promise<void> {}

  page({ url, body, truncated, contentType, robotsTag }: PageJob): PageContent {
    this.#links.clear();
    const digest = this.#fingerprinter.digest(body);
    if (!isHtml(contentType, body)) {
      // What is no HTML has no links, however much of it came; but what was cut off and has no clear type may be HTML.
      const linksUnknown = truncated && isVague(contentType);
      return { facts: { ...NO_PAGE_FACTS, digest }, canonical: null, links: this.#links.finish(url), linksUnknown };
    }
    const { productToken } = this.#settings;
    const { linksPerPageMax } = this.#settings.web;
    const page = readHtmlBody(body, contentType, { linksMax: linksPerPageMax, productToken });
    const base = this.#links.resolver(baseOf(page.base, url));
    const allNofollow = page.robots.nofollow || xRobotsTag(robotsTag, productToken).nofollow;
    for (const link of page.links) this.#links.add(link.href, base, link.nofollow || allNofollow);
    if (page.refresh !== null) this.#links.add(page.refresh, base, allNofollow);
    const canonical = page.canonical === null ? null : base.resolve(page.canonical);
    return {
      facts: { title: page.title, language: page.language, digest },
      canonical: canonical !== null && canonical !== url && this.#links.isFollowed(canonical) ? canonical : null,
      links: this.#links.finish(url),
      linksUnknown: truncated || page.truncatedLinks,
    };
  }

  sitemap({ url, body, contentType }: SitemapJob): SitemapContent {
    this.#links.clear();
    const bytes = isGzip(body) ? gunzipped(body) : body;
    const result = bytes === null ? null : parseSitemap(bytes, { url, contentType });
    const base = this.#links.resolver(url);
    if (result?.kind === "urls") for (const each of result.urls) this.#links.add(each, base, false);
    return {
      links: this.#links.finish(url),
      sitemaps: result?.kind === "index" ? result.sitemaps : [],
      error: result === null ? "its gzip is broken or too large" : result.kind === "error" ? result.message : null,
    };
  }
}

function gunzipped(body: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(body, { maxOutputLength: SITEMAP_BYTES_MAX });
  } catch {
    return null;
  }
}

/** What relative links are resolved against. A broken base is ignored; one that is no web address gives no links. */
function baseOf(base: string | null, url: string): string {
  return base !== null && URL.canParse(base, url) ? new URL(base, url).href : url;
}

/** Sorts links by the rules of the crawl and packs them, each URL once. */
class LinkPacker {
  readonly #fingerprinter: Fingerprinter;
  readonly #scope: Scope;
  readonly #settings: WebSettings;
  /** Kind of each link of the page at hand, in the order in which they came. */
  readonly #kinds = new Map<string, number>();

  constructor(settings: WebSettings, fingerprinter: Fingerprinter) {
    this.#settings = settings;
    this.#scope = new Scope(settings.scope);
    this.#fingerprinter = fingerprinter;
  }

  /** Whether a URL would be followed, were it a link. */
  isFollowed(url: string): boolean {
    return this.#kindOf(url, false) === LinkKind.Follow;
  }

  /** Forgets the links of a page that could not be read to its end. */
  clear(): void {
    this.#kinds.clear();
  }

  resolver(base: string): LinkResolver {
    return new LinkResolver(base, this.#settings.urlRules);
  }

  /** Takes a link as written, if it is a web address. A URL that is linked twice is followed if either link is. */
  add(href: string, resolver: LinkResolver, nofollow: boolean): void {
    const url = resolver.resolve(href);
    if (url === null) return;
    const known = this.#kinds.get(url);
    if (known === undefined) this.#kinds.set(url, this.#kindOf(url, nofollow));
    else if (known === LinkKind.Nofollow && !nofollow) this.#kinds.set(url, this.#kindOf(url, false));
  }

  /** All links since the last call, without those to `self` and, if only the scope counts, those out of it. */
  finish(self: string): PackedLinks {
    this.#kinds.delete(self);
    const fingerprints = new Uint32Array(2 * this.#kinds.size);
    const kinds = new Uint8Array(this.#kinds.size);
    const ends = new Uint32Array(this.#kinds.size);
    const texts: string[] = [];
    let count = 0;
    let end = 0;
    for (const [url, kind] of this.#kinds) {
      if (kind === LinkKind.OutOfScope && this.#settings.universe !== "web") continue;
      this.#fingerprinter.text(url);
      fingerprints[2 * count] = this.#fingerprinter.high;
      fingerprints[2 * count + 1] = this.#fingerprinter.low;
      kinds[count] = kind;
      ends[count++] = end += url.length;
      texts.push(url);
    }
    this.#kinds.clear();
    return {
      fingerprints: fingerprints.subarray(0, 2 * count),
      kinds: kinds.subarray(0, count),
      ends: ends.subarray(0, count),
      text: texts.join(""),
    };
  }

  #kindOf(url: string, nofollow: boolean): number {
    if (!this.#scope.contains(url)) return LinkKind.OutOfScope;
    if (nofollow && !this.#settings.followNofollow) return LinkKind.Nofollow;
    const trap = trapIn(splitUrl(url).path, this.#settings.traps);
    return trap === null ? LinkKind.Follow : LinkKind.Trap + trapNames.indexOf(trap);
  }
}
