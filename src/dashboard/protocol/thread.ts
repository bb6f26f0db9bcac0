/**
 * Messages between a crawl and the dashboard that runs in a thread of the same process. There are only messages, so
 * that viewers cost the crawl next to nothing. The crawl sends its status once per second and events as they happen.
 * The dashboard asks for the status of the few hosts that somebody is viewing, and forwards what the user wants.
 */
import type { CrawlEvent, CrawlStatus, HostStatus, Limits, StopReason } from "../../crawl/index.ts";
import type { Control } from "./http.ts";

export type FromCrawl =
  | {
      readonly type: "status";
      readonly state: "running" | "paused" | "stopping";
      readonly status: CrawlStatus;
      readonly limits: Limits;
    }
  | { readonly type: "event"; readonly event: CrawlEvent }
  | {
      readonly type: "hosts";
      readonly question: number;
      /** One per requested host; null if the crawl does not know it. */
      readonly hosts: readonly (HostStatus | null)[];
    }
  /** The control is impossible: sent instead of a status. */
  | { readonly type: "refused"; readonly problem: string }
  /** The crawl has ended and its directory is closed. The dashboard may stay. */
  | { readonly type: "ended"; readonly reason: StopReason; readonly status: CrawlStatus };

export type ToCrawl =
  | { readonly type: "hosts"; readonly question: number; readonly names: readonly string[] }
  | { readonly type: "control"; readonly control: Control };

/** The server's end of the channel. */
export interface CrawlPort {
  send(message: ToCrawl): void;
  onMessage(listener: (message: FromCrawl) => void): void;
}

/** What the server thread starts with. */
export interface ThreadOptions {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

export type ToThread = FromCrawl | { readonly type: "close" };

export type FromThread =
  | ToCrawl
  | { readonly type: "listening"; readonly url: string }
  | { readonly type: "failed"; readonly message: string; readonly isUsage: boolean }
  | { readonly type: "error"; readonly message: string };
