/**
 * Deletes visits that count no more, beyond those that are kept: a little at a time, so that whoever refreshes a crawl
 * for months can do it between two rounds. Each step is a transaction of its own; a kill between or inside of two steps
 * leaves a whole log, and the next compaction goes on.
 */
import type { CrawlStore, KeptVisits } from "../../store/index.ts";

export class LogCompaction {
  readonly #store: CrawlStore;
  readonly #pieces: Iterator<readonly number[]>;
  #deleted = 0;

  /** One pass over the log of an open store. */
  constructor(store: CrawlStore, kept: KeptVisits) {
    this.#store = store;
    this.#pieces = store.deletableVisits(kept)[Symbol.iterator]();
  }

  /** Visits deleted so far. */
  get deleted(): number {
    return this.#deleted;
  }

  /** Looks at a few hundred visits, deletes those that are not kept, and commits. False once all were looked at. */
  step(): boolean {
    const { done = false, value } = this.#pieces.next();
    if (done) return false;
    if (value.length > 0) {
      this.#store.deleteVisits(value);
      this.#store.commit();
      this.#deleted += value.length;
    }
    return true;
  }
}
