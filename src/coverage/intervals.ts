/**
 * Intervals of rank (C9), and which comparisons they prove: x_i <= r_i <= x_i + slack_i, where the slack is all that
 * open flows can still bring to page i. If the intervals of two pages do not meet, their order is certain, no matter
 * what the rest of the web looks like. `interval-bounds.ts` has what the slack is made of.
 *
 * As shares of all importance, the lower end is divided by the most that the whole can be. The upper end must not be:
 * the whole is smaller where less comes back. It is divided by what the whole is at least if page i has as much as it
 * can.
 */
import type { Certificate } from "./certificate.ts";
import { isOutside } from "./certificate.ts";
import { isDownloaded, PageState } from "./facts.ts";
import {
  knownRanking,
  type OpenFlows,
  openFlows,
  plainFactors,
  type ReturnFactors,
  returnFactors,
} from "./interval-bounds.ts";
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

/** The part of rounding, which intervals give away twice, that shows nowhere. */
const NEGLIGIBLE = 2 ** -6;

/** The interval in which the importance of each page lies, and what is certain about the ranking. */
export class RankIntervals {
  readonly #ledger: MassLedger;
  readonly #redirectsPossible: boolean;
  readonly #ranking: Uint32Array;
  readonly #flows: OpenFlows;
  readonly #factors: ReturnFactors;
  /** Rounding must not decide what is certain. Intervals are compared with each other, so it counts twice. */
  readonly #margin: number;

  /** The certificate must be that of the ledger, which must not have changed since. */
  constructor(ledger: MassLedger, certificate: Certificate, { redirectsPossible = true }: IntervalOptions = {}) {
    this.#ledger = ledger;
    this.#redirectsPossible = redirectsPossible;
    this.#ranking = knownRanking(ledger);
    this.#flows = openFlows(ledger, certificate, redirectsPossible);
    // Where all is fetched, what is open is far less than rounding, and how often it comes back shows nowhere.
    this.#factors =
      this.#flows.flow <= NEGLIGIBLE * (1 - ledger.damping) * ledger.rounding
        ? plainFactors(ledger)
        : returnFactors(ledger, this.#ranking, redirectsPossible);
    this.#margin = 2 * ledger.rounding;
  }

  /** What the whole is at most: lower ends are divided by it. */
  get wholeAtMost(): number {
    return this.#flows.wholeAtMost;
  }

  /**
   * If the page was not downloaded, `low` holds if it turns out to be a page of the universe, and no redirect. A page
   * that is known to be none of the universe has no share; its interval says what arrives there, compared with the
   * whole.
   */
  of(page: number): Interval {
    const { state } = this.#ledger;
    if (state[page] === PageState.Redirected) return { low: 0, high: 0 };
    const low = Math.min(1, this.#ledger.arrived(page) / this.wholeAtMost);
    return { low, high: Math.min(1, this.#shareAtMost(page)) };
  }

  /** Whether the first page certainly ranks above the second. */
  isAbove(first: number, second: number): boolean {
    return this.#low(first) > this.#high(second);
  }

  /** The downloaded pages by the lower end of their interval, highest first; ties by id. */
  ranking(): Uint32Array {
    return this.#ranking.slice();
  }

  /** How many pages at the top of the ranking certainly have that place among all pages. */
  certainPrefix(): number {
    const ranking = this.#ranking;
    // The highest upper end of all that follow: a page of lower rank may have a longer interval.
    const next = new Float64Array(ranking.length + 1);
    next[ranking.length] = this.#highestOutside();
    for (let k = ranking.length - 1; k >= 0; k--) next[k] = Math.max(next[k + 1], this.#high(ranking[k]));
    let count = 0;
    while (count < ranking.length && this.#low(ranking[count]) > next[count + 1]) count++;
    return count;
  }

  /** How many pairs of downloaded pages have a certain order. */
  certainPairs(): number {
    const lows = Float64Array.from(this.#ranking, (page) => this.#low(page)).sort();
    const highs = Float64Array.from(this.#ranking, (page) => this.#high(page)).sort();
    let pairs = 0;
    let below = 0;
    for (const low of lows) {
      while (below < highs.length && highs[below] < low) below++;
      pairs += below;
    }
    return pairs;
  }

  /** The most that a page can have that was not downloaded, discovered or not. */
  #highestOutside(): number {
    const { pages, state } = this.#ledger;
    let highest = this.#openAtMost(0);
    for (let page = 0; page < pages; page++) {
      if (!isDownloaded(state[page])) highest = Math.max(highest, this.#high(page));
    }
    return highest;
  }

  #low(page: number): number {
    return this.#isPage(page) ? this.#ledger.arrived(page) : 0;
  }

  /** The most that the rank can be. */
  #high(page: number): number {
    if (!this.#isPage(page)) return 0;
    const { flow } = this.#flows;
    const state = this.#ledger.state[page];
    if (isDownloaded(state)) return this.#low(page) + flow * this.#factors.atMost[page] + this.#margin;
    if (state === PageState.Dead) return this.#low(page) + flow + this.#margin;
    return this.#openAtMost(this.#low(page));
  }

  /** The most that the rank of an open page can be, of which this much has arrived there. */
  #openAtMost(arrived: number): number {
    const { damping: d } = this.#ledger;
    const { flow, flowToUrls } = this.#flows;
    if (this.#redirectsPossible) return flow / (1 - d) + this.#margin;
    // It takes two links to come back to a page, or one that leads to a known redirect to it.
    const stepsBack = this.#ledger.hasRedirects ? 1 : 2;
    return (flow + (1 - d) * Math.min(arrived, flowToUrls)) / (1 - d ** stepsBack) + this.#margin;
  }

  #shareAtMost(page: number): number {
    const { flow, flowToUrls, base } = this.#flows;
    const { state, universe } = this.#ledger;
    if (!this.#isPage(page)) return (this.#ledger.arrived(page) + flow + this.#margin) / base;
    const [low, high] = [this.#low(page), this.#high(page)];
    if (isDownloaded(state[page])) {
      const whole = base + flow * this.#factors.wholeAtLeast[page];
      // The first is the end if nothing comes back: larger only by what still waits inside.
      return Math.max(low === 0 ? 0 : low / base, high / whole);
    }
    if (state[page] === PageState.Dead) return high / (base + flow);
    const isCounted = !this.#redirectsPossible && universe === "everything";
    return high / (high + base - (isCounted ? Math.min(low, flowToUrls) : 0));
  }

  /** False for a URL that redirects, and for one that is no part of the universe. */
  #isPage(page: number): boolean {
    const { state, universe } = this.#ledger;
    return state[page] !== PageState.Redirected && !isOutside(state[page], universe);
  }
}
