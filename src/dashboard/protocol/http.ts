/**
 * The protocol between the dashboard's page and its server: JSON over HTTP. Everything is read only except `POST
 * /api/control`. Types alone, which both sides import.
 *
 *     GET  /api/overview                     Overview
 *     GET  /api/tide                         Tide
 *     GET  /api/missing                      Missing
 *     GET  /api/missing/hosts?reason=        HostsMissing        all hosts of one reason
 *     GET  /api/findings                     Findings
 *     GET  /api/pages?sort=&host=&state=&reason=&status=&q=&from=&count=    PageList
 *     GET  /api/pages/ID                     PageDetail
 *     GET  /api/pages/ID/in?from=&count=     LinkList            pages that link to it, largest share first
 *     GET  /api/pages/ID/out?from=&count=    LinkList            pages it links to, in their order on the page
 *     GET  /api/hosts?sort=&q=&from=&count=  HostList
 *     GET  /api/frontier?count=              Frontier
 *     GET  /api/freshness                    FreshnessAnswer
 *     GET  /api/log?before=&only=&host=&count=                              LogList
 *     POST /api/control                      Control -> ControlAnswer
 *     GET  /api/events                       server-sent events: `overview` (Overview), `tide` (new TidePoint[]),
 *                                            `surveyed` (Surveyed: lists may have changed), `log` (new LogEntry[])
 *     GET  /metrics                          Prometheus
 *
 * The first of the new points replaces the last one before if it has as many pages: sampling shows something else
 * there.
 *
 * Parameters may be left out, except for the reason of `missing/hosts`. `q` is part of a name, URL or title; case does
 * not matter. `status` is an HTTP status: 404, or 4xx. `reason` selects pages whose importance is missing for it.
 * `before` is the key of a log entry. `count` is at most 200. Pages are sorted by `importance` (default), `newest` or
 * `oldest` visit; hosts by `mass` (default), `pages`, `missing`, `errors` or `name`. `only` is `pages`, `trouble` or
 * `events`.
 *
 * Until the first survey is done, missing, findings, pages, hosts and frontier respond with 503 and `NotYet`. A wrong
 * request gets 400, something that does not exist 404, an impossible control 409, each with `Problem`.
 */
import type { ExcerptPart } from "../../content/index.ts";
import type { MissingReason, PageStateName } from "../../coverage/index.ts";
import type { CrawlStatus, HostStatus, Limits, RefreshStatus, StopReason } from "../../crawl/index.ts";
import type { Outcome, Reread, Source } from "../../log/index.ts";
import type { SurveyHost, SurveyProgress, TidePoint, UrlShare } from "../../survey/index.ts";
import type { EventName, ShareBounds, RunState } from "../../text/index.ts";

export interface Problem {
  /** For people: what was received, what was expected. */
  readonly problem: string;
}

/** There is no survey yet, and this is the progress of the first one. */
export interface NotYet extends Problem {
  readonly surveying: SurveyProgress;
}

export interface Overview {
  readonly name: string;
  readonly version: string;
  readonly state: RunState;
  /** The moment as of which everything is shown, Unix time in milliseconds; left out for now. */
  readonly asOfMs?: number | undefined;
  /** Why the last run ended; null while it runs, or if it was cut off. */
  readonly reason: StopReason | null;
  /** Whether there is text to search. */
  readonly searchable: boolean;
  /** Whether `POST /api/control` works. */
  readonly controllable: boolean;
  readonly seeds: readonly { readonly url: string; readonly weight: number }[];
  readonly order: string;
  readonly damping: number;
  /** In words: "the host www.example.com". */
  readonly scope: string;
  readonly universe: "allowed" | "scope" | "web";
  readonly limits: Limits;
  readonly status: CrawlStatus;
  /** The order's own bound, if it has one. */
  readonly guaranteed: number | null;
  /** Unix times in milliseconds of the first and the last visit; null before the first. */
  readonly firstVisitMs: number | null;
  readonly lastVisitMs: number | null;
  /** Over the last minute of crawling, or less at its start; null if the crawl is not running. */
  readonly pagesPerSecond: number | null;
  readonly bytesPerSecond: number | null;
  /** Until the crawl reaches its target or nearest limit at the current rate; null if unknown. */
  readonly secondsLeft: number | null;
  /** Which limit `secondsLeft` is about. */
  readonly nextLimit: keyof Limits | null;
  /** The newest survey, or the progress of the first one. */
  readonly survey: Surveyed | SurveyProgress;
}

/** Surveys are numbered: lists with the same number belong together. */
export interface Surveyed {
  readonly survey: number;
  readonly visits: number;
  readonly atMs: number;
}

export interface FreshnessAnswer {
  /** What a refresh in the server's process has last reported; null before that, and if there is none. */
  readonly refresh: RefreshStatus | null;
}

export interface Tide {
  readonly points: readonly TidePoint[];
  readonly target: number | null;
  /** Pages were read again: the points are of the newest facts, not of what was proven at the time. */
  readonly isOfNow: boolean;
}

export interface Missing {
  readonly coverage: number;
  /** URLs that wait, also those without a share. */
  readonly waiting: number;
  readonly reasons: readonly MissingOfReason[];
  /** What the universe leaves out, as shares of everything at most. */
  readonly outside: readonly MissingOfReason[];
}

export interface MissingOfReason {
  readonly reason: MissingReason;
  readonly mass: number;
  readonly pages: number;
  /** The hundred largest, largest first; `hostCount` is the number of all. */
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

/** Groups of pages that are alike. */
export interface GroupsOfPages {
  readonly pages: number;
  readonly groups: number;
  readonly rows: readonly DuplicateLine[];
}

/** What the owner of a site would fix: how much there is, and the hundred of each kind that matter most. */
export interface Findings {
  readonly survey: number;
  readonly brokenLinks: { readonly links: number; readonly pages: number; readonly rows: readonly BrokenLinkLine[] };
  readonly redirects: {
    readonly urls: number;
    /** With more than one redirect in a row. */
    readonly chains: number;
    readonly loops: number;
    readonly rows: readonly RedirectLine[];
  };
  readonly duplicates: GroupsOfPages;
  /** Null if no page has a SimHash, by which they are found. */
  readonly nearDuplicates: GroupsOfPages | null;
  readonly orphans: { readonly urls: number; readonly rows: readonly OrphanLine[] };
}

export interface UrlName {
  readonly id: number;
  readonly url: string;
  readonly title: string | null;
}

interface BrokenLinkLine {
  readonly source: UrlName;
  /** The text of the link; null where none was stored. */
  readonly text: string | null;
  /** From the URL that is linked to the one where its redirects end. */
  readonly way: readonly UrlName[];
  /** What came at the end, in words: "404", "redirect loop". */
  readonly response: string;
}

interface RedirectLine {
  readonly way: readonly UrlName[];
  readonly response: string;
  /** How many pages link to the first URL. */
  readonly linkedFrom: number;
}

/** A URL that a sitemap lists and nothing links to. */
interface OrphanLine {
  readonly page: UrlName;
  readonly response: string;
}

interface DuplicateLine {
  /** The most important ones, most important first. */
  readonly pages: readonly UrlName[];
  /** How many there are. */
  readonly copies: number;
}

/** A part of a list. */
interface List<Row> {
  readonly survey: number;
  /** Number of all rows; with `searched`, the number found so far. */
  readonly total: number;
  readonly rows: readonly Row[];
}

export interface PageList extends List<PageLine> {
  /** A search runs in steps: repeat the request until it is done. */
  readonly searched?: { readonly done: number; readonly total: number };
}

export interface SearchList extends List<SearchLine> {
  /** What is new is indexed in steps: repeat the request until it is done. */
  readonly searched?: { readonly done: number; readonly total: number };
}

export interface SearchLine extends PageLine {
  /** Around the words that were searched for. */
  readonly excerpt: readonly ExcerptPart[];
}

export interface PageLine {
  readonly id: number;
  readonly url: string;
  readonly title: string | null;
  readonly state: PageStateName;
  /** As in exports, and in words for a badge; null and empty if there is none. */
  readonly reason: string | null;
  readonly why: string;
  readonly status: number | null;
  /** Rank among the downloaded pages, from 1; null for other pages. */
  readonly rank: number | null;
  readonly importance: ShareBounds;
  /** The share that is missing or left out there, at most; only in lists of one reason. */
  readonly missingMass?: number;
  readonly depth: number;
  readonly fetchedMs: number | null;
}

export interface PageDetail extends PageLine {
  readonly survey: number;
  readonly host: string;
  readonly source: Source;
  /** Rank among the downloaded pages, from 1, and whether it is certain; null for other pages. */
  readonly place: { readonly place: number; readonly isCertain: boolean } | null;
  /** The reason why importance is missing there, and how much at most. */
  readonly missing: UrlShare | null;
  /** Why it is no part of the universe, and its share of everything at most. */
  readonly outside: UrlShare | null;
  readonly trust: number | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly target: { readonly id: number; readonly url: string } | null;
  readonly linksIn: number;
  readonly linksOut: number;
  readonly visits: readonly VisitLine[];
  /** The newest ones, oldest first. */
  readonly rereads: readonly RereadLine[];
  /** There are, or may be, older rereads. */
  readonly hasOlderRereads?: true;
}

interface RereadLine extends Pick<Reread, "atMs" | "outcome" | "reason" | "target" | "status"> {
  /** How many reads before it were condensed into it; left out if none. */
  readonly earlierCount?: number;
}

export interface VisitLine {
  readonly number: number;
  readonly atMs: number;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly why: string;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface LinkList {
  readonly total: number;
  readonly rows: readonly LinkLine[];
}

export interface LinkLine {
  readonly page: PageLine;
  /** The least share of all importance that this link carries: that of its page, damped, divided by its links. */
  readonly carries: number;
  /** How often the link occurs on the page. */
  readonly times: number;
}

export type HostList = List<HostLine>;

export interface HostLine extends SurveyHost {
  /** Its current status; null if the crawl does not run in this process. */
  readonly politeness: HostStatus | null;
}

/** What the order would fetch, next first. The total is the number of waiting URLs. */
export interface FrontierList extends List<FrontierLine> {
  readonly order: string;
}

export interface FrontierLine extends PageLine {
  /** Share of all importance that certainly arrives there. */
  readonly arrives: number;
  /** Pages that link to it. */
  readonly linksIn: number;
  readonly politeness: HostStatus | null;
}

export interface LogList {
  readonly rows: readonly LogEntry[];
  /** Whether there are older entries. */
  readonly more: boolean;
  /** The `before` of the next request; left out at the end. A rare filter may return no rows and still have more. */
  readonly next?: number;
}

export interface LogEntry {
  /** The number of a visit. Other events get a number between the visit before them and the next. */
  readonly key: number;
  readonly atMs: number;
  readonly event: EventName;
  /** In words. */
  readonly text: string;
  readonly reason: string | null;
  readonly page: { readonly id: number; readonly url: string } | null;
  readonly host: string | null;
}

/** A limit that is null is removed. A limit left out stays. */
export type LimitChanges = { readonly [name in keyof Limits]?: Limits[name] | null };

export type Control =
  | { readonly action: "pause" | "resume" | "stop" }
  | { readonly action: "limits"; readonly limits: LimitChanges };

export interface ControlAnswer {
  readonly state: RunState;
  readonly limits: Limits;
}

/** The result of a request, as the page keeps it. */
export type RequestState<T> =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "not-yet"; readonly progress: SurveyProgress }
  /** Without a status if the server did not respond. */
  | { readonly state: "problem"; readonly problem: string; readonly status?: number };

/** An answer that has arrived. */
export type Arrived<T> = Exclude<RequestState<T>, { readonly state: "loading" }>;
