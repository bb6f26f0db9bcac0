/**
 * From the bytes of an answer to the links it has, by the rules of the crawl: the contract between the engine and whoever reads for it,
 * on this thread or on others. Everything here can be sent between threads.
 */
import type { WebSettings } from "../settings/settings.ts";

/** How a link is taken. Links refused by a trap rule have `Trap` plus the index of the rule in `trapNames`. */
export const LinkKind = { Follow: 0, Nofollow: 1, OutOfScope: 2, Trap: 3 } as const;

/**
 * The distinct links of a page in the order in which they stand there, without links to itself. The text of link i ends at `ends[i]` and
 * starts where the one before ends; most links of a page are known already, and their text is never looked at.
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
  /** The canonical URL that was asked. */
  readonly url: string;
  readonly body: Uint8Array;
  /** Whether the body is all of it. */
  readonly truncated: boolean;
  readonly contentType: string | null;
  /** The X-Robots-Tag header. */
  readonly robotsTag: string | null;
}

export interface PageContent {
  readonly title: string | null;
  /** False where there was no body, or it could not be read: then the digest says nothing. */
  readonly hasDigest: boolean;
  /** Fingerprint of the body. */
  readonly digestHigh: number;
  readonly digestLow: number;
  /** The canonical form that the page names, where it is another URL that would be followed. */
  readonly canonical: string | null;
  readonly links: PackedLinks;
  /** Whether these are all of its links. */
  readonly isWhole: boolean;
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
