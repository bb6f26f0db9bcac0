/** Reads pages and sitemaps on the thread it is called on. */
import { makePlainTexts, makeTexts } from "../../content/index.ts";
import { NO_PAGE_METADATA, type PageTexts } from "../../log/index.ts";
import {
  baseOf,
  decodeAs,
  decodeBody,
  isHtml,
  isPlainText,
  isVague,
  isXhtml,
  looksScriptMade,
  readHtmlBody,
  simhash,
  xRobotsTag,
} from "../../web/index.ts";
import { digestSeedOf, Fingerprinter } from "../fingerprint.ts";
import {
  type PackedLinks,
  type PageContent,
  type PageJob,
  type PageReader,
  type ReaderSettings,
  type SitemapContent,
  type SitemapJob,
  storedRobotsTag,
} from "./contract.ts";
import { LinkPacker } from "./link-packer.ts";
import { readSitemap } from "./sitemap-body.ts";

/** A page with more links than these shows something without its scripts. */
const SHELL_LINKS_MAX = 2;

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
    const { web } = settings;
    return new InlineReader(settings, await Fingerprinter.create(web.hashSeed, digestSeedOf(web)));
  }

  readPage(job: PageJob, done: (content: PageContent) => void): void {
    done(this.page(job));
  }

  readSitemap(job: SitemapJob, done: (content: SitemapContent) => void): void {
    done(this.sitemap(job));
  }

  async close(): Promise<void> {}

  page({ url, body, truncated, contentType, robotsTag, rendered, widened }: PageJob): PageContent {
    this.#links.widenScope(widened);
    this.#links.begin(this.#settings.web.linksPerPageMax);
    const digest = this.#fingerprinter.digest(body);
    const { productToken, texts: forms = [] } = this.#settings;
    const asked = xRobotsTag(robotsTag, productToken);
    const tag = storedRobotsTag(robotsTag);
    if (!isHtml(contentType, body)) {
      // What is no HTML has no links, however much of it came; but what was cut off and has no clear type may be HTML.
      const linksUnknown = truncated && isVague(contentType) ? "cut-off" : null;
      const { links } = this.#links.finish(url);
      const { noindex, noarchive } = asked;
      const facts = { ...NO_PAGE_METADATA, digest, noindex, noarchive, robotsTag: tag };
      const texts = isPlainText(contentType)
        ? this.#texts(() => makePlainTexts(decodeBody(body, contentType).text, forms))
        : null;
      return { facts, canonical: null, links, linksUnknown, looksScriptMade: false, texts };
    }
    const { anchors = false, nearDuplicates = false } = this.#settings;
    const page = readHtmlBody(body, contentType, { productToken, anchors });
    const documentUrl = baseOf(page.base, rendered?.documentUrl ?? url);
    const base = this.#links.resolver(documentUrl, rendered?.encoding ?? page.encoding);
    const allNofollow = page.robots.nofollow || asked.nofollow;
    for (let k = 0; k < page.links.length; k++) {
      const { href, nofollow } = page.links[k];
      const link = this.#links.add(href, base, nofollow || allNofollow);
      if (page.anchors !== null && link !== null) this.#links.addAnchor(link, page.anchors[k]);
    }
    if (page.refresh !== null) this.#links.add(page.refresh, base, allNofollow);
    for (const link of rendered?.links ?? []) this.#links.add(link, base, allNofollow);
    const canonical = page.canonical === null ? null : base.resolve(page.canonical);
    const { links, hasMore } = this.#links.finish(url);
    return {
      facts: {
        title: page.title,
        language: page.language,
        digest,
        simhash: nearDuplicates ? simhash(body, isXhtml(contentType)) : null,
        noindex: page.robots.noindex || asked.noindex,
        noarchive: page.robots.noarchive || asked.noarchive,
        robotsTag: tag,
        usage: null,
      },
      canonical: canonical !== null && canonical !== url && this.#links.isFollowed(canonical) ? canonical : null,
      links,
      looksScriptMade: links.kinds.length <= SHELL_LINKS_MAX && looksScriptMade(decodeAs(body, page.encoding).text),
      linksUnknown: truncated ? "cut-off" : hasMore ? "too-many-links" : page.truncation,
      texts: this.#texts(() => makeTexts(decodeAs(body, page.encoding).text, documentUrl, forms)),
    };
  }

  /** A page whose text cannot be made is a page all the same. */
  #texts(make: () => PageTexts): PageTexts | null {
    if ((this.#settings.texts ?? []).length === 0) return null;
    try {
      return make();
    } catch {
      return null;
    }
  }

  sitemap({ url, body, truncated, contentType, widened }: SitemapJob): SitemapContent {
    this.#links.widenScope(widened);
    this.#links.begin();
    const result = readSitemap(body, { url, contentType, truncated });
    const base = this.#links.resolver(url);
    const modified = new Map<string, number>();
    if (result.kind === "urls") {
      for (const each of result.urls) {
        const link = this.#links.add(each, base, false);
        const modifiedMs = result.modified.get(each);
        if (link !== null && modifiedMs !== undefined) modified.set(link, modifiedMs);
      }
    }
    const { links } = this.#links.finish(url);
    return {
      links,
      modifiedMs: datesOf(links, modified),
      sitemaps: result.kind === "index" ? result.sitemaps : [],
      error: result.kind === "error" ? result.message : null,
      truncation: result.kind === "error" ? null : result.truncation,
    };
  }
}

function datesOf({ ends, text }: PackedLinks, modified: ReadonlyMap<string, number>): Float64Array {
  const dates = new Float64Array(ends.length);
  for (let k = 0; k < ends.length; k++) {
    dates[k] = modified.get(text.slice(k === 0 ? 0 : ends[k - 1], ends[k])) ?? Number.NaN;
  }
  return dates;
}
