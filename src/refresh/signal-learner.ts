/**
 * How far the signals of each host can be trusted, learnt from what reads found.
 *
 * A source of signals (sitemaps, feeds) has a recall and a share of false signals per host (signalled-gain.ts). They
 * are those that best predict what reads found: for each pair of a grid, the logarithms of the probabilities that it
 * gave to what was found (changed or not, given the time since the read before and the signals since) are added up, and
 * the estimates are the means over the grid, weighted by these probabilities (Bayes). Counting how many signals proved
 * true would be biased, since pages are read because of signals; the probability of what a read finds, given why it was
 * made, is not. What is found on all hosts counts for each as much as `CRAWL_READS` reads, and the reads of a host are
 * forgotten after `READS_KEPT` more, so that a site that mends its sitemap is trusted again.
 *
 * A page that is read a time t after the last read, with n signals since, is unchanged with the probability
 *
 *     falseShare^n  E[exp(-r t)] / E[exp(-r recall t)]
 *
 * where the means are over the rates r that are likely by what was known at the last read and by the n signals: true
 * signals come at the rate r recall, so each multiplies the weight of a rate by r, as far as signals are true
 * (r^(n (1 - falseShare))), and exp(-r recall t) is the weight of a time without any.
 *
 * Several sources are taken for independent: a change is signalled by each with its own recall.
 *
 * Cost: about 500 exponentials per read and source; 200 bytes per host and source that signals at all.
 */
import { RATES, RATES_COUNT } from "./rate-grid.ts";
import type { SignalQuality } from "./signalled-gain.ts";

const RECALLS = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95];
const FALSE_SHARES = [0.02, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9];
const PAIRS = RECALLS.length * FALSE_SHARES.length;

/** The weight of all hosts, in reads of one host. */
const CRAWL_READS = 50;
const READS_KEPT = 500;
/** More signals since one read tell no more. */
const SIGNALS_MOST = 20;
/** What was found is never taken for less likely than this, so no single read decides. */
const LEAST_CHANCE = 1e-4;

/** What is known of the signals of a host. */
export interface HostSignals extends SignalQuality {
  /** How much each signal raises the doubt, by source. */
  readonly doubts: readonly number[];
  /** How many changes each signal stands for: less than one, since some are false and some changes signalled twice. */
  readonly changes: readonly number[];
}

/** A read of a page that was read before. */
export interface LearntRead {
  readonly host: number;
  /** How likely each rate was by what was known at the read before. */
  readonly weights: Float64Array;
  readonly sinceMs: number;
  /** Signals since, by source. */
  readonly signals: ArrayLike<number>;
  readonly isChanged: boolean;
}

/** Logarithms of the probabilities that each pair gave to what was found. */
interface Scores {
  readonly logs: Float32Array;
  reads: number;
}

interface Host {
  /** By source; undefined if it has never signalled. */
  readonly sources: (Scores | undefined)[];
  signals: HostSignals | undefined;
}

export class SignalLearner {
  readonly #sources: number;
  readonly #crawl: readonly Scores[];
  readonly #hosts = new Map<number, Host>();
  readonly #silent: HostSignals;
  readonly #chances = new PairChances();

  constructor(sources: number) {
    this.#sources = sources;
    this.#crawl = Array.from({ length: sources }, newScores);
    const zeros = Array.from({ length: sources }, () => 0);
    this.#silent = { recall: 0, falseShare: 1, doubts: zeros, changes: zeros };
  }

  /** A source has signalled a change of a page of the host. Until it does, its recall is 0. */
  heard(host: number, source: number): void {
    let known = this.#hosts.get(host);
    if (known === undefined) {
      known = { sources: Array.from({ length: this.#sources }, () => undefined), signals: undefined };
      this.#hosts.set(host, known);
    }
    if (known.sources[source] !== undefined) return;
    known.sources[source] = newScores();
    known.signals = undefined;
  }

  /** What is known of the signals of a host. */
  of(host: number): HostSignals {
    const known = this.#hosts.get(host);
    if (known === undefined) return this.#silent;
    known.signals ??= this.#estimate(known);
    return known.signals;
  }

  /** The quality of one source. */
  qualityOf(host: number, source: number): SignalQuality {
    const scores = this.#hosts.get(host)?.sources[source];
    return scores === undefined ? { recall: 0, falseShare: 1 } : meanQuality(scores, this.#crawl[source]);
  }

  /** Learns from what a read found. */
  learn(read: LearntRead): void {
    const known = this.#hosts.get(read.host);
    if (known === undefined) return;
    const { doubts } = this.of(read.host);
    for (let source = 0; source < this.#sources; source++) {
      const scores = known.sources[source];
      if (scores === undefined) continue;
      let othersDoubt = 0;
      for (let k = 0; k < this.#sources; k++) if (k !== source) othersDoubt += read.signals[k] * doubts[k];
      this.#chances.compute(read, read.signals[source], Math.exp(-othersDoubt));
      this.#chances.addTo(scores, read.isChanged);
      this.#chances.addTo(this.#crawl[source], read.isChanged);
    }
    known.signals = undefined;
  }

  #estimate({ sources }: Host): HostSignals {
    const qualities = sources.map((scores, source) =>
      scores === undefined ? undefined : meanQuality(scores, this.#crawl[source]),
    );
    let missed = 1;
    let recalls = 0;
    let falseSignals = 0;
    for (const quality of qualities) {
      if (quality === undefined) continue;
      const { recall, falseShare } = quality;
      missed *= 1 - recall;
      recalls += recall;
      falseSignals += (recall * falseShare) / (1 - falseShare);
    }
    const recall = 1 - missed;
    return {
      recall,
      falseShare: falseSignals / (recall + falseSignals),
      doubts: qualities.map((quality) => (quality === undefined ? 0 : -Math.log(quality.falseShare))),
      changes: qualities.map((quality) => (quality === undefined ? 0 : ((1 - quality.falseShare) * recall) / recalls)),
    };
  }
}

function newScores(): Scores {
  return { logs: new Float32Array(PAIRS), reads: 0 };
}

/** A weak opinion from before the first read: half of the signals are true, half of the changes signalled. */
function logPrior(recall: number, falseShare: number): number {
  return -2 * (recall - 0.5) ** 2 - 2 * (falseShare - 0.5) ** 2;
}

function meanQuality(host: Scores, crawl: Scores): SignalQuality {
  const crawlWeight = CRAWL_READS / Math.max(CRAWL_READS, crawl.reads);
  const logOf = (pair: number): number =>
    host.logs[pair] + crawlWeight * crawl.logs[pair] + logPrior(recallOf(pair), falseShareOf(pair));
  let greatest = Number.NEGATIVE_INFINITY;
  for (let pair = 0; pair < PAIRS; pair++) greatest = Math.max(greatest, logOf(pair));
  let total = 0;
  let recall = 0;
  let falseShare = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const weight = Math.exp(logOf(pair) - greatest);
    total += weight;
    recall += weight * recallOf(pair);
    falseShare += weight * falseShareOf(pair);
  }
  return { recall: recall / total, falseShare: falseShare / total };
}

const recallOf = (pair: number): number => RECALLS[pair % RECALLS.length];
const falseShareOf = (pair: number): number => FALSE_SHARES[Math.floor(pair / RECALLS.length)];

const FASTEST = RATES[RATES_COUNT - 1];

/** How likely a page was to be found unchanged, for each pair. */
class PairChances {
  readonly #unchanged = new Float64Array(PAIRS);
  readonly #weights = new Float64Array(RATES_COUNT);
  /** For each recall and rate: the probability that no further change was signalled. */
  readonly #noMore = Array.from(RECALLS, () => new Float64Array(RATES_COUNT));

  compute({ weights, sinceMs }: LearntRead, signals: number, othersChance: number): void {
    for (const [k, recall] of RECALLS.entries()) {
      for (let rate = 0; rate < RATES_COUNT; rate++) this.#noMore[k][rate] = Math.exp(-RATES[rate] * recall * sinceMs);
    }
    const counted = Math.min(signals, SIGNALS_MOST);
    for (const [row, falseShare] of FALSE_SHARES.entries()) {
      const events = counted * (1 - falseShare);
      let unchanged = 0;
      for (let rate = 0; rate < RATES_COUNT; rate++) {
        this.#weights[rate] = weights[rate] * (RATES[rate] / FASTEST) ** events;
        unchanged += this.#weights[rate] * Math.exp(-RATES[rate] * sinceMs);
      }
      const allFalse = falseShare ** signals * othersChance;
      for (const [k, noMore] of this.#noMore.entries()) {
        let total = 0;
        for (let rate = 0; rate < RATES_COUNT; rate++) total += this.#weights[rate] * noMore[rate];
        this.#unchanged[row * RECALLS.length + k] = total > 0 ? (allFalse * unchanged) / total : 0;
      }
    }
  }

  /** Adds what was found to the scores. */
  addTo(scores: Scores, isChanged: boolean): void {
    const kept = 1 - 1 / READS_KEPT;
    for (let pair = 0; pair < PAIRS; pair++) {
      const chance = isChanged ? 1 - this.#unchanged[pair] : this.#unchanged[pair];
      scores.logs[pair] = kept * scores.logs[pair] + Math.log(Math.max(LEAST_CHANCE, chance));
    }
    scores.reads = kept * scores.reads + 1;
  }
}
