/**
 * What reads have shown of the changes of pages, in 20 bytes per page however often it was read.
 *
 * The likelihood of a change rate r is a product of three kinds of factors (change-rate.ts): exp(-r t) for times in
 * which a page is known not to have changed, r for each change whose time is known, and 1 - exp(-r t) for each read
 * that found the page changed after a time t. The first two are a sum and a count. The third is a count per length of
 * time, in powers of 2 from 3 hours to 512 days: another time counts as the nearest of them. Such a time is wrong by a
 * factor of at most 1.4, while rates are known to a factor of 2 at best.
 *
 * A page may change its habits. Once `READS_KEPT` reads have found changes, all that is known of the page counts half:
 * so old reads are forgotten, and no count overflows.
 */
import { assert, capacityFor, enlarged } from "../base/index.ts";
import type { Observations, PastChange } from "./change-rate.ts";
import { normalise, RATES, RATES_COUNT, SLOWEST } from "./rate-grid.ts";

const SHORTEST_MS = 3 * 3_600_000;
const LENGTHS = 12;
const READS_KEPT = 64;

/** log(1 - exp(-r t)) for each length of time and each rate. */
const LOG_CHANGED = Array.from({ length: LENGTHS }, (_, length) =>
  RATES.map((rate) => Math.log(-Math.expm1(-rate * SHORTEST_MS * 2 ** length))),
);
/** Relative to the slowest rate, since common factors do not matter. */
const LOG_RATES = RATES.map((rate) => Math.log(rate / SLOWEST));

export class ChangeEvidence {
  /** Milliseconds in which a page is known not to have changed. */
  #quietMs = new Float32Array(64);
  /** Changes whose times are known; expected numbers, so not whole. */
  #dated = new Float32Array(64);
  /** For each page, reads that found it changed, per length of the time before. */
  #changed = new Uint8Array(64 * LENGTHS);

  /** Makes room for pages below `capacity`. */
  grow(capacity: number): void {
    if (capacity <= this.#quietMs.length) return;
    const larger = capacityFor(capacity, this.#quietMs.length);
    this.#quietMs = enlarged(this.#quietMs, larger);
    this.#dated = enlarged(this.#dated, larger);
    this.#changed = enlarged(this.#changed, larger * LENGTHS);
  }

  /** The page did not change for so long. */
  addQuiet(page: number, ms: number): void {
    this.#quietMs[page] += ms;
  }

  /** The page changed so many times, at times that are known. */
  addDated(page: number, changes: number): void {
    this.#dated[page] += changes;
    if (this.#dated[page] > READS_KEPT) this.#halve(page);
  }

  /** The page changed so long before a read, and not since. */
  addDate(page: number, ageMs: number): void {
    this.addDated(page, 1);
    this.addQuiet(page, ageMs);
  }

  /** A read found it changed, at least once in so much time. */
  addChanged(page: number, afterMs: number): void {
    const first = page * LENGTHS;
    const slot = first + lengthOf(afterMs);
    this.#changed[slot]++;
    let reads = 0;
    for (let k = first; k < first + LENGTHS; k++) reads += this.#changed[k];
    if (reads > READS_KEPT) this.#halve(page);
  }

  /** Replaces what is known of a page: `changes` in their order, before all others. */
  set(page: number, { changedAfterMs, unchangedMs, ageMs }: Observations, changes: readonly PastChange[] = []): void {
    this.clear(page);
    if (ageMs !== null) this.addDate(page, ageMs);
    for (const change of changes) {
      this.addQuiet(page, change.quietMs);
      if (change.ageMs === null) this.addChanged(page, change.afterMs);
      else this.addDate(page, change.ageMs);
    }
    for (const afterMs of changedAfterMs) this.addChanged(page, afterMs);
    this.addQuiet(page, unchangedMs);
  }

  clear(page: number): void {
    this.#quietMs[page] = 0;
    this.#dated[page] = 0;
    this.#changed.fill(0, page * LENGTHS, (page + 1) * LENGTHS);
  }

  /** Whether anything is known. */
  has(page: number): boolean {
    if (this.#quietMs[page] > 0 || this.#dated[page] > 0) return true;
    for (let k = page * LENGTHS; k < (page + 1) * LENGTHS; k++) if (this.#changed[k] > 0) return true;
    return false;
  }

  /** Writes how likely each rate is for a page. */
  posterior(page: number, prior: Float64Array, weights: Float64Array): void {
    assert(weights.length === RATES_COUNT, "there is one weight per rate");
    const quietMs = this.#quietMs[page];
    const dated = this.#dated[page];
    for (let k = 0; k < RATES_COUNT; k++) weights[k] = dated * LOG_RATES[k] - RATES[k] * quietMs;
    for (let length = 0; length < LENGTHS; length++) {
      const count = this.#changed[page * LENGTHS + length];
      if (count > 0) for (let k = 0; k < RATES_COUNT; k++) weights[k] += count * LOG_CHANGED[length][k];
    }
    let greatest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < RATES_COUNT; k++) if (prior[k] > 0 && weights[k] > greatest) greatest = weights[k];
    for (let k = 0; k < RATES_COUNT; k++) weights[k] = prior[k] * Math.exp(weights[k] - greatest);
    normalise(weights);
  }

  #halve(page: number): void {
    this.#quietMs[page] /= 2;
    this.#dated[page] /= 2;
    for (let k = page * LENGTHS; k < (page + 1) * LENGTHS; k++) this.#changed[k] >>= 1;
  }
}

function lengthOf(ms: number): number {
  const length = Math.round(Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS));
  return Math.min(length, LENGTHS - 1);
}
