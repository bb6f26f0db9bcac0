/** What a crawl reports about itself while it runs and when it ends. */
import type { Timers } from "../base/index.ts";
import { pagesHolding } from "../coverage/index.ts";
import type { LoginWall, Tally } from "../log/index.ts";
import { shareNeeded } from "./forecast.ts";
import type { CrawlModel } from "./model.ts";
import type { SampledClaim } from "./sampling/looks-of-log.ts";

/** What a crawl has done so far. */
export interface CrawlStatus {
  /** Pages downloaded and stored, all runs together. */
  readonly pages: number;
  readonly dead: number;
  readonly redirects: number;
  /** URLs that were refused, for whatever reason. */
  readonly refused: number;
  /** URLs that were requested without success: dead, or failed for good. */
  readonly failed: number;
  /** Attempts that failed and were or will be repeated. */
  readonly retries: number;
  /** Bytes of bodies over the wire. */
  readonly bytes: number;
  /** URLs known, and those without a final outcome. */
  readonly known: number;
  readonly frontier: number;
  readonly hosts: number;
  /** Certified coverage of the universe: a lower bound that may lag behind. */
  readonly coverage: number;
  /** The same if everything counts, what is forbidden or dead as the worst. */
  readonly strict: number;
  /** Certified coverage of value; left out unless pages have values. */
  readonly valued?: number;
  /** The most coverage that can still be reached. */
  readonly ceiling: number;
  /** What sampling shows, with its confidence; left out before the first walk. */
  readonly sampled?: SampledClaim;
  /** A login page that answers instead of the pages; left out where there is none. */
  readonly loginWall?: LoginWall;
  /** What the order itself guarantees, never more than `coverage`; null if the order has no bound. */
  readonly guaranteed: number | null;
  /** Since this run began. */
  readonly elapsedMs: number;
  /** The fewest pages of the frontier that hold what the target still needs, at the last check of the certificate. */
  readonly pagesNeeded?: number;
}

/** The part of a status that is counted. */
export function countsOf({ downloaded, outcomes, failed, bytes }: Tally) {
  return {
    pages: downloaded,
    dead: outcomes.dead,
    redirects: outcomes.redirected,
    refused: outcomes.refused,
    failed: outcomes.dead + failed,
    retries: outcomes["try-again"],
    bytes,
  };
}

export function statusOf(model: CrawlModel, elapsedMs: number): CrawlStatus {
  const { tally, index, hosts, order, watch, sampler } = model;
  const loginWall = model.logins.wall;
  const guaranteed = order.guaranteed();
  const sampled = sampler?.claim;
  return {
    ...countsOf(tally),
    known: index.size,
    frontier: index.open,
    hosts: hosts.size,
    coverage: Math.max(watch.certified, guaranteed ?? 0),
    strict: Math.max(watch.strict, guaranteed ?? 0),
    ...(watch.valuedCoverage === undefined ? {} : { valued: watch.valuedCoverage }),
    ceiling: watch.ceiling.coverage,
    ...(sampled === undefined || sampled.walks === 0 ? {} : { sampled }),
    ...(loginWall === undefined ? {} : { loginWall }),
    guaranteed,
    elapsedMs,
  };
}

/** Checking the certificate takes at most this share of the time. */
const CHECK_SHARE = 1 / 20;

/** What is on disk, for people: the status after each commit, with the certificate as fresh as is cheap. */
export class StatusReporter {
  /** What is on disk. */
  status: CrawlStatus;
  readonly #model: CrawlModel;
  readonly #timers: Timers;
  readonly #onStatus: ((status: CrawlStatus) => void) | undefined;
  #startedMs = 0;
  /** When the certificate was last computed, and how long that took. */
  #checkedMs = Number.NEGATIVE_INFINITY;
  #checkMs = 0;
  #pagesNeeded: { readonly pagesNeeded?: number } = {};

  constructor(model: CrawlModel, timers: Timers, onStatus?: (status: CrawlStatus) => void) {
    this.#model = model;
    this.#timers = timers;
    this.#onStatus = onStatus;
    this.status = statusOf(model, 0);
  }

  started(): void {
    this.status = statusOf(this.#model, 0);
    this.#startedMs = this.#timers.nowMs();
  }

  committed(): void {
    this.#checkIfCheap();
    this.status = { ...statusOf(this.#model, this.#timers.nowMs() - this.#startedMs), ...this.#pagesNeeded };
    this.#onStatus?.(this.status);
  }

  /** What is reported should not lag far behind what is certain. */
  #checkIfCheap(): void {
    const beforeMs = this.#timers.nowMs();
    if (beforeMs - this.#checkedMs < this.#checkMs / CHECK_SHARE) return;
    const { watch } = this.#model;
    watch.check();
    const { pages, state } = watch;
    const masses = { pages, state, arrived: (url: number) => this.#model.arrived(url) };
    const share = shareNeeded(watch.goal, watch.certified, watch.ceiling.coverage);
    this.#pagesNeeded = watch.goal < 1 ? { pagesNeeded: Math.ceil(pagesHolding(masses, share)) } : {};
    this.#checkedMs = this.#timers.nowMs();
    this.#checkMs = this.#checkedMs - beforeMs;
  }
}
