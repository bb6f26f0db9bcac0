/**
 * Intervals of rank (C2), and which comparisons they prove.
 *
 * Unnormalised: x_i <= r_i <= x_i + slack, where slack is all that open flows can still bring to one page. If the
 * intervals of two pages do not meet, their order is certain, no matter what the rest of the web looks like.
 *
 * If no URL redirects, a surfer who left for an open page comes back damped once more. This does not hold for unknown
 * links and unseeded trust, which may lead straight to a downloaded page.
 *
 * As shares of all importance both ends are divided by the largest that the whole can be, V. The upper end may be: what
 * is certain of all other pages is at least its part of V, and shares sum to 1. So it does not matter that the whole is
 * smaller where unknown links turn out to be none. This holds for the slack used here. A smaller slack would need a
 * smaller divisor (docs/mathematics.md, "As shares").
 */
import type { Certificate } from "./certificate.ts";
import { isDownloaded, PageState } from "./facts.ts";
import type { MassLedger } from "./ledger.ts";

/** The bounds between which the importance of a page lies, as shares of all importance. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Options of `RankIntervals`. */
export interface IntervalOptions {
  /** False if no URL can turn out to be a redirect; the intervals are narrower then (default: true). */
  readonly redirectsPossible?: boolean;
}

/** All that is needed to compute the interval of a page, besides what arrived there: numbers that can be stored. */
export interface IntervalBounds {
  /** What open flows can still bring to a downloaded page, and to any other page. */
  readonly slack: number;
  readonly slackOutside: number;
  /** V, by which both ends are divided to be shares of all importance. */
  readonly wholeAtMost: number;
}

/** The certificate must be that of the ledger, which must not have changed since. */
function intervalBounds(
  ledger: MassLedger,
  certificate: Certificate,
  { redirectsPossible = true }: IntervalOptions = {},
): IntervalBounds {
  const { rankInside, flowOpen, flowDead, delta } = certificate;
  const { damping: d, rounding, flowUnknown } = ledger;
  const direct = redirectsPossible ? flowOpen : flowUnknown + ledger.waitingInside() + (1 - d) * delta;
  // Rounding must not decide what is certain. Intervals are compared with each other, so it counts twice.
  return {
    slack: (direct + d * (flowOpen - direct)) / (1 - d) + 2 * rounding,
    slackOutside: flowOpen / (1 - d) + 2 * rounding,
    wholeAtMost: rankInside + flowOpen / (1 - d) + flowDead + rounding,
  };
}

/** The interval of a page, in shares, from what arrived. If it was not downloaded, `low` holds unless it redirects. */
export function intervalOf(bounds: IntervalBounds, arrived: number, isDownloaded: boolean): Interval {
  const slack = isDownloaded ? bounds.slack : bounds.slackOutside;
  return { low: arrived / bounds.wholeAtMost, high: Math.min(1, (arrived + slack) / bounds.wholeAtMost) };
}

/** The interval in which the importance of each page lies, and what is certain about the ranking. */
export class RankIntervals {
  readonly bounds: IntervalBounds;
  readonly #ledger: MassLedger;

  /** The certificate must be that of the ledger, which must not have changed since. */
  constructor(ledger: MassLedger, certificate: Certificate, options: IntervalOptions = {}) {
    this.#ledger = ledger;
    this.bounds = intervalBounds(ledger, certificate, options);
  }

  of(page: number): Interval {
    return intervalOf(this.bounds, this.#ledger.arrived(page), isDownloaded(this.#ledger.state[page]));
  }

  /** Whether the first page certainly ranks above the second. */
  isAbove(first: number, second: number): boolean {
    return this.#low(first) > this.#high(second);
  }

  /** The downloaded pages by the lower end of their interval, highest first; ties by id. */
  ranking(): Uint32Array {
    const { finalPages, finalCount } = this.#ledger;
    const pages = finalPages.slice(0, finalCount).filter((page) => isDownloaded(this.#ledger.state[page]));
    return pages.sort((a, b) => this.#low(b) - this.#low(a) || a - b);
  }

  /** How many pages at the top of the ranking certainly have that place among all pages. */
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

  /** How many pairs of downloaded pages have a certain order. */
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

  /** The most that a page outside can hold: all that is open; for a dead page also what is known to reach it. */
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
