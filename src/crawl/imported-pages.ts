/**
 * Pages that another crawler has fetched, entered into a log as a crawl of ours would have done: by the same reader,
 * the same verdicts and the same writer of facts. Nothing is fetched, and nothing that was not seen is assumed:
 *
 * - a URL that is known only as a link waits;
 * - of several responses of a URL the first that is final counts;
 * - rules that save bandwidth (traps, copies of the same content) refuse nothing: what was fetched was fetched, and the
 *   rest waits;
 * - robots.txt is unknown, so nothing is forbidden by it.
 */
import { type Answer, verdictOf } from "../fetch/index.ts";
import { ContentCopies, DEPTH_MAX, NO_PAGE_METADATA } from "../log/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { baseOf, canonicalUrl, xRobotsTag } from "../web/index.ts";
import type { PageTask } from "./dispatcher.ts";
import { FactWriter } from "./fact-writer.ts";
import { digestSeedOf, Fingerprinter } from "./fingerprint.ts";
import { plantSeeds } from "./launch.ts";
import { type OutcomeModel, PageOutcomes } from "./page-outcomes.ts";
import { HostSchedule } from "./politeness/host-schedule.ts";
import type { LinksUnknownCause, PageContent } from "./reader/contract.ts";
import { InlineReader } from "./reader/inline-reader.ts";
import { LinkPacker } from "./reader/link-packer.ts";
import { GrowingScope } from "./growing-scope.ts";
import type { CrawlSettings } from "./settings/settings.ts";
import { readIndex, type UrlIndex, UrlState } from "./url-index.ts";

/** A response that another crawler has got. */
export interface ImportedPage {
  /** As written there. */
  readonly url: string;
  /** When it came, Unix time in milliseconds. */
  readonly atMs: number;
  readonly answer: Answer;
  /** What is known of the page where its body is not; default: what the body says. */
  readonly reported?: ReportedLinks | undefined;
}

/** A page as another crawler tells of it. */
export interface ReportedLinks {
  readonly title?: string | null;
  readonly language?: string | null;
  /** What links are relative to; default: the URL of the page. */
  readonly base?: string | undefined;
  readonly links: Iterable<{ readonly href: string; readonly nofollow: boolean }>;
  /** Why there may be more links; null if these are all. */
  readonly linksUnknown: LinksUnknownCause | null;
}

/**
 * What became of a response: taken; or left out, because its URL has a final outcome already, is out of the scope, or
 * is not the URL of a web page.
 */
export type Intake = "taken" | "again" | "out-of-scope" | "no-page";

const UNLIMITED = Number.POSITIVE_INFINITY;
const NO_TRAPS = {
  urlCharactersMax: UNLIMITED,
  pathSegmentsMax: UNLIMITED,
  repeatsMax: UNLIMITED,
  parametersMax: UNLIMITED,
};

interface Parts {
  readonly settings: CrawlSettings;
  readonly store: CrawlStore;
  readonly fingerprinter: Fingerprinter;
  readonly reader: InlineReader;
}

export class ImportedPages {
  readonly #parts: Parts;
  readonly #index: UrlIndex;
  readonly #facts: FactWriter;
  readonly #scope: GrowingScope;
  readonly #outcomes: PageOutcomes;
  readonly #packer: LinkPacker;

  private constructor(parts: Parts) {
    const { settings, store, fingerprinter } = parts;
    const { feed, index } = readIndex(store, new HostSchedule(settings.politeness, settings.hosts), fingerprinter);
    const attempts = new Map<number, number>();
    feed.add({
      visited: ({ url, outcome }) => {
        if (outcome === "try-again") attempts.set(url, (attempts.get(url) ?? 0) + 1);
        else attempts.delete(url);
      },
    });
    this.#parts = parts;
    this.#index = index;
    this.#facts = new FactWriter({ store, feed, index });
    this.#scope = new GrowingScope(settings.web.scope);
    const model: OutcomeModel = {
      feed,
      facts: this.#facts,
      index,
      attempts,
      copies: new ContentCopies((url) => index.hostOf(url).id),
      values: undefined,
      scope: this.#scope,
      seeds: { delayed: () => {} },
    };
    this.#outcomes = new PageOutcomes(model, { putBack: () => {}, retryAt: () => {} }, settings.web);
    this.#packer = new LinkPacker(settings.web, fingerprinter);
  }

  /** The store must have been made with these settings; their seeds are planted. */
  static async open(settings: CrawlSettings, store: CrawlStore): Promise<ImportedPages> {
    const { web } = settings;
    const fingerprinter = await Fingerprinter.create(web.hashSeed, digestSeedOf(web));
    plantSeeds({ settings, store, fingerprinter });
    const lenient = { ...settings, web: { ...web, traps: NO_TRAPS, sameContentMax: UNLIMITED } };
    return new ImportedPages({ settings: lenient, store, fingerprinter, reader: await InlineReader.create(lenient) });
  }

  /** Whether a URL is known: a seed, a link, or what was taken before. */
  isKnown(url: string): boolean {
    const text = this.canonical(url);
    return text !== null && this.#index.find(text) >= 0;
  }

  take(page: ImportedPage): Intake {
    const { answer, atMs } = page;
    const text = this.canonical(page.url);
    if (text === null) return "no-page";
    const verdict = verdictOf(answer);
    // What was not modified is in another archive.
    if (verdict.meaning === "not-modified") return "again";
    const known = this.#index.find(text);
    const isInScope = this.#scope.contains(text);
    if (known < 0 && !isInScope) return "out-of-scope";
    if (known >= 0 && this.#index.stateOf(known) === UrlState.Final) return "again";
    const url = known >= 0 ? known : this.enter(text);
    const origin = this.#index.originOf(url);
    const task: PageTask = { url, text, origin, host: this.#index.hostOfOrigin(origin) };
    const now = { nowMs: 0, wallMs: atMs };
    if (verdict.meaning !== "page") {
      this.#outcomes.replied(task, answer, verdict, now);
      return "taken";
    }
    // Only a seed may have led out of the scope, and only before the first page.
    if (!isInScope && !this.#scope.admits(text)) return "out-of-scope";
    if (!isInScope) this.#widenScope(text);
    this.#scope.settle();
    if (!this.#outcomes.forbidden(task, answer, atMs)) {
      this.#outcomes.content(task, answer, this.#contentOf(text, page), atMs);
    }
    return "taken";
  }

  // For graphs, whose pages are numbers.

  /** The number of a canonical URL that no page links to, as far as it is known by now. */
  enter(url: string): number {
    return this.#facts.discover(url, { source: "remote", depth: DEPTH_MAX, onVisit: false });
  }

  /** The number of a canonical URL that the page which comes next links to. */
  enterLink(url: string, from: number): number {
    const depth = this.#index.depthOf(from) + 1;
    return this.#facts.discover(url, { source: "link", depth, onVisit: true });
  }

  /** A page by its number, with links by their numbers. */
  row(url: number, links: Uint32Array, linksUnknown: LinksUnknownCause | null, atMs: number): void {
    this.#facts.downloaded(url, links, linksUnknown, { atMs });
  }

  /** A URL as the crawl knows it; null for what is no web address. */
  canonical(url: string): string | null {
    return canonicalUrl(url.trim(), undefined, this.#parts.settings.web.urlRules);
  }

  #widenScope(url: string): void {
    this.#scope.widen(url);
    this.#scope.save(this.#parts.store);
  }

  #contentOf(url: string, { answer, reported }: ImportedPage): PageContent {
    const { body, truncated, headers } = answer;
    const robotsTag = headers["x-robots-tag"] ?? null;
    if (reported !== undefined) return this.#reportedContent(url, reported, robotsTag);
    const contentType = headers["content-type"] ?? null;
    return this.#parts.reader.page({ url, body, truncated, contentType, robotsTag, widened: this.#scope.widened });
  }

  #reportedContent(url: string, reported: ReportedLinks, robotsTag: string | null): PageContent {
    const { web, productToken } = this.#parts.settings;
    const allNofollow = xRobotsTag(robotsTag, productToken).nofollow;
    this.#packer.widenScope(this.#scope.widened);
    this.#packer.begin(web.linksPerPageMax);
    const resolver = this.#packer.resolver(baseOf(reported.base ?? null, url));
    for (const { href, nofollow } of reported.links) this.#packer.add(href, resolver, nofollow || allNofollow);
    const { links, hasMore } = this.#packer.finish(url);
    const { title = null, language = null } = reported;
    return {
      facts: { ...NO_PAGE_METADATA, title, language, robotsTag },
      canonical: null,
      links,
      linksUnknown: reported.linksUnknown ?? (hasMore ? "too-many-links" : null),
      looksScriptMade: false,
      texts: null,
    };
  }
}
