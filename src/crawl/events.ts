/** What happens to hosts, to seeds and to the crawl itself, by name. What becomes of pages stands in the log. */
import type { RefusalReason } from "../coverage/index.ts";
import type { Limits } from "./settings/settings.ts";
import type { StopReason } from "./run-end.ts";

/** Something that happened to a host, to a seed or to the crawl itself. What became of pages is in the log. */
export type CrawlEvent =
  | HostEvent
  | SeedLost
  | SeedInTrouble
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
  | { readonly name: "host-given-up"; readonly atMs: number; readonly host: string; readonly reason: string };

/** A seed, or what it redirects to, was found dead or refused in this run. */
export interface SeedLost {
  readonly name: "seed-lost";
  readonly atMs: number;
  readonly url: string;
  readonly reason: RefusalReason | "dead";
  readonly detail: string | null;
  /** The trust that it holds. */
  readonly weight: number;
}

/** The first attempt at a seed, or at its robots.txt, has failed. Emitted once per origin, for at most ten origins. */
export interface SeedInTrouble {
  readonly name: "seed-in-trouble";
  readonly atMs: number;
  readonly url: string;
  /** As a verdict has it: the name of the failure, or "status-503". */
  readonly reason: string;
  /** It is the robots.txt before it that failed. */
  readonly isRobots: boolean;
  /** Until it is tried again. */
  readonly waitMs: number;
}
