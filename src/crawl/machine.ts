/**
 * The engine as a machine: inputs are data, a step answers with effects, and the runner carries them out. Nothing else
 * moves a crawl, so with simulated time, network and disk the same inputs give the same crawl.
 */
import type { StopReason } from "./stop-reasons.ts";
import type { MissingReason, RefusalReason } from "../coverage/index.ts";
import type { Answer, FetchRequest, Reply } from "../fetch/index.ts";
import type { ReceivedRecord } from "../log/index.ts";
import type { Rendering, RenderJob, WantedResource } from "../render/index.ts";
import type { Lease } from "../store/index.ts";
import type { PageContent, PageJob, SitemapContent, SitemapJob } from "./reader/contract.ts";
import type { Limits } from "./settings/settings.ts";

export interface Now {
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: number;
  /** Unix time in milliseconds. */
  readonly wallMs: number;
}

export type Input =
  | { readonly kind: "start" }
  /** Something may start, or the time that `nextMs` named has come. */
  | { readonly kind: "timer" }
  | { readonly kind: "reply"; readonly id: number; readonly reply: Reply }
  /** The name of a host was looked up; what came of it may be used for so long. */
  | { readonly kind: "looked-up"; readonly host: number; readonly validForMs: number }
  | { readonly kind: "page-read"; readonly id: number; readonly content: PageContent }
  | { readonly kind: "sitemap-read"; readonly id: number; readonly content: SitemapContent }
  /** A page that is being rendered wants something; the runner has numbered it. */
  | ({ readonly kind: "resource-wanted"; readonly render: number; readonly resource: number } & WantedResource)
  | { readonly kind: "rendered"; readonly id: number; readonly rendering: Rendering }
  | { readonly kind: "pause" | "resume" }
  | { readonly kind: "change-limits"; readonly limits: Limits }
  | { readonly kind: "stop"; readonly reason: StopReason }
  /** Time is up for what is still being read: it is left to the next run. */
  | { readonly kind: "cut-off" }
  | { readonly kind: "remote"; readonly records: readonly RemoteRecord[] }
  /** Another shard wants something of a host of this one; it is answered by `errand-done`. */
  | { readonly kind: "errand"; readonly id: number; readonly request: FetchRequest };

/** What another process has to say about a URL of this one. */
export type RemoteRecord = RemoteUrl | RemoteMass | RemoteHeard | RemoteCredit;

/** It was found at this depth. */
interface RemoteUrl {
  readonly kind: "discovered";
  readonly url: string;
  readonly depth: number;
}

/** Mass that has arrived, as a record of the log: a resumed crawl knows it. */
interface RemoteMass extends Pick<ReceivedRecord, "sender" | "total"> {
  readonly kind: "received";
  readonly url: string;
  readonly depth: number;
}

/** The same for a URL with this fingerprint, from a shard. It is not stored: whoever has sent it sends it again. */
interface RemoteCredit extends Pick<ReceivedRecord, "sender" | "total"> {
  readonly kind: "credited";
  readonly high: number;
  readonly low: number;
  /** How many redirects in a row lead there. */
  readonly hops: number;
}

/** The same for a URL of which a shard of the same job tells for the first time: canonical, and found at this depth. */
interface RemoteHeard extends Omit<RemoteCredit, "kind"> {
  readonly kind: "heard";
  readonly url: string;
  readonly depth: number;
}

/** What an archive may want to keep. */
export interface ArchivedAnswer {
  readonly request: FetchRequest;
  /** Unix time in milliseconds. */
  readonly dateMs: number;
  readonly answer: Answer;
  /** Of a worker: by which it owns the host. */
  readonly lease?: Lease;
}

/** A page that was downloaded, as it came and as it was read. */
export interface DownloadedPage {
  readonly url: string;
  readonly answer: Answer;
  readonly content: PageContent;
  /** What of all importance has certainly arrived there so far. */
  readonly importance: number;
}

/** Ids are given by the machine, and come back with the input that answers. */
export type Effect =
  | { readonly kind: "fetch"; readonly id: number; readonly request: FetchRequest }
  /** The same of a host that another shard owns; its answer is an input `reply`, too. */
  | { readonly kind: "delegate"; readonly id: number; readonly request: FetchRequest }
  | { readonly kind: "errand-done"; readonly id: number; readonly reply: Reply }
  /** The name of a host is to be looked up, for this URL. */
  | { readonly kind: "look-up"; readonly host: number; readonly url: string }
  | { readonly kind: "read-page"; readonly id: number; readonly job: PageJob }
  | { readonly kind: "read-sitemap"; readonly id: number; readonly job: SitemapJob }
  | { readonly kind: "render"; readonly id: number; readonly job: RenderJob }
  /** What a page that is being rendered wanted; null if there is none. */
  | { readonly kind: "supply"; readonly resource: number; readonly answer: Answer | null }
  | ({ readonly kind: "archive" } & ArchivedAnswer)
  | ({ readonly kind: "downloaded" } & DownloadedPage)
  | { readonly kind: "emit"; readonly event: CrawlEvent }
  /** A host is to be left alone, by whomever: Unix time in milliseconds. */
  | { readonly kind: "pause-host"; readonly host: string; readonly untilMs: number }
  /** Requests in flight of a shard end now. */
  | { readonly kind: "cancel"; readonly owner: number }
  /** Whatever is under way may take this long, then the fetcher is closed. */
  | { readonly kind: "drain"; readonly withinMs: number };

/** `More` are inputs of its own that a machine takes besides the usual ones. */
export interface Machine<More = never> {
  step(input: Input | More, now: Now): readonly Effect[];
  /** Whether a step with `timer` could start something right now. */
  readonly mayStart: boolean;
  /** When the next step is due; Infinity: not before another input. */
  readonly nextMs: number;
  /** Why it has ended; undefined while it has not. */
  readonly ended: StopReason | undefined;
}

/** Where the parts of a machine put what is to be done. */
export class EffectQueue {
  #effects: Effect[] = [];

  push(effect: Effect): void {
    this.#effects.push(effect);
  }

  emit(event: CrawlEvent): void {
    this.push({ kind: "emit", event });
  }

  take(): readonly Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }
}

/** Something that happened to a host, to a seed or to the crawl itself. What became of pages is in the log. */
export type CrawlEvent =
  | HostEvent
  | SeedLost
  | SeedFailing
  | TargetUnreachable
  | ValueFailed
  | ScopeWidened
  | SitemapFailed
  | RenderDecided
  | ScriptMade
  | { readonly name: "paused" | "resumed"; readonly atMs: number }
  | { readonly name: "limits-changed"; readonly atMs: number; readonly limits: Limits }
  | { readonly name: "stopping"; readonly atMs: number; readonly reason: StopReason };

/** Emitted once each time it happens: requests that were in flight together and fail alike count once. */
type HostEvent =
  | {
      readonly name: "host-paused";
      /** Unix time in milliseconds, as everywhere here. */
      readonly atMs: number;
      readonly host: string;
      /** The name of the failure, or "status-503". */
      readonly reason: string;
      readonly forMs: number;
    }
  | { readonly name: "host-given-up"; readonly atMs: number; readonly host: string; readonly reason: string }
  | {
      /** It forbids its front page, or one page after another (log/blocked-hosts.ts). */
      readonly name: "host-blocked";
      readonly atMs: number;
      readonly host: string;
      /** The number of the visit by which that is known. */
      readonly visit: number;
      /** What it answered then. */
      readonly status?: number;
      /** Where it sends the crawler, out of the scope. */
      readonly location?: string;
    };

/** A seed has led to a page outside the scope, whose host, directory or domain now belongs to it. */
interface ScopeWidened {
  readonly name: "scope-widened";
  readonly atMs: number;
  /** Where the seed has led. */
  readonly url: string;
  /** The new scope in words. */
  readonly scope: string;
}

/** A sitemap that the user gave could not be read, or only in part. */
interface SitemapFailed {
  readonly name: "sitemap-failed";
  readonly atMs: number;
  readonly url: string;
  /**
   * As a verdict has it, "robots" where robots.txt forbids it, "cut-off" or "too-large" of one that was read in part,
   * or what is wrong with the file, in words.
   */
  readonly reason: string;
}

/** With `--render auto`: whether all further pages of a host are rendered, by the pages compared so far. */
interface RenderDecided {
  readonly name: "render-decided";
  readonly atMs: number;
  readonly host: string;
  readonly isRendered: boolean;
  /** The page by which it was decided. */
  readonly url: string;
}

/** Without `--render`: a page shows hardly anything without its scripts. Emitted once per host, for ten hosts. */
interface ScriptMade {
  readonly name: "script-made";
  readonly atMs: number;
  readonly host: string;
  readonly url: string;
}

/** So much is out of reach for good that the target cannot be reached. Emitted once per target. */
export interface TargetUnreachable {
  readonly name: "target-unreachable";
  readonly atMs: number;
  readonly target: number;
  /** The most that can still be reached. */
  readonly ceiling: number;
  /** Why, with the share that is lost at least and a page of it: the largest shares. */
  readonly losses: readonly {
    readonly reason: MissingReason;
    readonly mass: number;
    readonly url: string | null;
  }[];
}

/**
 * `valueOfPage` has thrown, or returned no number from 0 to 1: this page counts nothing in coverage of value, and so do
 * others where it fails. Emitted once per run.
 */
interface ValueFailed {
  readonly name: "value-failed";
  readonly atMs: number;
  readonly url: string;
  readonly message: string;
}

/** A seed, or what it redirects to, was found dead or refused in this run. */
export interface SeedLost {
  readonly name: "seed-lost";
  readonly atMs: number;
  readonly url: string;
  /** The seed that redirects there; left out for a seed itself. */
  readonly seed?: string;
  readonly reason: RefusalReason | "dead";
  readonly detail: string | null;
  /** The trust that it holds. */
  readonly weight: number;
}

/** The first attempt at a seed, or at its robots.txt, has failed. Emitted once per origin, for at most ten origins. */
export interface SeedFailing {
  readonly name: "seed-in-trouble";
  readonly atMs: number;
  readonly url: string;
  /** The seed that redirects there; left out for a seed itself. */
  readonly seed?: string;
  /** As a verdict has it: the name of the failure, or "status-503". */
  readonly reason: string;
  /** It is the robots.txt before it that failed. */
  readonly isRobots: boolean;
  /** Until it is tried again. */
  readonly waitMs: number;
}
