/**
 * Where logs live: the contract of the SQLite store and of the one in memory. The records are in log/records.ts.
 *
 * Life of a write: what was appended is durable, all of it and in order, once `commit` has returned; a crash loses at
 * most what was appended since. Reads through the same store see what was appended at once.
 */
import { FailureError } from "../base/index.ts";
import type {
  CrawlLog,
  CutRecord,
  LookRecord,
  PageTexts,
  ReceivedRecord,
  Reread,
  RobotsRecord,
  RoundRecord,
  SitemapRecord,
  TrustRecord,
  UrlRecord,
  Visit,
} from "../log/index.ts";

/** Where the log of a crawl is stored. */
export interface CrawlStore extends CrawlLog {
  replaceSettings(json: string): void;

  /** Notes of our own about the crawl, by name; undefined removes one. */
  meta(key: string): string | undefined;
  putMeta(key: string, value: string | undefined): void;

  addOrigin(id: number, origin: string): void;
  addUrl(url: UrlRecord): void;
  addVisit(visit: Visit): void;
  /** The texts of the links of a visit, one per line; the last lines may be left out. */
  addAnchors(visit: number, texts: string): void;
  /** The text of the page of a visit. */
  addTexts(visit: number, texts: PageTexts): void;
  addReread(reread: Reread): void;
  addLook(look: LookRecord): void;
  addRound(round: RoundRecord): void;
  addCut(cut: CutRecord): void;
  /** Of two totals of the same URL and sender the greater is kept. */
  putReceived(received: ReceivedRecord): void;
  replaceTrust(trust: readonly TrustRecord[]): void;
  putRobots(robots: RobotsRecord): void;
  putSitemap(sitemap: SitemapRecord): void;
  /** Everything appended so far is on disk when this returns. */
  commit(): void;

  /** The texts of the links of a downloaded page, one per line; undefined where none were stored. */
  anchorsOf(url: number): string | undefined;
  /** The text of a downloaded page; undefined where none was stored. */
  textsOf(url: number): PageTexts | undefined;
  rereads(): Iterable<Reread>;
  readonly rereadCount: number;
  robots(): Iterable<RobotsRecord>;
  /** The path of a URL that is no sink, also of one just appended. */
  pathOf(url: number): string;

  /** Commits and frees the directory. */
  close(): void;
}

/** Bodies as they came, where the user wants them kept. */
export interface Archive {
  /** Keeps one exchange. What was kept is durable once the `commit` of the store has returned. */
  keep(exchange: HttpExchange): void;
}

export interface HttpExchange {
  readonly url: string;
  /** Unix time in milliseconds. */
  readonly dateMs: number;
  readonly address: string | null;
  /** All that were sent, in their order, except for those that are withheld. */
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly status: number;
  /** Names of headers that nobody may learn: left out of the request, blank in the response. */
  readonly withheld?: { readonly request: readonly string[]; readonly response: readonly string[] };
  /** For a response whose `head` is not known. */
  readonly headers: Readonly<Record<string, string>>;
  /** What came before the body: names and values alternate, one character per byte. */
  readonly head?: { readonly reason: string; readonly headers: readonly string[] };
  /** Decompressed. */
  readonly body: Uint8Array;
  /** Whether the body is no whole page; `truncatedBy` says why less came than the server meant to send, if it is so. */
  readonly truncated: boolean;
  readonly truncatedBy?: "length" | "disconnect" | "unspecified" | undefined;
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
