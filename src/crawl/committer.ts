/**
 * Commits facts while there are new ones, and tells what is on disk by then: what is reported is never more than what was committed.
 */
import type { Timers } from "../base/index.ts";
import type { CrawlStore } from "../store/index.ts";
import type { CrawlRecord } from "./record.ts";
import { type CrawlStatus, statusOf } from "./status.ts";

export interface CommitterOptions {
  readonly store: CrawlStore;
  readonly record: CrawlRecord;
  readonly timers: Timers;
  readonly commitMs?: number | undefined;
  readonly onStatus?: ((status: CrawlStatus) => void) | undefined;
}

const COMMIT_MS = 1000;
/** So many times as long as a look at the certificate took passes until the next one. */
const LOOK_SHARE = 20;

export class Committer {
  /** What is on disk. */
  status: CrawlStatus;
  readonly #options: CommitterOptions;
  #startedMs = 0;
  #isDirty = false;
  /** When the certificate was last computed, and how long that took. */
  #lookedMs = Number.NEGATIVE_INFINITY;
  #lookMs = 0;
  #cancel: () => void = () => {};

  constructor(options: CommitterOptions) {
    this.#options = options;
    this.status = statusOf(options.record, 0);
  }

  /** Begins to commit now and then, each time in a turn of the crawl. */
  start(turn: (event: () => void) => void): void {
    const { record, timers } = this.#options;
    this.status = statusOf(record, 0);
    this.#startedMs = timers.nowMs();
    this.#isDirty = true;
    this.#commitLater(turn);
  }

  stop(): void {
    this.#cancel();
  }

  /** There is something to commit. */
  note(): void {
    this.#isDirty = true;
  }

  commit(): void {
    const { store, record, timers, onStatus } = this.#options;
    store.commit();
    this.#isDirty = false;
    this.#lookIfCheap();
    this.status = statusOf(record, timers.nowMs() - this.#startedMs);
    onStatus?.(this.status);
  }

  #commitLater(turn: (event: () => void) => void): void {
    const { timers, commitMs = COMMIT_MS } = this.#options;
    this.#cancel = timers.after(commitMs, () =>
      turn(() => {
        if (this.#isDirty) this.commit();
        this.#commitLater(turn);
      }),
    );
  }

  /** What is reported should not lag far behind what is certain; looking takes a twentieth of the time at most. */
  #lookIfCheap(): void {
    const { record, timers } = this.#options;
    const beforeMs = timers.nowMs();
    if (beforeMs - this.#lookedMs < LOOK_SHARE * this.#lookMs) return;
    record.watch.look();
    this.#lookedMs = timers.nowMs();
    this.#lookMs = this.#lookedMs - beforeMs;
  }
}
