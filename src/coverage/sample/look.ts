/**
 * One look of the sampled certificate (C8): lives are followed from what is open, and what they show is tested level by
 * level.
 *
 * The claim holds with probability 1 - alpha whenever the look is stopped, as long as every walk that was drawn is
 * entered, in the order of drawing, whatever came of it. `Look` sees to that: results wait for those drawn before them.
 *
 * Walks are drawn in rounds. The downloaded pages D are fixed before a round is drawn; the next round may have more of
 * them, also the pages that earlier walks have fetched. The capital of the test goes on from round to round. That is
 * valid: as long as D covers less than a level, a bet on that level is unfavourable, whatever came before, and once D
 * covers it the claim is true (docs/mathematics.md).
 */
import { Random, assert } from "../../base/index.ts";
import { tighten } from "../certificate.ts";
import type { MassLedger } from "../ledger.ts";
import { BettingTest } from "./betting.ts";
import { type Found, Round } from "./round.ts";
import { Walk } from "./walk.ts";

/** What still waits on D counts as missed, so it is pushed until little is left. */
const PRECISION = 1e-6;

export interface LookOptions {
  /** The probability with which this look may be wrong. */
  readonly alpha: number;
  /** Levels of coverage to test, rising. The last one is the target: bets are chosen for it. */
  readonly levels: readonly number[];
  readonly seed: number;
}

/** A walk that has ended and was entered. */
export interface EnteredWalk extends Found {
  /** How many pages it had to fetch. */
  readonly fetched: number;
  /** How many pages D had when it was drawn. */
  readonly downloads: number;
}

/** The probability with which the j-th look at a crawl may be wrong, j from 1: they sum to alpha, however many. */
export function alphaOfLook(alpha: number, look: number): number {
  return alpha / (look * (look + 1));
}

export class Look {
  readonly alpha: number;
  readonly levels: readonly number[];
  readonly entered: EnteredWalk[] = [];
  /** Pages that had to be fetched for the walks that were entered. */
  fetched = 0;
  readonly #test: BettingTest;
  readonly #seed: number;
  readonly #drawn: { readonly walk: Walk; readonly round: Round; readonly downloads: number }[] = [];
  #round: Round | undefined;
  #proven = 0;

  constructor({ alpha, levels, seed }: LookOptions) {
    this.alpha = alpha;
    this.levels = levels;
    this.#seed = seed;
    this.#test = new BettingTest(levels.length);
  }

  get target(): number {
    return this.levels.at(-1) ?? 0;
  }

  /** How much the logarithm of the target's capital has to rise before the target is shown. */
  get missingGrowth(): number {
    return -Math.log(this.alpha) - this.#test.logCapital(this.levels.length - 1);
  }

  /**
   * Begins a round: the downloaded pages of the ledger are D from now on. Pages may only have been added since the
   * last round. Pushes what waits on D; after that the ledger must not change until the walks of the round have ended.
   * Returns false if there is nothing to walk to.
   */
  beginRound(ledger: MassLedger): boolean {
    tighten(ledger, { relativeGap: PRECISION });
    this.#proven = Math.max(this.#proven, ledger.bound());
    this.#round = new Round(ledger, this.#round);
    return this.#round.flow > 0;
  }

  /** Draws the next walk of the round. Each has dice of its own, so its course does not depend on the others. */
  draw(): Walk {
    const round = this.#round;
    assert(round !== undefined && round.flow > 0, "a round has begun and there is something to walk to");
    const random = new Random(this.#seed, this.#drawn.length);
    const walk = new Walk(round.drawStart(random), { ...round, random });
    this.#drawn.push({ walk, round, downloads: round.ledger.downloadedCount });
    return walk;
  }

  /**
   * Enters the walks that have ended, up to the first that has not. Returns the greatest level that is shown so far.
   */
  enter(): number {
    // Once the target is shown nothing more is entered, so what is counted does not depend on what ended at once.
    for (
      let next = this.#drawn[this.entered.length];
      next?.walk.hasEnded && this.shown < this.target;
      next = this.#drawn[this.entered.length]
    ) {
      const { walk, round, downloads } = next;
      const { inside, outside, fetched } = walk;
      this.#test.add(
        this.levels.map((level) => round.gain(level, walk)),
        round.worstGain(this.target),
      );
      this.entered.push({ inside, outside, fetched, downloads });
      this.fetched += fetched;
    }
    return this.shown;
  }

  /** The greatest level that is shown so far; 0 if none is. */
  get shown(): number {
    const isShown = (level: number, k: number) => this.#proven >= level || this.#test.isConfirmed(k, this.alpha);
    return this.levels.findLast(isShown) ?? 0;
  }
}
