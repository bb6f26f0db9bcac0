/**
 * A year of refreshing: how much importance does a policy keep fresh?
 *
 * Once a day, each policy reads as many pages as its budget allows; all meet the same changes and signals. A copy is
 * fresh from its read until the first change. At the start all copies are fresh. The measure is the share of importance
 * that is fresh, averaged over the days after a warm-up, in which policies learn.
 */
import { topPages } from "../../rank/index.ts";
import {
  belowUntil,
  doubtPerSignal,
  GainTable,
  learnPrior,
  planReads,
  type ReadLimits,
  ReadScheduler,
  type ReadValues,
  RefreshQueue,
  SILENT,
  type SignalQuality,
} from "../../refresh/index.ts";
import type { ChangingPages, ChangingWeb } from "./world.ts";

const DAY_MS = 86_400_000;

/** What chooses the pages, and is told what happens. */
export interface YearPolicy {
  /** The pages to read at the end of a day. */
  readonly choose: (day: number) => Iterable<number>;
  /** A page has signalled changes. */
  readonly signalled?: (page: number, signals: number, day: number) => void;
  /** A page was read and has changed, or not. */
  readonly found?: (page: number, isChanged: boolean, day: number) => void;
}

export interface Year {
  readonly web: ChangingWeb;
  readonly readsPerDay: number;
  /** Days that do not count. */
  readonly warmUp: number;
}

export interface YearResult {
  /** The share of importance that was fresh, averaged over the days that count. */
  readonly freshness: number;
  /** The same, for each day from the first on. */
  readonly byDay: Float64Array;
  /** Reads of each host, over all days. */
  readonly readsPerHost: Float64Array;
}

/** Runs a policy through the year. */
export function runYear({ web, warmUp }: Year, policy: YearPolicy): YearResult {
  const { importance, hosts } = web.pages;
  const count = importance.length;
  const isFresh = new Uint8Array(count).fill(1);
  const readsPerHost = new Float64Array(1 + hosts.reduce((most, host) => Math.max(most, host), 0));
  const total = importance.reduce((sum, each) => sum + each, 0);
  const byDay = new Float64Array(web.days);
  for (let day = 0; day < web.days; day++) {
    for (let page = 0; page < count; page++) {
      const until = web.firstChange[day * count + page];
      if (isFresh[page] === 1) byDay[day] += (importance[page] / total) * until;
      if (until < 1) isFresh[page] = 0;
      const signals = web.signals[day * count + page];
      if (signals > 0) policy.signalled?.(page, signals, day + 1);
    }
    for (const page of policy.choose(day + 1)) {
      policy.found?.(page, isFresh[page] === 0, day + 1);
      isFresh[page] = 1;
      readsPerHost[hosts[page]]++;
    }
  }
  const counted = byDay.subarray(warmUp);
  return { freshness: counted.reduce((sum, each) => sum + each, 0) / counted.length, byDay, readsPerHost };
}

/** Reads the pages of greatest key, by the days since their last reads. */
function greatest({ web, readsPerDay }: Year, keyOf: (page: number, since: number) => number): YearPolicy {
  const count = web.pages.rates.length;
  const lastRead = new Float64Array(count);
  const keys = new Float64Array(count);
  return {
    choose: (day) => {
      for (let page = 0; page < count; page++) keys[page] = keyOf(page, day - lastRead[page]);
      const reads = readsOn(day, readsPerDay);
      return reads === 0 ? [] : topPages(keys, reads);
    },
    found: (page, _, day) => void (lastRead[page] = day),
  };
}

/** Whole reads, as many in total as the budget says. */
function readsOn(day: number, readsPerDay: number): number {
  return Math.floor(day * readsPerDay) - Math.floor((day - 1) * readsPerDay);
}

/** All pages in turn. */
export function inTurn(year: Year): YearPolicy {
  return greatest(year, (_, since) => since);
}

/** Pages in proportion to their change rates. */
export function proportional(year: Year): YearPolicy {
  return greatest(year, (page, since) => year.web.pages.rates[page] * since);
}

/** How often the plan's prior is learnt anew, in days. */
const DAYS_PER_PRIOR = 25;

/** The plan of `tidemark refresh`, made anew each day: rates are learnt, and a signalled page counts as stale. */
export function planned(year: Year, { hearsSignals }: { readonly hearsSignals: boolean }): YearPolicy {
  const { importance } = year.web.pages;
  const seen = Array.from(importance, (weight) => ({
    importance: weight,
    changedAfterMs: [] as number[],
    unchangedMs: 0,
    ageMs: null,
    lastReadMs: 0,
    isSaidChanged: false,
  }));
  let prior = learnPrior(seen);
  return {
    choose: (day) => {
      if (day % DAYS_PER_PRIOR === 0) prior = learnPrior(seen);
      const budget = readsOn(day, year.readsPerDay);
      if (budget === 0) return [];
      return planReads(seen, { nowMs: day * DAY_MS, budget, prior }).map(({ page }) => page);
    },
    signalled: (page) => void (seen[page].isSaidChanged = hearsSignals),
    found: (page, isChanged, day) => {
      const known = seen[page];
      const sinceMs = day * DAY_MS - known.lastReadMs;
      if (isChanged) known.changedAfterMs.push(sinceMs);
      else known.unchangedMs += sinceMs;
      known.lastReadMs = day * DAY_MS;
      known.isSaidChanged = false;
    },
  };
}

export interface QueueOptions {
  readonly hearsSignals: boolean;
  readonly hostReadsPerDay?: number;
}

/** The refresh queue: rates and the quality of signals are learnt. */
export function queued(year: Year, { hearsSignals, hostReadsPerDay }: QueueOptions): YearPolicy {
  const { importance, hosts } = year.web.pages;
  const queue = new RefreshQueue({ startMs: 0, ...limitsOf(year, hostReadsPerDay) });
  const nothing = { lastReadMs: 0, changedAfterMs: [], unchangedMs: 0, ageMs: null };
  for (const [page, weight] of importance.entries()) {
    queue.set(page, { importance: weight, host: hosts[page], ...nothing }, 0);
  }
  return {
    choose: (day) => taken(() => queue.next(day * DAY_MS)),
    signalled: (page, signals, day) => {
      if (!hearsSignals) return;
      for (let k = 0; k < signals; k++) queue.signal(page, "sitemap", day * DAY_MS);
    },
    found: (page, isChanged, day) => queue.read(page, { isChanged }, day * DAY_MS),
  };
}

/** The scheduler with known rates and signals of known quality. */
export function informed(year: Year, { hearsSignals, hostReadsPerDay }: QueueOptions): YearPolicy {
  const { pages } = year.web;
  const values = new KnownValues(pages, hearsSignals);
  const scheduler = new ReadScheduler({ values, startMs: 0, ...limitsOf(year, hostReadsPerDay) });
  for (const [page, host] of pages.hosts.entries()) scheduler.update(page, host, 0);
  return {
    choose: (day) => taken(() => scheduler.take(day * DAY_MS)),
    signalled: (page, signals, day) => {
      values.signals[page] += signals;
      scheduler.update(page, pages.hosts[page], day * DAY_MS);
    },
    found: (page, _, day) => {
      values.signals[page] = 0;
      values.readMs[page] = day * DAY_MS;
      scheduler.update(page, pages.hosts[page], day * DAY_MS);
    },
  };
}

/** A day's reads are made together, so they must be kept, and the part of a read that is left from the day before. */
function limitsOf({ readsPerDay }: Year, hostReadsPerDay = Infinity): ReadLimits {
  return { readsPerDay, hostReadsPerDay, keptMs: 2 * DAY_MS };
}

function* taken(next: () => number): Generator<number> {
  for (let page = next(); page !== -1; page = next()) yield page;
}

/** What reads are worth by the truth. */
class KnownValues implements ReadValues {
  readonly readMs: Float64Array;
  readonly signals: Uint32Array;
  readonly #pages: ChangingPages;
  readonly #hearsSignals: boolean;
  readonly #tables = new Map<SignalQuality, GainTable>();

  constructor(pages: ChangingPages, hearsSignals: boolean) {
    this.#pages = pages;
    this.#hearsSignals = hearsSignals;
    this.readMs = new Float64Array(pages.rates.length);
    this.signals = new Uint32Array(pages.rates.length);
  }

  valueAt(page: number, atMs: number): number {
    return this.#value(page, atMs - this.readMs[page]);
  }

  belowUntilMs(page: number, value: number, fromMs: number): number {
    const readMs = this.readMs[page];
    return readMs + belowUntil((laterMs) => this.#value(page, laterMs), { target: value, sinceMs: fromMs - readMs });
  }

  #value(page: number, sinceMs: number): number {
    const { importance, rates } = this.#pages;
    const quality = this.#hearsSignals ? this.#pages.qualityOf(page) : SILENT;
    const heard = quality.recall > 0 ? this.signals[page] * doubtPerSignal(quality) : 0;
    const doubt = ((1 - quality.recall) * rates[page] * sinceMs) / DAY_MS + heard;
    return (importance[page] / rates[page]) * this.#tableOf(quality).at(doubt);
  }

  #tableOf(quality: SignalQuality): GainTable {
    let table = this.#tables.get(quality);
    if (table === undefined) this.#tables.set(quality, (table = new GainTable(quality)));
    return table;
  }
}
