/**
 * A survey: everything that follows from the log of a crawl up to some visit, computed once and never changed. The
 * facts are in the crawl's files. The survey is derived from them, and stored next to them to save time. It may be
 * deleted at any time.
 */
import type { ProgressStep } from "../base/index.ts";
import type { Certificate, Interval, MissingReason } from "../coverage/index.ts";
import type { CrawlStatus } from "../crawl/index.ts";
import type { FindingsSummary } from "../findings/index.ts";

/**
 * A point holds until the next one, and has more pages than the one before. `atMs` is a Unix time, `guaranteed` the
 * order's own bound, `sampled` what sampling shows, which is no proof: null where it shows nothing.
 */
export type TidePoint = readonly [
  pages: number,
  atMs: number,
  certified: number,
  guaranteed: number | null,
  sampled: number | null,
];

/** What the log says about one host. */
export interface SurveyHost {
  readonly host: string;
  readonly known: number;
  readonly downloaded: number;
  readonly waiting: number;
  readonly dead: number;
  readonly refused: number;
  readonly redirected: number;
  /** Failed attempts. */
  readonly errors: number;
  readonly bytes: number;
  /** The least share of all importance on its downloaded pages, and the share that is missing there. */
  readonly mass: number;
  readonly missing: number;
  /** Mean response time in milliseconds; null without a response. */
  readonly answerMs: number | null;
}

/** The missing share of one reason. */
export interface SurveyMissing {
  readonly reason: MissingReason;
  readonly mass: number;
  readonly pages: number;
  /** Indices into `SurveyFacts.hosts`, largest share first; only hosts where something is missing. */
  readonly hosts: readonly { readonly host: number; readonly mass: number; readonly pages: number }[];
}

/** The small part of a survey, which is JSON. */
export interface SurveyFacts {
  /** Number of visits, of URLs and of rounds of walks that it includes. */
  readonly visits: number;
  readonly urls: number;
  readonly rounds: number;
  readonly status: Omit<CrawlStatus, "elapsedMs">;
  readonly certificate: Certificate;
  readonly guaranteed: number | null;
  /** How many ranks, from the first, are certain. */
  readonly certainPlaces: number;
  readonly tide: readonly TidePoint[];
  /** Pages were read again, and the tide is of the newest facts, not of what was proven at the time (risen-tide.ts). */
  readonly isTideOfNow?: true;
  readonly missing: readonly SurveyMissing[];
  /** What the universe leaves out, as shares of everything at most. */
  readonly outside: readonly SurveyMissing[];
  readonly hosts: readonly SurveyHost[];
  readonly firstVisitMs: number | null;
  readonly lastVisitMs: number | null;
  /** URLs that the order would fetch next, at most a thousand. */
  readonly frontier: readonly number[];
  /** What the owner of a site would fix, most important first. */
  readonly findings: FindingsSummary;
}

/** The share at one URL, and why it is not covered. */
export interface UrlShare {
  readonly reason: MissingReason;
  readonly mass: number;
}

/** What follows from the log of a crawl up to some visit: certificate, tide, ranking, missing shares, hosts. */
export interface Survey {
  readonly facts: SurveyFacts;
  /** All URLs except sinks, highest certain importance first; ties by id. */
  readonly byImportance: Uint32Array;
  /** URLs with a final outcome, in the order of their visits. */
  readonly byVisit: Uint32Array;
  /** One `PageState` per URL. */
  readonly state: Uint8Array;
  /** One index into `facts.hosts` per URL. */
  readonly hostOf: Uint32Array;
  /** HTTP status of the final outcome; 0 if there is none. */
  readonly statusOf: Uint16Array;
  /** What has certainly arrived at a URL, not divided by the whole. If it is 0, nothing is missing there either. */
  readonly arrived: Float64Array;
  /** The interval that contains a URL's share of all importance (C2). */
  interval(url: number): Interval;
  /** The reason why importance is missing at a URL, and how much; undefined if nothing is missing there. */
  missing(url: number): UrlShare | undefined;
  /** Why a URL is no part of the universe, and its share of everything at most; undefined if it is a part of it. */
  outside(url: number): UrlShare | undefined;
  /** Rank of a downloaded page, from 1; 0 for other URLs. */
  place(url: number): number;
  /** Pages that link to a URL, without the URL itself, one entry per link, sorted by id. */
  linksTo(url: number): Uint32Array;
  /** Number of links on a downloaded page. */
  linkCount(url: number): number;
  /** Numbers of the visits of a URL that were retried. */
  attempts(url: number): Uint32Array;
  /** Closes the file. */
  close(): void;
}

export interface SurveyProgress extends ProgressStep {
  /** Why the last attempt failed; left out without a failure. There will be another attempt. */
  readonly problem?: string;
}

export interface NumberedSurvey {
  /** From 1, one more for each survey of this process. */
  readonly number: number;
  /** Unix time in milliseconds when it was computed. */
  readonly atMs: number;
  /** Stays open until there are two newer ones: use it within one request. */
  readonly survey: Survey;
}

/** Where a server gets surveys from. */
export interface SurveySource {
  /** Undefined while the first one is computed. */
  current(): NumberedSurvey | undefined;
  /** Progress of the survey that is being computed; undefined if none is. */
  progress(): SurveyProgress | undefined;
  /** What went wrong with the last one; undefined without a failure. */
  problem(): string | undefined;
  /** Asks for a newer one. Does nothing if the crawl has not changed, or if it is too soon after the last one. */
  refresh(): void;
  /** Called after each new survey. */
  onSurveyed(listener: (surveyed: NumberedSurvey) => void): void;
  close(): Promise<void>;
}
