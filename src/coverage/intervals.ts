/**
 * Intervals of rank (C2) and what they settle for certain.
 *
 * Unnormalised: x_i <= r_i <= x_i + slack, where slack is all that open flows can still bring to one page. Two pages
 * whose intervals do not meet are ranked for certain, whatever the undownloaded web looks like.
 *
 * Where no URL redirects, a surfer who left for an open page comes back damped once more. That does not hold for links
 * and trust we know nothing of, which may lead straight to a downloaded page.
 *
 * As shares of all importance both ends are divided by the largest that the whole can be, V. The upper end may be: what is
 * certain of all other pages is at least its part of V, and shares sum to 1. So it does not matter that the whole is
 * smaller where unknown links turn out to be none. This holds for the slack used here. A smaller slack would need a
 * smaller divisor (docs/mathematics.md, "As shares").
 */
import type { Certificate } from "./certificate.ts";
import { isDownloaded, PageState } from "./facts.ts";
import type { MassLedger } from "./ledger.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface IntervalOptions {
  /** False where no URL can turn out to be a redirect: every return from outside is then damped once more. */
  readonly redirectsPossible?: boolean;
}

/** All that is needed, beside what arrived at a page, to tell its interval: plain numbers, which can be kept. */
export interface IntervalBounds {
  /** What open flows can still bring to a downloaded page, and to any other. */
  readonly slack: number;
  readonly slackOutside: number;
  /** V, by which both ends are divided to be shares of all importance. */
  readonly wholeAtMost: number;
}

/** The ledger must be the one that the certificate was made from, untouched since. */
function intervalBounds(
  ledger: MassLedger,
  certificate: Certificate,
  { redirectsPossible = true }: IntervalOptions = {},
): IntervalBounds {
  const { rankInside, flowOpen, flowDead, delta } = certificate;
  const { damping: d, rounding, flowUnknown } = ledger;
  const direct = redirectsPossible ? flowOpen : flowUnknown + ledger.waitingInside() + (1 - d) * delta;
  // Rounding must not decide what is certain: an interval is compared with what is known of others, so it counts twice.
  return {
    slack: (direct + d * (flowOpen - direct)) / (1 - d) + 2 * rounding,
    slackOutside: flowOpen / (1 - d) + 2 * rounding,
    wholeAtMost: rankInside + flowOpen / (1 - d) + flowDead + rounding,
  };
}

/**
 * Between which shares of all importance a page lies, by what has arrived there. An undownloaded page has at least what flows to it,
 * unless it is no page but redirects.
 */
export function intervalOf(bounds: IntervalBounds, arrived: number, isDownloaded: boolean): Interval {
  const slack = isDownloaded ? bounds.slack : bounds.slackOutside;
  return {
    low: arrived / bounds.wholeAtMost,
    high: Math.min(1, (arrived + slack) / bounds.wholeAtMost),
  };
}

export class RankIntervals {
  readonly bounds: IntervalBounds;
  readonly #ledger: MassLedger;

  /** As `intervalBounds`. */
  constructor(ledger: MassLedger, certificate: Certificate, options: IntervalOptions = {}) {
    this.#ledger = ledger;
    this.bounds = intervalBounds(ledger, certificate, options);
  }

  of(page: number): Interval {
    return intervalOf(this.bounds, this.#ledger.arrived(page), isDownloaded(this.#ledger.state[page]));
  }

  /** Whether the first page ranks above the second for certain. */
  isAbove(first: number, second: number): boolean {
    return this.#low(first) > this.#high(second);
  }

  /** Downloaded pages by what is certain of them, highest first; ties by id. */
  ranking(): Uint32Array {
    const { finalPages, finalCount } = this.#ledger;
    const pages = finalPages.slice(0, finalCount).filter((page) => isDownloaded(this.#ledger.state[page]));
    return pages.sort((a, b) => this.#low(b) - this.#low(a) || a - b);
  }

  /** How many pages at the head of the ranking stand in their places among all pages for certain. */
  certainPrefix(ranking = this.ranking()): number {
    const highestOutside = this.#highestOutside();
    let count = 0;
    while (count < ranking.length) {
      const low = this.#low(ranking[count]);
      const next = count + 1 < ranking.length ? this.#high(ranking[count + 1]) : 0;
      if (low <= next || low <= highestOutside) break;
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

  /** What a page not downloaded holds at most: all that is open, and on a dead page what is known to reach it as well. */
  #highestOutside(): number {
    const { finalPages, finalCount, state } = this.#ledger;
    let highest = this.bounds.slackOutside;
    for (let k = 0; k < finalCount; k++) {
      if (state[finalPages[k]] === PageState.Dead) highest = Math.max(highest, this.#high(finalPages[k]));
    }
    return highest;
  }

  #low(page: number): number {
    return this.#ledger.arrived(page);
  }

  #high(page: number): number {
    const { slack, slackOutside } = this.bounds;
    return this.#low(page) + (isDownloaded(this.#ledger.state[page]) ? slack : slackOutside);
  }
}
