/**
 * Intervals of rank (C2) and what they settle for certain.
 *
 * Unnormalised: x_i <= r_i <= x_i + slack, where slack is all that open flows can still bring to one page. Two pages
 * whose intervals do not meet are ranked for certain, whatever the undownloaded web looks like.
 */
import type { Certificate } from "./certificate.ts";
import { PageState } from "./facts.ts";
import type { MassLedger } from "./ledger.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface IntervalOptions {
  /** False where no URL can turn out to be a redirect: every return from outside is then damped once more. */
  readonly redirectsPossible?: boolean;
}

export class RankIntervals {
  readonly #ledger: MassLedger;
  readonly #slack: number;
  readonly #slackOutside: number;
  readonly #wholeAtMost: number;
  readonly #wholeAtLeast: number;

  /** The ledger must be the one that the certificate was made from, untouched since. */
  constructor(ledger: MassLedger, certificate: Certificate, options: IntervalOptions = {}) {
    const { rankInside, flowOpen, flowDead } = certificate;
    const d = ledger.dampingFactor;
    this.#ledger = ledger;
    this.#slackOutside = flowOpen / (1 - d);
    this.#slack = (options.redirectsPossible ?? true) ? this.#slackOutside : d * this.#slackOutside;
    this.#wholeAtMost = rankInside + flowOpen / (1 - d) + flowDead;
    this.#wholeAtLeast = rankInside + flowOpen + flowDead;
  }

  /** Between which shares of all importance a page lies. An undownloaded page has at least what flows to it. */
  of(page: number): Interval {
    return {
      low: this.#low(page) / this.#wholeAtMost,
      high: Math.min(1, this.#high(page) / this.#wholeAtLeast),
    };
  }

  /** Whether the first page ranks above the second for certain. */
  isAbove(first: number, second: number): boolean {
    return this.#low(first) > this.#high(second);
  }

  /** Downloaded pages by what is certain of them, highest first; ties by id. */
  ranking(): Uint32Array {
    const { finalPages, finalCount } = this.#ledger;
    const pages = finalPages.slice(0, finalCount).filter((page) => this.#isDownloaded(page));
    return pages.sort((a, b) => this.#low(b) - this.#low(a) || a - b);
  }

  /** How many pages at the head of the ranking stand in their places for certain. */
  certainPrefix(ranking = this.ranking()): number {
    let count = 0;
    while (count < ranking.length) {
      const low = this.#low(ranking[count]);
      const next = count + 1 < ranking.length ? this.#high(ranking[count + 1]) : 0;
      // A page not downloaded could hold all that is open.
      if (low <= next || low <= this.#slackOutside) break;
      count++;
    }
    return count;
  }

  /** How many pairs of downloaded pages are ranked for certain. */
  certainPairs(ranking = this.ranking()): number {
    let pairs = 0;
    let below = 0;
    for (let k = 0; k < ranking.length; k++) {
      const low = this.#low(ranking[k]);
      while (below < ranking.length && low <= this.#high(ranking[below])) below++;
      pairs += ranking.length - below;
    }
    return pairs;
  }

  #isDownloaded(page: number): boolean {
    const state = this.#ledger.state[page];
    return state === PageState.Downloaded || state === PageState.LinksUnknown;
  }

  #low(page: number): number {
    return this.#ledger.settled[page] + this.#ledger.waiting[page];
  }

  #high(page: number): number {
    return this.#low(page) + (this.#isDownloaded(page) ? this.#slack : this.#slackOutside);
  }
}
