/**
 * How many pages may be read in any 24 hours. The queue spends a budget evenly, but knows only what it has given
 * itself; here also counts what the log shows of earlier runs, so that a restart does not spend a budget twice.
 *
 * Reads are counted by the minute, each until a whole day after the end of its minute: rather too long than too short.
 */
import { SteadyTime } from "../../refresh/index.ts";

const MINUTE_MS = 60_000;
/** A day, and the minute that has begun. */
const MINUTES = 1441;

export class DayBudget {
  readonly #limit: number;
  readonly #time = new SteadyTime();
  /** Reads by minute, in a ring. */
  readonly #reads = new Float64Array(MINUTES);
  #minute: number;
  #sum = 0;

  constructor(limit: number, nowMs: number) {
    this.#limit = limit;
    this.#minute = minuteOf(this.#time.at(nowMs));
  }

  /** Reads of the last 24 hours. */
  spent(nowMs: number): number {
    this.#advance(nowMs);
    return this.#sum;
  }

  /** Counts a read of now, or of an earlier time. One that the clock puts into the future counts as one of now. */
  count(atMs: number, nowMs: number): void {
    this.#advance(nowMs);
    const minute = minuteOf(this.#time.past(atMs));
    if (minute <= this.#minute - MINUTES) return;
    this.#reads[minute % MINUTES]++;
    this.#sum++;
  }

  /** When the next read is allowed: now, or later. */
  readyMs(nowMs: number): number {
    this.#advance(nowMs);
    if (this.#sum < this.#limit) return nowMs;
    let left = this.#sum;
    for (let minute = this.#minute - MINUTES + 1; minute <= this.#minute; minute++) {
      left -= this.#reads[minute % MINUTES];
      if (left < this.#limit) return this.#time.clockAt((minute + MINUTES) * MINUTE_MS);
    }
    return Infinity;
  }

  #advance(nowMs: number): void {
    const minute = minuteOf(this.#time.at(nowMs));
    if (minute - this.#minute >= MINUTES) {
      this.#reads.fill(0);
      this.#sum = 0;
    }
    for (let each = Math.max(this.#minute + 1, minute - MINUTES + 1); each <= minute; each++) {
      this.#sum -= this.#reads[each % MINUTES];
      this.#reads[each % MINUTES] = 0;
    }
    this.#minute = minute;
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}
