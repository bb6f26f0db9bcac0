/**
 * The best that any policy can do on average over a long time, with known change rates and signals of known quality:
 * the importance-weighted share of time in which copies are current, at most so many reads per day, and at most so many
 * of each host.
 *
 * It is best to read a page whenever its doubt reaches a limit (refresh/signalled-gain.ts), and the best limits are
 * those at which one more read gains the same on all pages: the Lagrange multiplier of the budget, found by bisection.
 * A host that would be read more often than it may has a multiplier of its own, at which its reads meet its limit
 * (Kolobov and others, SIGIR 2019). Reads by random times and whole reads cannot do better than these averages, but a
 * short time can by luck.
 *
 * The gain of a page of importance 1 and rate 1 is tabulated with its cycle, finely enough for six digits.
 */
import { readCycle, signalledGain, type SignalQuality } from "../../refresh/index.ts";
import type { ChangingPages } from "./world.ts";

export interface Optimum {
  /** Share of importance that is current. */
  readonly freshness: number;
  /** Reads of each page per day. */
  readonly reads: Float64Array;
  /** What one more read per day would gain. */
  readonly level: number;
}

export interface OptimumLimits {
  readonly readsPerDay: number;
  readonly hostReadsPerDay?: number;
}

const POINTS = 6000;
const LEAST_DOUBT = 1e-6;
const GREATEST_DOUBT = 30;
/** How close the bisection comes. */
const GAP = 1e-10;

export function optimum(pages: ChangingPages, { readsPerDay, hostReadsPerDay = Infinity }: OptimumLimits): Optimum {
  const plan = new PlanAtLevels(pages);
  const hosts = plan.byHost;
  const spentAt = (level: number): number =>
    hosts.reduce((sum, each) => sum + Math.min(hostReadsPerDay, plan.readsAt(each, level)), 0);
  const level = levelOf(spentAt, readsPerDay, plan.greatestGain);
  const reads = new Float64Array(pages.rates.length);
  let fresh = 0;
  for (const each of hosts) {
    const own = plan.readsAt(each, level) <= hostReadsPerDay;
    const hostLevel = own ? level : levelOf((at) => plan.readsAt(each, at), hostReadsPerDay, plan.greatestGain);
    for (const page of each) {
      const { time, currentTime } = plan.cycleAt(page, hostLevel);
      reads[page] = pages.rates[page] / time;
      fresh += time === Infinity ? 0 : (pages.importance[page] * currentTime) / time;
    }
  }
  const total = pages.importance.reduce((sum, each) => sum + each, 0);
  return { freshness: fresh / total, reads, level };
}

/** The level at which this much is spent, by bisection on its logarithm; the lowest if it never is. */
function levelOf(spentAt: (level: number) => number, budget: number, greatest: number): number {
  let high = greatest;
  let low = greatest * 1e-15;
  if (spentAt(low) <= budget) return low;
  while (high > low * (1 + GAP)) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    if (spentAt(middle) > budget) low = middle;
    else high = middle;
  }
  return high;
}

/** How pages are read when each is read as soon as its gain reaches a level. */
class PlanAtLevels {
  readonly #pages: ChangingPages;
  readonly #tables: readonly CycleTable[];
  readonly byHost: readonly (readonly number[])[];
  readonly greatestGain: number;

  constructor(pages: ChangingPages) {
    this.#pages = pages;
    const tables = new Map<SignalQuality, CycleTable>();
    const byHost = new Map<number, number[]>();
    let greatestGain = 0;
    this.#tables = Array.from(pages.rates, (rate, page) => {
      byHost.set(pages.hosts[page], [...(byHost.get(pages.hosts[page]) ?? []), page]);
      greatestGain = Math.max(greatestGain, pages.importance[page] / rate);
      const quality = pages.qualityOf(page);
      const table = tables.get(quality) ?? new CycleTable(quality);
      tables.set(quality, table);
      return table;
    });
    this.byHost = [...byHost.values()];
    this.greatestGain = greatestGain;
  }

  cycleAt(page: number, level: number): { readonly time: number; readonly currentTime: number } {
    const { importance, rates } = this.#pages;
    return this.#tables[page].at((level * rates[page]) / importance[page]);
  }

  readsAt(pages: readonly number[], level: number): number {
    let reads = 0;
    for (const page of pages) reads += this.#pages.rates[page] / this.cycleAt(page, level).time;
    return reads;
  }
}

/** Cycles of a page of importance 1 and rate 1 by the gain at which it is read. */
class CycleTable {
  readonly #gains = new Float64Array(POINTS);
  readonly #times = new Float64Array(POINTS);
  readonly #currentTimes = new Float64Array(POINTS);

  constructor(quality: SignalQuality) {
    for (let k = 0; k < POINTS; k++) {
      const doubt = LEAST_DOUBT * (GREATEST_DOUBT / LEAST_DOUBT) ** (k / (POINTS - 1));
      const { time, currentTime } = readCycle(doubt, quality);
      this.#gains[k] = signalledGain(doubt, quality);
      this.#times[k] = time;
      this.#currentTimes[k] = currentTime;
    }
  }

  at(gain: number): { readonly time: number; readonly currentTime: number } {
    if (!(gain < this.#gains[POINTS - 1])) return { time: Infinity, currentTime: 1 };
    let low = 0;
    let high = POINTS - 1;
    while (high > low + 1) {
      const middle = (low + high) >> 1;
      if (this.#gains[middle] <= gain) low = middle;
      else high = middle;
    }
    const rise = this.#gains[high] - this.#gains[low];
    const share = rise > 0 ? Math.max(0, (gain - this.#gains[low]) / rise) : 0;
    const between = (values: Float64Array): number => values[low] + share * (values[high] - values[low]);
    return { time: between(this.#times), currentTime: between(this.#currentTimes) };
  }
}
