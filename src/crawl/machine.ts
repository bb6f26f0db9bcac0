/**
 * The engine as a machine: inputs are data, a step answers with effects, and whoever drives it (runner.ts, or a
 * simulation) carries them out. Nothing else moves a crawl, so with simulated time, network and disk the same inputs
 * give the same crawl.
 */
import type { Answer, FetchRequest, Reply } from "../fetch/index.ts";
import type { ReceivedRecord } from "../log/index.ts";
import type { CrawlEvent } from "./events.ts";
import type { PageContent, PageJob, SitemapContent, SitemapJob } from "./reader/contract.ts";
import type { Limits } from "./settings/settings.ts";
import type { StopReason } from "./run-end.ts";

/** The moment of a step. */
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
  | { readonly kind: "page-read"; readonly id: number; readonly content: PageContent }
  | { readonly kind: "sitemap-read"; readonly id: number; readonly content: SitemapContent }
  | { readonly kind: "pause" | "resume" }
  | { readonly kind: "change-limits"; readonly limits: Limits }
  | { readonly kind: "stop"; readonly reason: StopReason }
  /** Time is up for what is still being read: it is left to the next run. */
  | { readonly kind: "cut-off" }
  | { readonly kind: "remote"; readonly record: RemoteRecord };

/** What another process has to say about a URL of this one. */
export type RemoteRecord =
  | { readonly kind: "discovered"; readonly url: string; readonly depth: number }
  | ({ readonly kind: "received"; readonly url: string } & Pick<ReceivedRecord, "sender" | "total">);

/** Ids are given by the machine, and come back with the input that answers. */
export type Effect =
  | { readonly kind: "fetch"; readonly id: number; readonly request: FetchRequest }
  | { readonly kind: "read-page"; readonly id: number; readonly job: PageJob }
  | { readonly kind: "read-sitemap"; readonly id: number; readonly job: SitemapJob }
  | { readonly kind: "archive"; readonly url: string; readonly dateMs: number; readonly answer: Answer }
  | { readonly kind: "emit"; readonly event: CrawlEvent }
  /** Whatever is under way may take this long, then the fetcher is closed. */
  | { readonly kind: "drain"; readonly withinMs: number };

export interface Machine {
  step(input: Input, now: Now): readonly Effect[];
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
