/**
 * From the bytes of an answer to the links and facts of a page, by the rules of the crawl: the contract between the
 * engine and whoever reads for it, on this thread or on others. Everything here can be sent between threads.
 */
import type { PageFacts } from "../../log/index.ts";
import type { WebSettings } from "../settings/settings.ts";

/** How a link is taken. Links refused by a trap rule have `Trap` plus the index of the rule in `trapNames`. */
export const LinkKind = { Follow: 0, Nofollow: 1, OutOfScope: 2, Trap: 3 } as const;

/**
 * The distinct links of a page in the order in which they stand there, without links to itself. The text of link i ends
 * at `ends[i]` and starts where the one before ends; most links of a page are known already, and their text is never
 * looked at.
 */
export interface PackedLinks {
  /** High and low half for each link. */
  readonly fingerprints: Uint32Array;
  /** A `LinkKind` for each link. */
  readonly kinds: Uint8Array;
  readonly ends: Uint32Array;
  /** Canonical URLs, end to end. */
  readonly text: string;
}

export interface ReaderSettings {
  readonly web: WebSettings;
  readonly productToken: string;
}

export interface PageJob {
  /** The canonical URL that was requested. */
  readonly url: string;
  readonly body: Uint8Array;
  /** Whether the body is all of it. */
  readonly truncated: boolean;
  readonly contentType: string | null;
  /** The X-Robots-Tag header. */
  readonly robotsTag: string | null;
}

export interface PageContent {
  readonly facts: PageFacts;
  /** The canonical form that the page names, where it is another URL that would be followed. */
  readonly canonical: string | null;
  readonly links: PackedLinks;
  /** Whether there may be more links than these. */
  readonly linksUnknown: boolean;
}

export interface SitemapJob {
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string | null;
}

export interface SitemapContent {
  /** Pages, of which only those to follow matter. */
  readonly links: PackedLinks;
  /** Further sitemaps. */
  readonly sitemaps: readonly string[];
  /** Why it could not be read, null where it could. */
  readonly error: string | null;
}

export interface PageReader {
  readPage(job: PageJob, done: (content: PageContent) => void): void;
  readSitemap(job: SitemapJob, done: (content: SitemapContent) => void): void;
  close(): Promise<void>;
}
