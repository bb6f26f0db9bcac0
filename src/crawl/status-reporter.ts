/** What is on disk, for people: the status after each commit, with the certificate as fresh as is cheap. */
import type { Timers } from "../base/index.ts";
import type { CrawlModel } from "./model.ts";
import { type CrawlStatus, statusOf } from "./status.ts";

/** A look at the certificate takes at most this share of the time. */
const LOOK_SHARE = 1 / 20;

export class StatusReporter {
  /** What is on disk. */
  status: CrawlStatus;
  readonly #model: CrawlModel;
  readonly #timers: Timers;
  readonly #onStatus: ((status: CrawlStatus) => void) | undefined;
  #startedMs = 0;
  /** When the certificate was last computed, and how long that took. */
  #lookedMs = Number.NEGATIVE_INFINITY;
  #lookMs = 0;

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
    this.#lookIfCheap();
    this.status = statusOf(this.#model, this.#timers.nowMs() - this.#startedMs);
    this.#onStatus?.(this.status);
  }

  /** What is reported should not lag far behind what is certain. */
  #lookIfCheap(): void {
    const beforeMs = this.#timers.nowMs();
    if (beforeMs - this.#lookedMs < this.#lookMs / LOOK_SHARE) return;
    this.#model.watch.look();
    this.#lookedMs = this.#timers.nowMs();
    this.#lookMs = this.#lookedMs - beforeMs;
  }
}
