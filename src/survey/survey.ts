/**
 * A survey: all that follows from the log of a crawl up to some visit, computed once and never changed. Facts are in the crawl's file;
 * this is derived from them, kept beside them so that it need not be computed twice, and may be deleted at any time.
 */
import type { Certificate, Interval, MissingReason } from "../coverage/index.ts";
import type { CrawlStatus } from "../crawl/index.ts";

/** [pages downloaded, Unix time in milliseconds, certified coverage, the order's own bound]. Each holds until the next point. */
export type TidePoint = readonly [pages: number, atMs: number, certified: number, guaranteed: number | null];

/** What the log says about one host. */
export interface SurveyHost {
  readonly host: string;
  readonly known: number;
  readonly downloaded: number;
  readonly waiting: number;
  readonly dead: number;
  readonly refused: number;
  readonly redirected: number;
  /** Attempts that failed and were tried again, or in vain. */
  readonly errors: number;
  readonly bytes: number;
  /** Share of all importance that its downloaded pages hold at the least, and that is missing there. */
  readonly mass: number;
  readonly missing: number;
  /** Mean time of an answer in milliseconds; null where none came. */
  readonly answerMs: number | null;
}

/** The missing share of a reason, as arrays by host: only hosts where any is. */
export interface SurveyMissing {
  readonly reason: MissingReason;
  readonly mass: number;
  readonly pages: number;
  /** Indices into `hosts`, the largest share first. */
  readonly hosts: readonly { readonly host: number; readonly mass: number; readonly pages: number }[];
}

/** The small part, which is JSON. */
export interface SurveyFacts {
  /** Visits and URLs it takes in. */
  readonly visits: number;
  readonly urls: number;
  readonly status: Omit<CrawlStatus, "elapsedMs">;
  readonly certificate: Certificate;
  readonly guaranteed: number | null;
  /** How many places at the head of the ranking are certain. */
  readonly certainPlaces: number;
  readonly tide: readonly TidePoint[];
  readonly missing: readonly SurveyMissing[];
  readonly hosts: readonly SurveyHost[];
  readonly firstVisitMs: number | null;
  readonly lastVisitMs: number | null;
  /** URLs that the order would hand out, the next first; a thousand at most. */
  readonly frontier: readonly number[];
}

export interface Survey {
  readonly facts: SurveyFacts;
  /** All URLs but sinks, what is certainly most important first; equals by id. */
  readonly byImportance: Uint32Array;
  /** URLs that have had their last word, in the order of their visits. */
  readonly byVisit: Uint32Array;
  /** One `PageState` of coverage a URL. */
  readonly state: Uint8Array;
  /** Index into `facts.hosts` a URL. */
  readonly hostOf: Uint32Array;
  /** HTTP status of its last word, 0 where there is none. */
  readonly statusOf: Uint16Array;
  /** What has certainly arrived at a URL, before it is divided by the whole: where it is 0, nothing is missing either. */
  readonly arrived: Float64Array;
  /** Between which shares of all importance a URL lies (C2). */
  interval(url: number): Interval;
  /** To which reason a URL counts in the missing share, and with how much; undefined for one where nothing is missing. */
  missing(url: number): { readonly reason: MissingReason; readonly mass: number } | undefined;
  /** Place of a downloaded page in the ranking, from 1; 0 for others. */
  place(url: number): number;
  /** Pages that link to a URL, itself excluded, each as often as it does, in the order of ids. */
  linksTo(url: number): Uint32Array;
  /** How many links stand on a downloaded page. */
  linkCount(url: number): number;
  /** Visits of a URL that were tried again, by their numbers. */
  attempts(url: number): Uint32Array;
  /** Frees the file. */
  close(): void;
}

export interface SurveyProgress {
  readonly task: string;
  readonly done: number;
  /** Left out where it is not known. */
  readonly total?: number;
  readonly unit: string;
  /** Why it could not be made; left out where all goes well. It is tried again. */
  readonly problem?: string;
}

export interface NumberedSurvey {
  /** From 1, one more for each survey of this process. */
  readonly number: number;
  /** Unix time in milliseconds when it was computed. */
  readonly atMs: number;
  /** Stays open until two newer ones have come: use it within a request and let it go. */
  readonly survey: Survey;
}

export interface SurveySource {
  /** Undefined while the first one is computed. */
  current(): NumberedSurvey | undefined;
  /** How far the one is that is being computed; undefined where none is. */
  progress(): SurveyProgress | undefined;
  /** What went wrong with the last one, in words; undefined where nothing did. */
  problem(): string | undefined;
  /** Asks for a newer one. Costs nothing where the crawl is as it was, or where the last one took so long that it is too soon. */
  refresh(): void;
  /** Called after each new survey. */
  onSurveyed(listener: (surveyed: NumberedSurvey) => void): void;
  close(): Promise<void>;
}
