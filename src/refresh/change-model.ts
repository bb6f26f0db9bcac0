/**
 * What is known of pages and their changes, and what reading them is worth.
 *
 * The value of a read is the gain of signalled-gain.ts, averaged over the change rates that are likely for the page: by
 * what its reads showed (change-evidence.ts), by how often other pages of its host change (host-priors.ts), and by the
 * signals since it was last read, or their absence. Let p be the probability of a rate r, D the doubt with it, and G(D)
 * the gain of a page of importance 1 and rate 1. Then one more read gains
 *
 *     value = importance  sum of p G(D) / r
 *
 * (docs/refresh.md), to which is added what the read teaches (lesson.ts). Without signals and with one certain rate,
 * this is `readingGain`. A page that was never read is certainly not current, so G = 1; what it gains is
 * counted for a year, since else one that never changes would be worth any price.
 *
 * Memory: 46 bytes per page with one source of signals. Cost of a value: the grid of 36 rates, about five
 * microseconds.
 */
import { assert, capacityFor, enlarged } from "../base/index.ts";
import { ChangeEvidence } from "./change-evidence.ts";
import type { Observations, PastChange } from "./change-rate.ts";
import { GainTables } from "./gain-table.ts";
import { HostPriors, learnHostPriors } from "./host-priors.ts";
import { ModifiedTrust } from "./modified-trust.ts";
import { PageOutlook } from "./page-outlook.ts";
import { RATES_COUNT } from "./rate-grid.ts";
import type { ReadValues } from "./read-scheduler.ts";
import { SignalLearner } from "./signal-learner.ts";
import { SILENT, type SignalQuality } from "./signalled-gain.ts";
import { belowUntil } from "./value-growth.ts";

const SIGNALS_MOST = 255;

/** A page as it is known at the start. */
export interface PageHistory extends Observations {
  readonly host: number;
  readonly importance: number;
  /** When its content was last seen, Unix time in milliseconds; null if never. */
  readonly lastReadMs: number | null;
  /** Reads that found it changed, in their order, besides those of `changedAfterMs` (default: none). */
  readonly changes?: readonly PastChange[];
  /** When the content of now was first seen (default: when it was last seen). */
  readonly sinceMs?: number;
  /** Its date is later than that, so it is wrong, and `dates` know of it (default: false). */
  readonly isMisdated?: boolean;
}

/** What a read found. */
export interface FoundRead {
  readonly atMs: number;
  readonly isChanged: boolean;
  /** When the page was last modified according to its response (see `ageOf` for what is credible); null if unknown. */
  readonly modifiedMs?: number | null;
}

/** Why a page is worth what it is: the terms of its value. */
export interface ValueTerms {
  readonly importance: number;
  /** Estimated changes per millisecond. */
  readonly changeRate: number;
  /** Since its content was last seen; null if never. */
  readonly sinceReadMs: number | null;
  /** Signals since, by source. */
  readonly signals: readonly number[];
  /** The quality of the signals of its host, by source. */
  readonly quality: readonly SignalQuality[];
  /** The probability that our copy is not current. */
  readonly staleChance: number;
  /** Importance times milliseconds that a read gains: what pages compete with. */
  readonly value: number;
}

export interface ChangeModelOptions {
  /** What is known of the dates of each host (default: nothing). */
  readonly dates?: ModifiedTrust;
  /** How many sources of signals there are (default: 0). */
  readonly sources?: number;
}

export class ChangeModel implements ReadValues {
  readonly #sources: number;
  readonly #evidence = new ChangeEvidence();
  readonly #learner: SignalLearner;
  readonly #dates: ModifiedTrust;
  readonly #tables = new GainTables();
  readonly #outlook = new PageOutlook(this.#tables.of(SILENT));
  /** The page whose outlook is loaded. */
  #loaded = -1;
  readonly #weights = new Float64Array(RATES_COUNT);
  #priors = new HostPriors();
  #price = 0;
  #count = 0;
  #importance = new Float32Array(64);
  #hosts = new Uint32Array(64);
  /** When the content of a page was last seen; NaN if never. */
  #readMs = new Float64Array(64);
  /** When its content of now was first seen. */
  #sinceMs = new Float64Array(64);
  /** Whether its date is later than that. */
  #isMisdated = new Uint8Array(64);
  /** Signals since the last read, by page and source. */
  #signals: Uint8Array;

  constructor({ sources = 0, dates = new ModifiedTrust() }: ChangeModelOptions = {}) {
    this.#sources = sources;
    this.#dates = dates;
    this.#learner = new SignalLearner(sources);
    this.#signals = new Uint8Array(64 * sources);
  }

  /** Pages have numbers below this. */
  get count(): number {
    return this.#count;
  }

  /** Sets what one more read must gain: the less reads cost, the more there is to learn from them. */
  set price(price: number) {
    this.#price = price;
  }

  hostOf(page: number): number {
    return this.#hosts[page];
  }

  importanceOf(page: number): number {
    return this.#importance[page];
  }

  /** When its content was last seen; null if never. */
  lastReadMs(page: number): number | null {
    return Number.isNaN(this.#readMs[page]) ? null : this.#readMs[page];
  }

  /** Sets all that is known of a page: when it is discovered, or from a log. */
  set(page: number, known: PageHistory): void {
    assert(known.importance >= 0 && known.importance < Infinity, "importance is a number");
    this.#grow(page + 1);
    this.#loaded = -1;
    this.#importance[page] = known.importance;
    this.#hosts[page] = known.host;
    this.#readMs[page] = known.lastReadMs ?? Number.NaN;
    this.#sinceMs[page] = known.sinceMs ?? this.#readMs[page];
    this.#isMisdated[page] = Number(known.isMisdated === true);
    this.#signalsOf(page).fill(0);
    this.#evidence.set(page, known, known.changes);
  }

  setImportance(page: number, importance: number): void {
    this.#importance[page] = importance;
  }

  /** A source says that a page has changed. */
  signal(page: number, source: number): void {
    assert(source < this.#sources, "the source of the signal is known");
    this.#loaded = -1;
    this.#learner.heard(this.#hosts[page], source);
    const signals = this.#signalsOf(page);
    if (signals[source] < SIGNALS_MOST) signals[source]++;
  }

  /** Learns from a read. One that failed shows nothing and is not told here. */
  read(page: number, { atMs, isChanged, modifiedMs = null }: FoundRead): void {
    const lastMs = this.#readMs[page];
    // The first read shows no change, but the page may say when it was last modified.
    if (Number.isNaN(lastMs)) this.#addDate(page, modifiedMs, { afterMs: Number.NEGATIVE_INFINITY, atMs });
    else if (atMs > lastMs) this.#learn(page, { atMs, isChanged, modifiedMs });
    this.#loaded = -1;
    this.#readMs[page] = atMs;
    if (isChanged || Number.isNaN(lastMs)) {
      this.#sinceMs[page] = atMs;
      this.#isMisdated[page] = 0;
    }
    this.#signalsOf(page).fill(0);
  }

  /** Learns anew how often the pages of each host change; takes a while for many pages, and is worth it once a day. */
  learnPriors(): void {
    const watched = Array.from({ length: this.#count }, (_, page) => page).filter((page) => this.#evidence.has(page));
    this.#priors = learnHostPriors({
      count: watched.length,
      hostOf: (k) => this.#hosts[watched[k]],
      posteriorOf: (k, prior, posterior) => this.#evidence.posterior(watched[k], prior, posterior),
    });
    this.#loaded = -1;
  }

  /** The probability that our copy of a page is current. */
  currentChance(page: number, atMs: number): number {
    if (Number.isNaN(this.#readMs[page])) return 0;
    return this.#outlookOf(page).currentChance(this.#passedMs(page, atMs));
  }

  valueAt(page: number, atMs: number): number {
    if (this.#importance[page] === 0) return 0;
    if (Number.isNaN(this.#readMs[page])) return this.#importance[page] * this.#outlookOf(page).newGain();
    return this.#valueAfter(page, this.#passedMs(page, atMs));
  }

  belowUntilMs(page: number, value: number, fromMs: number): number {
    const readMs = this.#readMs[page];
    if (this.#importance[page] === 0 || Number.isNaN(readMs)) return Infinity;
    const sinceMs = this.#passedMs(page, fromMs);
    return readMs + belowUntil((laterMs) => this.#valueAfter(page, laterMs), { target: value, sinceMs });
  }

  /** Why a page is worth what it is. */
  explain(page: number, atMs: number): ValueTerms {
    const host = this.#hosts[page];
    const isNew = Number.isNaN(this.#readMs[page]);
    const sinceMs = isNew ? 0 : this.#passedMs(page, atMs);
    return {
      importance: this.#importance[page],
      changeRate: this.#outlookOf(page).typicalRate(sinceMs),
      sinceReadMs: isNew ? null : sinceMs,
      signals: Array.from(this.#signalsOf(page)),
      quality: Array.from({ length: this.#sources }, (_, source) => this.#learner.qualityOf(host, source)),
      staleChance: 1 - this.currentChance(page, atMs),
      value: this.valueAt(page, atMs),
    };
  }

  #learn(
    page: number,
    { atMs, isChanged, modifiedMs }: { atMs: number; isChanged: boolean; modifiedMs: number | null },
  ) {
    const host = this.#hosts[page];
    const sinceMs = this.#passedMs(page, atMs);
    const afterMs = this.#readMs[page];
    const signals = this.#signalsOf(page);
    const { recall, changes } = this.#learner.of(host);
    const outlook = this.#outlookOf(page);
    const currentChance = outlook.currentChance(sinceMs);
    this.#learner.learn({ host, weights: this.#weights, sinceMs, signals, isChanged });
    if (!isChanged) {
      this.#evidence.addQuiet(page, sinceMs);
      const isMisdated = Number(modifiedMs !== null && modifiedMs > this.#sinceMs[page]);
      this.#dates.note(host, { wrong: isMisdated - this.#isMisdated[page] });
      this.#isMisdated[page] = isMisdated;
      return;
    }
    if (modifiedMs !== null && modifiedMs > afterMs) this.#dates.note(host, { right: 1 });
    if (this.#addDate(page, modifiedMs, { afterMs, atMs })) return;
    // Signalled changes: how many, and in what time. Each signal is true with the same probability, but not all false
    // ones explain the change.
    const staleChance = Math.max(Number.EPSILON, 1 - currentChance);
    let signalled = 0;
    for (let source = 0; source < this.#sources; source++) signalled += signals[source] * changes[source];
    this.#evidence.addDated(page, signalled / staleChance);
    this.#evidence.addQuiet(page, recall * sinceMs);
    // A change without a signal: where all signals are more likely false than not.
    const allFalse = Math.exp(-outlook.signalDoubt);
    if (allFalse - currentChance > staleChance / 2) this.#evidence.addChanged(page, (1 - recall) * sinceMs);
  }

  /** Believes the date of the last change, if it is credible; says whether. */
  #addDate(page: number, modifiedMs: number | null, { afterMs, atMs }: { afterMs: number; atMs: number }): boolean {
    if (modifiedMs === null || modifiedMs <= afterMs || modifiedMs >= atMs) return false;
    if (!this.#dates.isTrusted(this.#hosts[page])) return false;
    this.#evidence.addDate(page, atMs - modifiedMs);
    return true;
  }

  #valueAfter(page: number, sinceMs: number): number {
    const importance = this.#importance[page];
    const { fresh, lesson } = this.#outlookOf(page).gain(sinceMs, this.#price / importance);
    return importance * (fresh + lesson);
  }

  #outlookOf(page: number): PageOutlook {
    if (this.#loaded === page) return this.#outlook;
    const host = this.#hosts[page];
    const signals = this.#learner.of(host);
    this.#evidence.posterior(page, this.#priors.of(host), this.#weights);
    this.#outlook.load(this.#weights, this.#signalsOf(page), signals, this.#tables.of(signals));
    this.#loaded = page;
    return this.#outlook;
  }

  #passedMs(page: number, atMs: number): number {
    return Math.max(0, atMs - this.#readMs[page]);
  }

  #signalsOf(page: number): Uint8Array {
    return this.#signals.subarray(page * this.#sources, (page + 1) * this.#sources);
  }

  #grow(count: number): void {
    this.#count = Math.max(this.#count, count);
    if (count <= this.#hosts.length) return;
    const capacity = capacityFor(count, this.#hosts.length);
    this.#importance = enlarged(this.#importance, capacity);
    this.#hosts = enlarged(this.#hosts, capacity);
    this.#readMs = enlarged(this.#readMs, capacity);
    this.#sinceMs = enlarged(this.#sinceMs, capacity);
    this.#isMisdated = enlarged(this.#isMisdated, capacity);
    this.#signals = enlarged(this.#signals, capacity * this.#sources);
    this.#evidence.grow(capacity);
  }
}
