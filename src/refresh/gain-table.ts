/**
 * The gain by the doubt (signalled-gain.ts) as a table, one per quality of signals: looking a gain up takes a few
 * nanoseconds, where the sums take microseconds.
 *
 * Doubts are spaced evenly in their logarithm. Between two of them the gain is interpolated linearly, so it grows with
 * the doubt everywhere. Shares are rounded to steps of 1/`STEPS`, so hosts share tables and there are
 * few of them. Where nearly all signals are false, doubt grows by many small steps, about as fast as without signals:
 * there the formula without signals holds, whose sum has no end.
 */
import { readingGain } from "./freshness.ts";
import { signalledGain, type SignalQuality } from "./signalled-gain.ts";

const SIZE = 256;
const LOG_LEAST = Math.log(1e-4);
const LOG_GREATEST = Math.log(20);
const PER_LOG = (SIZE - 1) / (LOG_GREATEST - LOG_LEAST);
const STEPS = 32;
/** From here on, signals are as good as none. */
const FALSE_MOST = 0.9;

/** Gains of a page of importance 1 and change rate 1 by its doubt. */
export class GainTable {
  readonly #gains: Float64Array;

  constructor(quality: SignalQuality) {
    const isPlain = quality.recall === 0 || quality.falseShare > FALSE_MOST;
    this.#gains = Float64Array.from({ length: SIZE }, (_, k) => {
      const doubt = Math.exp(LOG_LEAST + k / PER_LOG);
      return isPlain ? readingGain(1, 1, doubt) : signalledGain(doubt, quality);
    });
  }

  at(doubt: number): number {
    return this.atLog(Math.log(doubt));
  }

  /** The gain by the logarithm of the doubt. */
  atLog(logDoubt: number): number {
    const gains = this.#gains;
    const place = (logDoubt - LOG_LEAST) * PER_LOG;
    // Near 0 the gain grows like the square of the doubt.
    if (place < 0) return gains[0] * Math.exp(2 * (logDoubt - LOG_LEAST));
    if (!(place < SIZE - 1)) return 1;
    const k = Math.floor(place);
    return gains[k] + (place - k) * (gains[k + 1] - gains[k]);
  }
}

/** Tables for all qualities that occur. */
export class GainTables {
  readonly #tables = new Map<number, GainTable>();

  of({ recall, falseShare }: SignalQuality): GainTable {
    const recallStep = Math.min(STEPS - 1, Math.round(recall * STEPS));
    // A share of 0 would make one signal a certainty.
    const falseStep = Math.max(1, Math.round(falseShare * STEPS));
    const key = recallStep * (STEPS + 1) + falseStep;
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new GainTable({ recall: recallStep / STEPS, falseShare: falseStep / STEPS });
      this.#tables.set(key, table);
    }
    return table;
  }
}
