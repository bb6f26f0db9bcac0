/**
 * What is to be expected of one page, at any time after it was last read: whether our copy is current, and what a read
 * gains (signalled-gain.ts), averaged over the change rates that are likely for it.
 *
 * A rate r is as likely as it was at the last read, times what has happened since: n true signals are r^n times as
 * likely, and a time t without further ones exp(-r recall t). So a page whose host signals changes well, and that was
 * not signalled, becomes ever more likely to be a slow one.
 */
import type { GainTable } from "./gain-table.ts";
import { Lesson } from "./lesson.ts";
import { normalise, RATES, RATES_COUNT, typicalRate } from "./rate-grid.ts";
import type { HostSignals } from "./signal-learner.ts";

/** Rates less likely than this are left out, to save time. */
const NEGLIGIBLE = 1e-9;
/** What a new page gains is counted for a year. */
const HORIZON_MS = 365.25 * 86_400_000;
const LOG_RATES = RATES.map(Math.log);

/** What a read of a page of importance 1 gains. */
export interface ReadGain {
  /** Milliseconds in which the copy is current. */
  readonly fresh: number;
  /** What is learnt of the change rate, in the same milliseconds (lesson.ts). */
  readonly lesson: number;
}

export class PageOutlook {
  /** Logarithms of the probabilities at the last read, with the signals since; -Infinity for negligible ones. */
  readonly #logs = new Float64Array(RATES_COUNT);
  /** Probabilities at the time that was looked at last. */
  readonly #weights = new Float64Array(RATES_COUNT);
  readonly #current = new Float64Array(RATES_COUNT);
  readonly #lesson = new Lesson();
  #recall = 0;
  #doubt = 0;
  #table: GainTable;

  constructor(table: GainTable) {
    this.#table = table;
  }

  /** Takes up a page: how likely each rate was at its last read, and the signals since, by source. */
  load(weights: Float64Array, signals: ArrayLike<number>, host: HostSignals, table: GainTable): void {
    this.#table = table;
    this.#recall = host.recall;
    this.#doubt = 0;
    let changes = 0;
    for (let source = 0; source < host.doubts.length; source++) {
      this.#doubt += signals[source] * host.doubts[source];
      changes += signals[source] * host.changes[source];
    }
    for (let k = 0; k < RATES_COUNT; k++) {
      const isLikely = weights[k] > NEGLIGIBLE;
      this.#logs[k] = isLikely ? Math.log(weights[k]) + changes * LOG_RATES[k] : Number.NEGATIVE_INFINITY;
    }
  }

  /** How much the signals since the last read raise the doubt. */
  get signalDoubt(): number {
    return this.#doubt;
  }

  /** What a read gains by making the copy current, and by what it teaches, for importance 1. */
  gain(sinceMs: number, price: number): ReadGain {
    const weights = this.#weigh(sinceMs);
    const logUnsignalled = Math.log((1 - this.#recall) * sinceMs);
    let fresh = 0;
    for (let k = 0; k < weights.length; k++) {
      if (weights[k] < NEGLIGIBLE) continue;
      const doubt = this.#doubtAt(k, sinceMs);
      // Without signals, the logarithm need not be computed again.
      const logDoubt = this.#doubt === 0 ? logUnsignalled + LOG_RATES[k] : Math.log(doubt);
      fresh += (weights[k] * this.#table.atLog(logDoubt)) / RATES[k];
      this.#current[k] = Math.exp(-doubt);
    }
    const lesson = price > 0 ? this.#lesson.worth(weights, this.#current, price) : 0;
    return { fresh, lesson };
  }

  /** What the first read of a page gains. */
  newGain(): number {
    const weights = this.#weigh(0);
    let gain = 0;
    for (let k = 0; k < RATES_COUNT; k++) gain += weights[k] / (RATES[k] + 1 / HORIZON_MS);
    return gain;
  }

  /** The probability that the copy is current. */
  currentChance(sinceMs: number): number {
    const weights = this.#weigh(sinceMs);
    let chance = 0;
    for (let k = 0; k < RATES_COUNT; k++) chance += weights[k] * Math.exp(-this.#doubtAt(k, sinceMs));
    return chance;
  }

  /** The geometric mean of the rates, to show to people. */
  typicalRate(sinceMs: number): number {
    return typicalRate(this.#weigh(sinceMs));
  }

  #doubtAt(k: number, sinceMs: number): number {
    return (1 - this.#recall) * RATES[k] * sinceMs + this.#doubt;
  }

  #weigh(sinceMs: number): Float64Array {
    const logs = this.#logs;
    const weights = this.#weights;
    const rates = RATES;
    const watchedMs = this.#recall * sinceMs;
    let greatest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < logs.length; k++) greatest = Math.max(greatest, logs[k] - rates[k] * watchedMs);
    for (let k = 0; k < logs.length; k++) weights[k] = Math.exp(logs[k] - rates[k] * watchedMs - greatest);
    normalise(weights);
    return weights;
  }
}
