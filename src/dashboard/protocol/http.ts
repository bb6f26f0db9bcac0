/**
 * What the dashboard's page and its server say to each other, written down before either: JSON over HTTP, all of it read only but for
 * `POST /api/control`. Types alone, which both sides import.
 *
 *     GET  /api/overview                     Overview
 *     GET  /api/tide                         Tide
 *     GET  /api/missing                      Missing
 *     GET  /api/missing/hosts?reason=        HostsMissing        all hosts of one reason
 *     GET  /api/pages?PageQuery              PageList
 *     GET  /api/pages/ID                     PageDetail
 *     GET  /api/pages/ID/in?from=&count=     LinkList            pages that link to it, those that bring most first
 *     GET  /api/pages/ID/out?from=&count=    LinkList            pages that it links to, as written
 *     GET  /api/hosts?HostQuery              HostList
 *     GET  /api/frontier?count=              Frontier
 *     GET  /api/log?LogQuery                 LogList
 *     POST /api/control                      Control -> ControlAnswer
 *     GET  /api/events                       server-sent events: `overview` (Overview), `tide` (TidePoint[] that are new),
 *                                            `surveyed` (Surveyed: lists may be asked for anew), `log` (LogEntry[] that are new)
 *     GET  /metrics                          Prometheus
 *
 * Whatever needs the survey (missing, pages, hosts, frontier) answers 503 with `NotYet` until there is one. A wrong question answers 400,
 * one about what does not exist 404, a control that cannot be 409, each with `Problem`.
 */
import type { MissingReason, RefusalReason } from "../../coverage/index.ts";
import type { CrawlStatus, HostStatus, Limits, StopReason } from "../../crawl/index.ts";
import type { Outcome, Source } from "../../log/index.ts";
import type { SurveyHost, SurveyProgress, TidePoint } from "../../survey/index.ts";

export type { SurveyProgress, TidePoint } from "../../survey/index.ts";

export interface Problem {
  /** For people: what was got, what was expected. */
  readonly problem: string;
}

/** How far the survey is, while there is none. */
export interface NotYet extends Problem {
  readonly surveying: SurveyProgress;
}

/**
 * Life of a crawl as a dashboard sees it. `running`, `paused` and `stopping` are those of a crawl in this process; `elsewhere` is one that
 * another process runs; `ended` is one that nobody runs now.
 */
export type RunState = "running" | "paused" | "stopping" | "elsewhere" | "ended";

export interface Overview {
  readonly name: string;
  readonly version: string;
  readonly state: RunState;
  /** Why the last run ended; null while it runs, and where it was cut off. */
  readonly reason: StopReason | null;
  /** Whether `POST /api/control` does anything. */
  readonly controllable: boolean;
  readonly seeds: readonly { readonly url: string; readonly weight: number }[];
  readonly order: string;
  readonly damping: number;
  /** In words: "the host www.example.com". */
  readonly scope: string;
  readonly universe: "scope" | "web";
  readonly limits: Limits;
  readonly status: CrawlStatus;
  /** The order's own bound, where it has one. */
  readonly guaranteed: number | null;
  /** Unix times in milliseconds of the first and the last visit; null before the first. */
  readonly firstVisitMs: number | null;
  readonly lastVisitMs: number | null;
  /** Of the last minute of crawling, or less where it is younger; null where nothing runs. */
  readonly pagesPerSecond: number | null;
  readonly bytesPerSecond: number | null;
  /** Until the target or the nearest limit is reached by present speed; null where that cannot be said. */
  readonly secondsLeft: number | null;
  /** Of which limit `secondsLeft` speaks. */
  readonly nextLimit: keyof Limits | null;
  /** The newest survey, or how far the first one is. */
  readonly survey: Surveyed | SurveyProgress;
}

/** A survey is numbered: lists of one number belong together. */
export interface Surveyed {
  readonly survey: number;
  /** Visits it takes in. */
  readonly visits: number;
  readonly atMs: number;
}

export interface Tide {
  readonly points: readonly TidePoint[];
  readonly target: number | null;
}

export interface Missing {
  readonly coverage: number;
  readonly reasons: readonly MissingOfReason[];
}

export interface MissingOfReason {
  readonly reason: MissingReason;
  readonly mass: number;
  readonly pages: number;
  /** The largest first, a hundred at most; `hostCount` tells how many there are. */
  readonly hosts: readonly HostShare[];
  readonly hostCount: number;
}

export interface HostShare {
  readonly host: string;
  readonly mass: number;
  readonly pages: number;
}

export interface HostsMissing {
  readonly reason: MissingReason;
  readonly hosts: readonly HostShare[];
}

/** The word of a page in lists: what became of it, or that it waits. */
export type PageWord = "waiting" | Exclude<Outcome, "try-again">;

export interface PageQuery {
  /** What stands first: what is certainly most important (the default), was fetched last, was fetched first. */
  readonly sort?: "importance" | "newest" | "oldest";
  readonly host?: string;
  readonly state?: PageWord;
  /** Of the missing: pages that count to this reason. */
  readonly reason?: MissingReason;
  /** HTTP status: 404, or 4xx. */
  readonly status?: string;
  /** A piece of the URL or of the title, in any case. */
  readonly q?: string;
  readonly from?: number;
  /** At most 200. */
  readonly count?: number;
}

export interface PageList {
  readonly survey: number;
  /** How many there are; where `searched` is given, how many were found so far. */
  readonly total: number;
  readonly rows: readonly PageLine[];
  /** A search reads what is stored piece by piece: ask again until it is done. */
  readonly searched?: { readonly done: number; readonly total: number };
}

/** Between these shares of all importance it certainly lies (C2). */
export interface Share {
  readonly low: number;
  readonly high: number;
}

export interface PageLine {
  readonly id: number;
  readonly url: string;
  readonly title: string | null;
  readonly state: PageWord;
  readonly reason: string | null;
  readonly status: number | null;
  readonly importance: Share;
  /** The share of all importance that is missing there; in lists of one reason. */
  readonly missingMass?: number;
  readonly depth: number;
  readonly fetchedMs: number | null;
}

export interface PageDetail extends PageLine {
  readonly survey: number;
  readonly host: string;
  readonly source: Source;
  /** Place in the ranking of downloaded pages, from 1, and whether it is certain; null for other pages. */
  readonly place: { readonly place: number; readonly isCertain: boolean } | null;
  /** Of the missing: to which reason it counts, with which share. */
  readonly missing: { readonly reason: MissingReason; readonly mass: number } | null;
  readonly trust: number | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly target: { readonly id: number; readonly url: string } | null;
  readonly linksIn: number;
  readonly linksOut: number;
  readonly visits: readonly VisitLine[];
  /** The last ones, the oldest first. */
  readonly rereads: readonly RereadLine[];
  /** There are, or may be, rereads older than these. */
  readonly hasOlderRereads?: true;
}

export interface VisitLine {
  readonly number: number;
  readonly atMs: number;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface RereadLine {
  readonly atMs: number;
  readonly outcome: string;
  readonly reason: string | null;
  readonly status: number | null;
}

export interface LinkList {
  readonly total: number;
  readonly rows: readonly LinkLine[];
}

export interface LinkLine {
  readonly page: PageLine;
  /** The share of all importance that goes along this link, at the least: that of the page it stands on, damped, for each of its links. */
  readonly carries: number;
  /** How many times it stands there. */
  readonly times: number;
}

export interface HostQuery {
  readonly sort?: "mass" | "pages" | "missing" | "errors" | "name";
  readonly q?: string;
  readonly from?: number;
  readonly count?: number;
}

export interface HostList {
  readonly survey: number;
  readonly total: number;
  readonly rows: readonly HostLine[];
}

export interface HostLine extends SurveyHost {
  /** How it is treated at this moment; null where the crawl does not run in this process. */
  readonly politeness: Politeness | null;
}

/** How a host is treated at this moment. */
export type Politeness = HostStatus;

export interface Frontier {
  readonly survey: number;
  readonly order: string;
  /** URLs that wait. */
  readonly total: number;
  /** What the order would hand out, the next first. */
  readonly rows: readonly FrontierLine[];
}

export interface FrontierLine extends PageLine {
  /** Share of all importance that certainly arrives there. */
  readonly arrives: number;
  /** Pages that link to it. */
  readonly linksIn: number;
  readonly politeness: Politeness | null;
}

/** Names of events: what became of a page at a visit, and what happened to hosts and to the crawl itself. */
export type EventName =
  | Outcome
  | "host-paused"
  | "host-given-up"
  | "seed-lost"
  | "seed-in-trouble"
  | "paused"
  | "resumed"
  | "limits-changed"
  | "stopping";

export interface LogQuery {
  /** Only entries before this key: what is older than the last one shown. */
  readonly before?: number;
  readonly only?: "pages" | "trouble" | "events";
  readonly host?: string;
  /** At most 200. */
  readonly count?: number;
}

export interface LogList {
  readonly rows: readonly LogEntry[];
  /** Whether there is more before the last row. */
  readonly more: boolean;
  /** Where to go on, the `before` of the next question; left out at the end. A filter that finds little is asked again even where no row came. */
  readonly next?: number;
}

export interface LogEntry {
  /** The number of a visit; events of other kinds have that of the visit before them and a half. */
  readonly key: number;
  readonly atMs: number;
  readonly event: EventName;
  /** In words. */
  readonly text: string;
  readonly reason: string | null;
  readonly page: { readonly id: number; readonly url: string } | null;
  readonly host: string | null;
}

export type Control =
  | { readonly action: "pause" | "resume" | "stop" }
  /** A limit that is null is taken away, one left out stays. */
  | {
      readonly action: "limits";
      readonly limits: { readonly [name in keyof Limits]?: Limits[name] | null };
    };

export interface ControlAnswer {
  readonly state: RunState;
  readonly limits: Limits;
}

export type { Limits, MissingReason, RefusalReason, StopReason };

/** What a request leads to, as the page holds it. */
export type Answer<T> =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "not-yet"; readonly progress: SurveyProgress }
  | { readonly state: "problem"; readonly problem: string };
