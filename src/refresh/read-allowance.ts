/**
 * Limits of reads per day: token buckets, one for the whole crawl and one per host.
 *
 * A limit of n reads per day allows one read every 1/n of a day. What is not used is kept for `keptMs`, so that a
 * budget is not lost to a slow hour: in any time T, at most n (T + keptMs) reads are made, and at least one may be.
 */
import { capacityFor, enlarged } from "../base/index.ts";

const DAY_MS = 86_400_000;
/** What rounding may take away from a whole read. */
const ROUNDING = 1e-9;

/** Buckets by number. Times never go back. */
export class ReadAllowances {
  readonly #keptMs: number;
  /** Reads per day; Infinity without a limit. */
  #perDay = new Float64Array(1);
  #left = new Float64Array(1);
  #countedMs = new Float64Array(1);

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Makes room for buckets below `capacity`. */
  grow(capacity: number): void {
    if (capacity <= this.#perDay.length) return;
    const larger = capacityFor(capacity, this.#perDay.length);
    this.#perDay = enlarged(this.#perDay, larger);
    this.#left = enlarged(this.#left, larger);
    this.#countedMs = enlarged(this.#countedMs, larger);
  }

  /** Sets a limit. A first limit allows one read at once; a changed limit keeps what is left. */
  setLimit(bucket: number, perDay: number, atMs: number): void {
    const isNew = this.#perDay[bucket] === 0 || this.#perDay[bucket] === Infinity;
    if (!isNew) this.#count(bucket, atMs);
    this.#perDay[bucket] = perDay;
    this.#left[bucket] = isNew ? 1 : Math.min(this.#left[bucket], this.#most(bucket));
    this.#countedMs[bucket] = atMs;
  }

  /** When the next read is allowed. */
  readyMs(bucket: number, atMs: number): number {
    if (this.#perDay[bucket] === Infinity) return atMs;
    this.#count(bucket, atMs);
    const missing = 1 - this.#left[bucket];
    return missing <= ROUNDING ? atMs : atMs + (missing / this.#perDay[bucket]) * DAY_MS;
  }

  /** Takes a read, or a part of it; a negative part gives it back. */
  spend(bucket: number, reads: number, atMs: number): void {
    if (this.#perDay[bucket] === Infinity) return;
    // What a full bucket could not take is lost, also up to now.
    this.#count(bucket, atMs);
    this.#left[bucket] = Math.min(this.#left[bucket] - reads, this.#most(bucket));
  }

  #count(bucket: number, atMs: number): void {
    const passedMs = atMs - this.#countedMs[bucket];
    if (passedMs <= 0) return;
    const earned = (passedMs / DAY_MS) * this.#perDay[bucket];
    this.#left[bucket] = Math.min(this.#left[bucket] + earned, this.#most(bucket));
    this.#countedMs[bucket] = atMs;
  }

  #most(bucket: number): number {
    return Math.max(1, (this.#keptMs / DAY_MS) * this.#perDay[bucket]);
  }
}
