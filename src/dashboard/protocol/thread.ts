/**
 * Between a crawl and the dashboard that runs beside it on a thread of its own: messages alone, so that looking costs the crawl next to
 * nothing. The crawl tells its status once a second and events as they happen; the dashboard asks for the treatment of the few hosts that
 * somebody looks at, and hands on what the user wants.
 */
import type { CrawlEvent, CrawlStatus, Limits, StopReason } from "../../crawl/index.ts";
import type { Control, Politeness, RunState } from "./http.ts";

export type FromCrawl =
  | {
      readonly type: "status";
      readonly state: Extract<RunState, "running" | "paused" | "stopping">;
      readonly status: CrawlStatus;
      readonly limits: Limits;
    }
  | { readonly type: "event"; readonly event: CrawlEvent }
  | {
      readonly type: "hosts";
      readonly question: number;
      /** One for each host that was asked for; null for one that the crawl does not know. */
      readonly hosts: readonly (Politeness | null)[];
    }
  /** What was wanted cannot be: said instead of a status. */
  | { readonly type: "refused"; readonly problem: string }
  /** The crawl has ended and the directory is closed; the dashboard may stay. */
  | { readonly type: "ended"; readonly reason: StopReason; readonly status: CrawlStatus };

export type ToCrawl =
  | { readonly type: "listening"; readonly url: string }
  | { readonly type: "failed"; readonly message: string; readonly isUsage: boolean }
  | { readonly type: "hosts"; readonly question: number; readonly names: readonly string[] }
  | { readonly type: "control"; readonly control: Control };
