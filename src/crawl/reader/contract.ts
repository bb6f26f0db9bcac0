/**
 * The contract between the engine and its readers, on this thread or on others: from the bytes of an answer to the
 * links and facts of a page. Everything here can be sent between threads.
 */
import { NO_PAGE_METADATA, type PageMetadata, type PageTexts } from "../../log/index.ts";
import type { SitemapTruncation } from "../../web/index.ts";
import type { CrawlSettings } from "../settings/settings.ts";

/** How a link is taken. Links refused by a trap rule have `Trap` plus the index of the rule in `trapNames`. */
export const LinkKind = { Follow: 0, Nofollow: 1, OutOfScope: 2, Trap: 3 } as const;

/**
 * The distinct links of a page in document order, without links to itself. The text of link i ends at `ends[i]` and
 * starts where the one before ends: most links are known already, and their text is never looked at.
 */
export interface PackedLinks {
  /** High and low half for each link. */
  readonly fingerprints: Uint32Array;
  readonly kinds: Uint8Array;
  readonly ends: Uint32Array;
  /** Canonical URLs, end to end. */
  readonly text: string;
  /** The text of each link, one per line; null unless it is to be stored. */
  readonly anchors: string | null;
}

export type ReaderSettings = Pick<CrawlSettings, "web" | "productToken" | "anchors" | "nearDuplicates" | "texts">;

export interface ScopeOfJob {
  /**
   * Where seeds have led since the settings were written: it belongs to the scope as well. It only grows; a thread is
   * sent what is new to it.
   */
  readonly widened?: readonly string[];
}

export interface PageJob extends ScopeOfJob {
  /** The canonical URL that was requested. */
  readonly url: string;
  readonly body: Uint8Array;
  /** Whether the body is all of it. */
  readonly truncated: boolean;
  readonly contentType: string | null;
  readonly robotsTag: string | null;
  /** Left out unless the body is what a browser has made of the page. */
  readonly rendered?: RenderedParts;
}

/** What belongs to a rendered page besides its HTML. */
export interface RenderedParts {
  /** By which relative links are resolved. */
  readonly documentUrl: string;
  /** Of the page as it came, for the queries of its links. */
  readonly encoding: string;
  /** Links that are not in the HTML. */
  readonly links: readonly string[];
}

/**
 * Why not all links of a page are known: only a part of it came, or was read, or it could not be read at all; or its
 * scripts could not be run to the end or wanted what is not fetched; or it was imported, and nobody has said that its
 * links are all there.
 */
export type LinksUnknownCause =
  | "cut-off"
  | "too-many-links"
  | "too-complex"
  | "unreadable"
  | "not-rendered"
  | "not-recorded";

const ROBOTS_TAG_CHARACTERS_MAX = 1000;

/** The header X-Robots-Tag as a visit has it. */
export function storedRobotsTag(header: string | null): string | null {
  return header?.slice(0, ROBOTS_TAG_CHARACTERS_MAX) ?? null;
}

export interface PageContent {
  readonly facts: PageMetadata;
  /** The canonical form that the page names, where it is another URL that would be followed. */
  readonly canonical: string | null;
  readonly links: PackedLinks;
  /** Why there may be more links than these; null where there are none. */
  readonly linksUnknown: LinksUnknownCause | null;
  /** It has scripts, hardly any text and hardly any links: what it shows is made by scripts. */
  readonly looksScriptMade: boolean;
  /** Null unless texts are to be stored and it has some. */
  readonly texts: PageTexts | null;
}

export interface SitemapJob extends ScopeOfJob {
  readonly url: string;
  readonly body: Uint8Array;
  /** Whether the body is only a part of it. */
  readonly truncated: boolean;
  readonly contentType: string | null;
}

export interface SitemapContent {
  /** Pages, of which only those to follow matter. */
  readonly links: PackedLinks;
  /** For each of them, when it was last modified, Unix time in milliseconds; NaN where the sitemap does not say. */
  readonly modifiedMs: Float64Array;
  readonly sitemaps: readonly string[];
  /** Why it could not be read, null where it could. */
  readonly error: string | null;
  /** Why it may list more than this; null where this is all. */
  readonly truncation: SitemapTruncation | null;
}

export interface PageReader {
  readPage(job: PageJob, done: (content: PageContent) => void): void;
  readSitemap(job: SitemapJob, done: (content: SitemapContent) => void): void;
  close(): Promise<void>;
}

export type ReaderMessage =
  | { readonly id: number; readonly kind: "page"; readonly job: PageJob }
  | { readonly id: number; readonly kind: "sitemap"; readonly job: SitemapJob };

export type ReaderReply =
  | { readonly id: number; readonly kind: "page"; readonly content: PageContent }
  | { readonly id: number; readonly kind: "sitemap"; readonly content: SitemapContent };

/**
 * Collects messages until the current events are handled: a message between threads costs tens of microseconds,
 * whatever it holds, and under load several are ready at once.
 */
export class Outbox<Message> {
  readonly #send: (messages: readonly Message[], transfer: readonly ArrayBuffer[]) => void;
  #messages: Message[] = [];
  #transfer: ArrayBuffer[] = [];

  constructor(send: (messages: readonly Message[], transfer: readonly ArrayBuffer[]) => void) {
    this.#send = send;
  }

  add(message: Message, transfer: readonly ArrayBuffer[]): void {
    if (this.#messages.length === 0) setImmediate(() => this.#flush());
    this.#messages.push(message);
    this.#transfer.push(...transfer);
  }

  #flush(): void {
    const messages = this.#messages;
    const transfer = this.#transfer;
    this.#messages = [];
    this.#transfer = [];
    this.#send(messages, transfer);
  }
}

/** For a page that could not be read: it is there, its links are not known. */
export function unreadablePage(): PageContent {
  const facts = NO_PAGE_METADATA;
  return { facts, canonical: null, links: noLinks(), linksUnknown: "unreadable", looksScriptMade: false, texts: null };
}

export function unreadableSitemap(): SitemapContent {
  const error = "it could not be read";
  return { links: noLinks(), modifiedMs: new Float64Array(0), sitemaps: [], error, truncation: null };
}

function noLinks(): PackedLinks {
  return {
    fingerprints: new Uint32Array(0),
    kinds: new Uint8Array(0),
    ends: new Uint32Array(0),
    text: "",
    anchors: null,
  };
}
