/** What happens to hosts, to seeds and to the crawl itself, by name. What becomes of pages stands in the log. */
import type { SeedLoss } from "./seed-trust.ts";
import type { Limits } from "./settings.ts";
import type { StopReason } from "./status.ts";

export type CrawlEvent =
  | HostEvent
  | SeedEvent
  | { readonly name: "paused" | "resumed"; readonly atMs: number }
  | { readonly name: "limits-changed"; readonly atMs: number; readonly limits: Limits }
  | { readonly name: "stopping"; readonly atMs: number; readonly reason: StopReason };

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
  | { readonly name: "host-given-up"; readonly atMs: number; readonly host: string; readonly reason: string };

type SeedEvent =
  | {
      readonly name: "seed-lost";
      readonly atMs: number;
      readonly url: string;
      readonly reason: SeedLoss["reason"];
      readonly detail: string | null;
      /** The trust that it holds. */
      readonly weight: number;
    }
  | {
      readonly name: "seed-in-trouble";
      readonly atMs: number;
      readonly url: string;
      readonly reason: string;
      /** It is the robots.txt before it that failed. */
      readonly isRobots: boolean;
      /** Until it is tried again. */
      readonly waitMs: number;
    };
