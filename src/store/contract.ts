/**
 * Facts on disk: the contract of the SQLite store and of its twin in memory.
 *
 * A crawl is an ordered log. Numbers are given by the crawler: origins and URLs count from 0 in the order in which they
 * were heard of, visits from 1 in the order in which they ended. From the log everything else (importance, order, certificate) is
 * computed again; nothing derived is stored as truth.
 *
 * Life of a write: what is told is durable, all of it and in order, once `commit` has returned; a crash loses at most what was told
 * since. Reads through the same store see what was told at once.
 */
import { FailureError } from "../base/index.ts";

/** How a URL came to be known. */
export const sources = ["seed", "link", "redirect", "sitemap", "canonical"] as const;
export type Source = (typeof sources)[number];

/**
 * What became of a URL at a visit. `try-again` leaves it waiting; all others are its last word, and a URL has one at most.
 */
export const outcomes = [
  "downloaded",
  "downloaded-partly",
  "dead",
  "redirected",
  "refused",
  "try-again",
] as const;
export type Outcome = (typeof outcomes)[number];

export interface UrlRecord {
  readonly id: number;
  /** Index of its origin. */
  readonly origin: number;
  /** Path and query: the URL is origin + path. Null for a sink: all that is linked on this origin and never fetched for `reason`. */
  readonly path: string | null;
  /** Fewest links from a seed when it was first heard of. */
  readonly depth: number;
  readonly source: Source;
  /** The number of visits that had ended when it was first heard of, the visit on which it stood included. */
  readonly heardAt: number;
  /** Why a sink is never fetched; null for every other URL. */
  readonly reason: string | null;
}

export interface Visit {
  readonly number: number;
  readonly url: number;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly outcome: Outcome;
  /** Why: a reason of refusal, and after it, where there is more to say, a colon and the name of the failure or rule. */
  readonly reason: string | null;
  /** HTTP status, null where no answer came or nothing was asked. */
  readonly status: number | null;
  /** Bytes of the body over the wire. */
  readonly wireBytes: number;
  readonly milliseconds: number;
  readonly contentType: string | null;
  readonly title: string | null;
  /** 8 bytes: a fingerprint of the decompressed body, null where there was none. */
  readonly digest: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Where a redirected URL leads: the id of a URL. */
  readonly target: number | null;
  /** Ids of the pages linked to, as written; null unless downloaded (wholly or partly). */
  readonly links: Uint32Array | null;
}

/**
 * What became of a page that was downloaded before and read once more: it is as it was, it has changed, it is gone (404, 410, its host is no
 * more), it has moved, or it could not be read this time. The visits stay as they are: they say what the links of the web were when it was
 * crawled, of which coverage is computed; rereads say what has become of its pages since.
 */
export const rereadOutcomes = ["unchanged", "changed", "gone", "moved", "failed"] as const;
export type RereadOutcome = (typeof rereadOutcomes)[number];

export interface Reread {
  /** From 1, in the order in which they ended. */
  readonly number: number;
  readonly url: number;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly outcome: RereadOutcome;
  /** Why, where there is more to say: the name of a failure, a status, the URL that it has moved to. */
  readonly reason: string | null;
  readonly status: number | null;
  /** As of a visit, of the body that came; null where none did. */
  readonly digest: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly milliseconds: number;
  readonly wireBytes: number;
}

export interface RobotsRecord {
  readonly origin: number;
  readonly atMs: number;
  /** HTTP status at the end of its redirects, null where no answer came. */
  readonly status: number | null;
  /** At most 500 KiB of it; null where there is none to obey. */
  readonly body: Uint8Array | null;
}

export interface TrustRecord {
  readonly url: number;
  readonly weight: number;
}

export interface CrawlStore {
  /** What was given when the crawl was made or last resumed: a JSON document that the crawler understands. */
  settings(): string;
  replaceSettings(json: string): void;

  /** Words of our own about the crawl, by name; undefined takes one away. */
  meta(key: string): string | undefined;
  putMeta(key: string, value: string | undefined): void;

  addOrigin(id: number, origin: string): void;
  addUrl(url: UrlRecord): void;
  addVisit(visit: Visit): void;
  addReread(reread: Reread): void;
  replaceTrust(trust: readonly TrustRecord[]): void;
  putRobots(robots: RobotsRecord): void;
  /** Everything told so far is on disk when this returns. */
  commit(): void;

  /** All records in the order of their numbers, as committed, from `first` on. `visits` are few and large, `urls` many and small. */
  origins(first?: number): Iterable<string>;
  urls(first?: number): Iterable<UrlRecord>;
  visits(first?: number): Iterable<Visit>;
  rereads(): Iterable<Reread>;
  trust(): Iterable<TrustRecord>;
  robots(): Iterable<RobotsRecord>;
  /** How many URLs there are. */
  readonly urlCount: number;
  /** The path of a URL that is no sink, also one just told. */
  pathOf(url: number): string;

  /** Commits and frees the directory. */
  close(): void;
}

/** Bodies as they came, where the user wants them kept. */
export interface Archive {
  /**
   * Keeps one exchange; `date` is Unix time in milliseconds. What was kept is durable once the `commit` of the store has returned.
   */
  keep(exchange: Exchange): void;
}

export interface Exchange {
  readonly url: string;
  readonly dateMs: number;
  readonly address: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/** What the disk did, by what happens next: the crawl stops, and everything committed stays. */
export class StoreError extends FailureError {
  override readonly name = "StoreError";
  readonly kind: "disk-full" | "failed";

  constructor(kind: "disk-full" | "failed", message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
