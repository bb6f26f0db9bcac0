/**
 * Where logs live: the contract of the SQLite store and of the one in memory. The records are in log/records.ts.
 *
 * Life of a write: what was appended is durable, all of it and in order, once `commit` has returned; a crash loses at
 * most what was appended since. Reads through the same store see what was appended at once.
 */
import { type ChunkFile, FailureError } from "../base/index.ts";
import type {
  CrawlLog,
  CutRecord,
  LookRecord,
  LogSink,
  PageTexts,
  ReceivedRecord,
  ReplacedVisit,
  Reread,
  RobotsRecord,
  RoundRecord,
  TrustRecord,
} from "../log/index.ts";

/** What an engine that runs needs of a store. */
export interface EngineStore extends LogSink {
  /** A JSON document that the crawler understands. */
  settings(): string;
  replaceSettings(json: string): void;
  addLook(look: LookRecord): void;
  addRound(round: RoundRecord): void;
  addCut(cut: CutRecord): void;
  /** Of two totals of the same URL and sender the greater is kept. */
  putReceived(received: ReceivedRecord): void;
  trust(): Iterable<TrustRecord>;
  robots(): Iterable<RobotsRecord>;
  /** The path of a URL that is no sink, also of one just appended. */
  pathOf(url: number): string;
  /**
   * The URLs of the links of the visit that comes next, one after the other, and where each ends. Left out by stores
   * that have no use for them.
   */
  expectLinks?(text: string, ends: Uint32Array): void;
  /**
   * An empty file for what takes too much memory, for as long as a crawl runs; it takes the place of the one before for
   * the same use. The last ones are freed with the store. Left out where everything stays in memory.
   */
  scratch?(use: ScratchUse): Scratch | undefined;
}

export type ScratchUse = "links" | "origins";

/** A file that nobody else sees, and that is gone when the process ends, however it ends. */
export interface Scratch extends ChunkFile {
  /** Frees the disk; nothing can be read any more. */
  close(): void;
}

/** Where the log of a crawl is stored. */
export interface CrawlStore extends CrawlLog, EngineStore {
  meta(key: string): string | undefined;
  addReread(reread: Reread): void;
  /** Everything appended so far is on disk when this returns. */
  commit(): void;

  /** The texts of the links of a downloaded page, one per line; undefined where none were stored. */
  anchorsOf(url: number): string | undefined;
  /** The text of a downloaded page; undefined where none was stored. */
  textsOf(url: number): PageTexts | undefined;
  rereads(): Iterable<Reread>;
  /** Visits that count no more, also deleted ones; those of a URL in the order in which they were replaced. */
  replacedVisits(): Iterable<ReplacedVisit>;
  /**
   * Visits that count no more and are not kept, the oldest of a URL first, in pieces that are small enough to be
   * deleted at once. Some are empty.
   */
  deletableVisits(kept: KeptVisits): Iterable<readonly number[]>;
  /**
   * Deletes visits that count no more, with their links and texts; of a URL the oldest first. What counts now stays as
   * it is, and so does what `replacedVisits` says. Moments as of which one of them counted, and all before, can no
   * longer be seen.
   */
  deleteVisits(numbers: readonly number[]): void;
  /**
   * Condenses what stays of reads for ever, up to a time (Unix milliseconds): folds rereads into later ones of the same
   * URL (log/reread-folding.ts), and of deleted visits keeps the first of each URL. Whoever learns change rates, plans
   * reads or counts them learns the same as before. Each step writes a little and yields how many rows it has freed;
   * the log is whole after each, so the caller may commit in between or stop.
   */
  condenseReads(untilMs: number): Iterable<number>;
  readonly rereadCount: number;

  /** Commits and frees the directory. */
  close(): void;
}

/** Of visits that count no more: the newest ones of each URL, or those that were replaced after a time. */
export type KeptVisits =
  /** Together with the visit that counts; at least 1. */
  | { readonly newest: number }
  /** Unix time in milliseconds. */
  | { readonly sinceMs: number };

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
