/**
 * The records of a crawl's log. A crawl is an append-only sequence of them, and everything else (importance, order,
 * certificate) is computed from it again.
 *
 * Numbers are given by the writer: origins and URLs count from 0 in the order of their discovery, visits from 1 in the
 * order in which they ended. A record refers only to records before it.
 *
 * A URL may be visited again: a later final visit replaces the earlier one, which stays in the log and counts no more.
 * So a URL has at most one final outcome that counts.
 */
import type { Refusal, RefusalReason } from "../coverage/index.ts";

/**
 * How a URL was discovered; `remote`: by another process that shares the crawl, or by another crawler, whose crawl was
 * imported.
 */
export const sources = ["seed", "link", "redirect", "sitemap", "canonical", "remote"] as const;
export type Source = (typeof sources)[number];

/**
 * What became of a URL at a visit. `try-again` leaves it waiting; every other outcome is final, and a URL has at most
 * one final outcome that counts. The names are those of the page states in coverage/facts.ts.
 */
export const outcomes = ["downloaded", "links-unknown", "dead", "redirected", "refused", "try-again"] as const;
/** What became of a URL at a visit. */
export type Outcome = (typeof outcomes)[number];

/** False for what leaves a URL waiting. */
export function isFinal(outcome: Outcome): boolean {
  return outcome !== "try-again";
}

/** A URL that a crawl knows. */
export interface UrlRecord {
  readonly id: number;
  /** Index of its origin. */
  readonly origin: number;
  /** The URL is origin + path. Null for a sink, which stands for all links to an origin that are never followed. */
  readonly path: string | null;
  /** Fewest links from a seed when it was discovered. */
  readonly depth: number;
  readonly source: Source;
  /** The number of visits that had ended when it was discovered, including the visit of the page it stands on. */
  readonly discoveredAt: number;
  /** Why a sink is never fetched, or that another shard has the URL (`elsewhere`); null for every other URL. */
  readonly reason: Refusal | null;
}

/** What a page says about itself: found by the reader, stored with its visit. */
export interface PageMetadata {
  readonly title: string | null;
  /** A language tag, as written. */
  readonly language: string | null;
  /** 8 bytes: a fingerprint of the decompressed body; null where there was none. */
  readonly digest: Uint8Array | null;
  /** 8 bytes: the SimHash of its words (web/simhash.ts); null where it has too few, or is no HTML. */
  readonly simhash: Uint8Array | null;
  /** Whether it asks robots not to index it, and not to show a copy of it; null where it was not read. */
  readonly noindex: boolean | null;
  readonly noarchive: boolean | null;
  /** The header X-Robots-Tag, as written. */
  readonly robotsTag: string | null;
  /** What robots.txt and headers say about its use ("search=yes, ai-train=no"); null where they say nothing. */
  readonly usage: string | null;
}

/** Forms in which the text of a page can be stored: its main part, plain or as Markdown, or all of its HTML. */
export type TextForm = "text" | "markdown" | "html";

/** The text of a page as UTF-8, deflated (RFC 1951); null in a form that was not wanted. */
export type PageTexts = Readonly<Record<TextForm, Uint8Array | null>>;

export const NO_PAGE_METADATA: PageMetadata = {
  title: null,
  language: null,
  digest: null,
  simhash: null,
  noindex: null,
  noarchive: null,
  robotsTag: null,
  usage: null,
};

/** A visit of a URL, with its outcome and the links found. */
export interface Visit extends PageMetadata {
  readonly number: number;
  readonly url: number;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly outcome: Outcome;
  /** Why a URL was refused; null for every other outcome. */
  readonly reason: RefusalReason | null;
  /** More about the outcome: the name of a failure, a status ("status-503"), a rule. */
  readonly detail: string | null;
  /** Of a redirect: the server named the target in another form than the canonical one, under which we know it. */
  readonly isRewritten: boolean;
  /** HTTP status; null where no answer came or nothing was requested. */
  readonly status: number | null;
  /** Bytes of the body over the wire. */
  readonly wireBytes: number;
  readonly milliseconds: number;
  readonly contentType: string | null;
  /** What the page counts in coverage of value, from 0 to 1; null where nobody has said, which is the same as 1. */
  readonly value: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Where a redirected URL leads: the id of a URL. */
  readonly target: number | null;
  /** Where a redirect leads that was not followed, because that is out of the scope. */
  readonly location: string | null;
  /** Ids of the pages linked to, as written; null unless downloaded. */
  readonly links: Uint32Array | null;
}

/** Every field of a visit, for its writers to fill in. */
export const BLANK_VISIT: Visit = {
  number: 0,
  url: 0,
  atMs: 0,
  outcome: "downloaded",
  reason: null,
  detail: null,
  isRewritten: false,
  status: null,
  wireBytes: 0,
  milliseconds: 0,
  contentType: null,
  value: null,
  ...NO_PAGE_METADATA,
  etag: null,
  lastModified: null,
  target: null,
  location: null,
  links: null,
};

/** A visit that was replaced by a later one of the same URL. */
export interface ReplacedVisit extends Pick<Visit, "number" | "url" | "atMs" | "outcome"> {
  /** The number of the visit that replaced it. */
  readonly by: number;
}

/**
 * What became of a page that was fetched again: unchanged, changed, gone (404, 410, no such host), moved, or not
 * fetched. What is new is written as a visit, which replaces the earlier one.
 */
export const rereadOutcomes = ["unchanged", "changed", "gone", "moved", "failed"] as const;
export type RereadOutcome = (typeof rereadOutcomes)[number];

/** Reads in a row that found nothing new, of which the last says how old that content was. */
export interface QuietReads {
  /** From the read before that showed the page to the last of them, in milliseconds; 0 if there are none. */
  readonly quietMs: number;
  /** How old the content was at the last of them by its date; null if that is unknown, or known to be right. */
  readonly quietAgeMs: number | null;
}

/** A read that found a change, after reads that found none. */
export interface EarlierChange extends QuietReads {
  /** The time since the read before that showed the page, in milliseconds. */
  readonly afterMs: number;
  /** How long before this read the page was modified, by its date; null if that is unknown. */
  readonly ageMs: number | null;
}

/** Reads of a page that were folded into the row of a later one (reread-folding.ts). Quiet ones follow the changes. */
export interface EarlierReads extends QuietReads {
  /** How many there were, by outcome. */
  readonly unchanged: number;
  readonly gone: number;
  readonly moved: number;
  readonly failed: number;
  /** Those that found a change, in their order. */
  readonly changes: readonly EarlierChange[];
}

export interface Reread {
  /** From 1, in the order in which they ended; with gaps where earlier ones were folded into later ones. */
  readonly number: number;
  readonly url: number;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly outcome: RereadOutcome;
  /** More about the outcome: the name of a failure, a status. */
  readonly reason: string | null;
  /** The URL that it has moved to. */
  readonly target: string | null;
  readonly status: number | null;
  /** As of a visit, of the body that came; null where none did. */
  readonly digest: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly milliseconds: number;
  readonly wireBytes: number;
  /**
   * The visit that it wrote. Null where nothing is new, or where it is not believed yet that the page is gone or has
   * moved; before version 0.2, always.
   */
  readonly visit: number | null;
  /** Reads of the URL before this one, without rows of their own; left out where there are none. */
  readonly earlier?: EarlierReads;
}

export interface RobotsRecord {
  readonly origin: number;
  readonly atMs: number;
  /** HTTP status at the end of its redirects; null where no answer came. */
  readonly status: number | null;
  /** At most 500 KiB of it; null where there is none to obey. */
  readonly body: Uint8Array | null;
}

/** A sitemap that was read, and what it lists of the URLs of the crawl. Read again, it replaces what it said before. */
export interface SitemapRecord {
  /** Where it was requested. */
  readonly address: string;
  readonly atMs: number;
  readonly entries: readonly SitemapEntry[];
}

export interface SitemapEntry {
  readonly url: number;
  /** Its `lastmod`, Unix time in milliseconds; null where it has none. */
  readonly modifiedMs: number | null;
}

/** What sitemaps say of a URL: the date is that of the sitemap read last that has one. */
export interface ListedUrl extends SitemapEntry {
  /** The sitemap that was read last of those that list it. */
  readonly sitemap: string;
  /** When that was. */
  readonly listedMs: number;
}

export interface TrustRecord {
  readonly url: number;
  readonly weight: number;
}

/**
 * A look of the sampled certificate (coverage/sample): its dice, what it is to show, and with which confidence. Looks
 * count from 1, across runs and commands: each later one may err less.
 */
export interface LookRecord {
  readonly number: number;
  readonly seed: number;
  /** Between 0 and 1. */
  readonly confidence: number;
  /** The coverage that it is to show. */
  readonly target: number;
  /** Of the trust and the damping that it is about. */
  readonly trustDigest: number;
}

/** A round of the last look: walks drawn from the pages that were downloaded by then. */
export interface RoundRecord {
  readonly look: number;
  /** The number of visits that had ended. */
  readonly afterVisit: number;
  /** How many walks are drawn at most. */
  readonly walks: number;
}

/** A URL that counts as lost for the walks of a look: it was beyond a limit of the user when a walk came there. */
export interface CutRecord {
  readonly look: number;
  readonly url: number;
}

/** Probability that arrived at a URL from another process: all that `sender` has sent it so far (coverage/facts.ts). */
export interface ReceivedRecord {
  readonly url: number;
  readonly sender: number;
  readonly total: number;
}
