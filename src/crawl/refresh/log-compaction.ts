/**
 * Deletes visits that count no more, beyond those that are kept, and condenses what stays of reads for ever: a little
 * at a time, so that whoever refreshes a crawl for months can do it between two rounds. Each step is a transaction of
 * its own; a kill between or inside of two steps leaves a whole log, and the next compaction goes on.
 */
import type { CrawlStore, KeptVisits } from "../../store/index.ts";

/** Reads of the last day count towards its budget; twice that, since a clock may be set back. */
const UNCONDENSED_MS = 2 * 86_400_000;

export class LogCompaction {
  readonly #store: CrawlStore;
  readonly #deletable: Iterator<readonly number[]>;
  readonly #condensed: Iterator<number>;
  #deleted = 0;
  #condensedReads = 0;

  /** One pass over the log of an open store. `nowMs`: Unix time in milliseconds. */
  constructor(store: CrawlStore, kept: KeptVisits, nowMs: number) {
    this.#store = store;
    this.#deletable = store.deletableVisits(kept)[Symbol.iterator]();
    // Views since then say of reads what they said before.
    const sinceMs = "sinceMs" in kept ? kept.sinceMs : nowMs;
    this.#condensed = store.condenseReads(Math.min(sinceMs, nowMs - UNCONDENSED_MS))[Symbol.iterator]();
  }

  /** Visits deleted so far. */
  get deleted(): number {
    return this.#deleted;
  }

  /** Rows freed so far that told of reads and of deleted visits. */
  get condensed(): number {
    return this.#condensedReads;
  }

  /** Looks at a few hundred rows, deletes or condenses some of them, and commits. False once all were looked at. */
  step(): boolean {
    const visits = this.#deletable.next();
    if (visits.done !== true) {
      if (visits.value.length === 0) return true;
      this.#store.deleteVisits(visits.value);
      this.#store.commit();
      this.#deleted += visits.value.length;
      return true;
    }
    const rows = this.#condensed.next();
    if (rows.done === true) return false;
    if (rows.value > 0) this.#store.commit();
    this.#condensedReads += rows.value;
    return true;
  }
}
