/**
 * Tells when a crawl has certainly reached its target, in whatever order it fetches pages.
 *
 * Certifying after every download would cost far more than the crawl's own bookkeeping. So the watch is a ledger of its
 * own that is tightened only now and then: far from the goal, each time the crawl has grown by a half; close to it,
 * where the goal is expected. What is missing falls nearly as a power of the number of facts, so the last two
 * measurements tell when it will have fallen enough (the secant rule on logarithms).
 *
 * Tightening never touches the order, so the path of a crawl does not depend on its goal.
 */
import { isEverything, isOutside, tighten } from "./certificate.ts";
import { type Ceiling, ceilingOf } from "./ceiling.ts";
import { isForbidden, type Universe } from "./facts.ts";
import { FinalLedger, type FinalLedgerOptions } from "./final-ledger.ts";

/** Far from the goal, certify whenever the crawl has grown by this factor. */
const GROWTH = 1.5;
/** Close to the goal, wait for at least this growth between two measurements. */
const GROWTH_LEAST = 1.002;
/** How much of the way to the expected download passes before the next measurement: early rather than late. */
const CAUTION = 0.5;
/** A measurement is good enough for prediction if it is within this share of what is missing. */
const PRECISION = 0.05;
const NEARLY_ALL = 1 - 1e-9;

/** Options of `CoverageWatch`. */
export interface WatchOptions extends FinalLedgerOptions {
  readonly goal: number;
}

/** Tells a running crawl when its target coverage is certainly reached: report every fact to it, and call `reached`. */
export class CoverageWatch extends FinalLedger {
  /** How often the bound was tightened, for measurements. */
  checks = 0;
  #goal: number;
  #certified = 0;
  #strict = 0;
  #valued: number | undefined;
  #ceiling: Ceiling = { coverage: 1, lost: [] };
  #nextCheck = 1;
  #before: Moment | undefined;
  /** Of what is missing by the number of facts, on logarithmic scales: how fast it fell lately. */
  #slope: number | undefined;

  constructor(options: WatchOptions) {
    super(options);
    this.#goal = options.goal;
  }

  /** The best bound proved so far. It may be behind the truth, never ahead of it. */
  get certified(): number {
    return this.#certified;
  }

  /** The best bound proved so far if everything counts, what is forbidden as the worst. At most `certified`. */
  get strict(): number {
    return this.#strict;
  }

  /** The proved coverage of value at the last check; undefined where no page has a value. */
  get valuedCoverage(): number | undefined {
    return this.#valued;
  }

  /** The most that can still be reached, as far as it is known: it may only be too high. */
  get ceiling(): Ceiling {
    return this.#ceiling;
  }

  /** A page that was thought to be forbidden counts after all (its host blocks crawlers): less is certain than before. */
  protected override changed(page: number, before: number): void {
    super.changed(page, before);
    if (!isForbidden(before) || isOutside(this.state[page], "allowed")) return;
    this.#certified = this.#strict;
    this.#nextCheck = this.factCount;
  }

  /** Whether the goal is certainly reached. Call it after every download: it nearly always costs nothing. */
  reached(): boolean {
    if (this.factCount >= this.#nextCheck) this.check();
    return this.#certified >= this.#goal;
  }

  get goal(): number {
    return this.#goal;
  }

  /** Changes the goal. What is proved stays proved; the next call of `reached` certifies again. */
  aim(goal: number): void {
    this.#goal = goal;
    this.#nextCheck = this.factCount;
  }

  /** Certifies now, and returns the coverage. Call it when a crawl has ended. */
  check(): number {
    tighten(this, { relativeGap: PRECISION });
    tighten(this, { level: this.#goal });
    this.#strict = Math.max(this.#strict, this.#proved("everything"));
    this.#certified = Math.max(this.#certified, this.#strict, this.#proved(this.universe));
    if (this.hasValues) this.#valued = this.#provedValue();
    this.#ceiling = ceilingOf(this, this.isBeyondLimit);
    this.checks++;
    this.#predict();
    return this.#certified;
  }

  #provedValue(): number {
    return this.rankValued > 0 && this.#proved(this.universe) === 1 ? 1 : this.valuedBound();
  }

  /** When to check next. Anybody may check at any time, so a check may come too soon after the last to tell a fall. */
  #predict(): void {
    const now = { facts: this.factCount, missing: 1 - this.#certified };
    const before = this.#before;
    if (before === undefined || now.facts >= before.facts * GROWTH_LEAST) {
      if (before !== undefined && now.missing < before.missing) this.#slope = slopeOf(before, now);
      this.#before = now;
    }
    this.#nextCheck = Math.ceil(nextCheck(this.#slope, now, 1 - this.#goal));
  }

  /** A bound is a little low because of rounding; a certificate can prove that nothing at all is missing. */
  #proved(universe: Universe): number {
    const isNearlyAll = this.boundAtMost(0, universe) > NEARLY_ALL;
    return isNearlyAll && isEverything(this, universe) ? 1 : this.bound(universe);
  }
}

interface Moment {
  readonly facts: number;
  readonly missing: number;
}

function slopeOf(before: Moment, now: Moment): number {
  return Math.log(now.missing / before.missing) / Math.log(now.facts / before.facts);
}

function nextCheck(slope: number | undefined, now: Moment, missingGoal: number): number {
  const far = now.facts * GROWTH;
  if (slope === undefined) return far;
  const expected = now.facts * (missingGoal / now.missing) ** (CAUTION / slope);
  return Math.min(far, Math.max(expected, now.facts * GROWTH_LEAST));
}
