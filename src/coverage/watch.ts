/**
 * Tells when a crawl has certainly reached its target, in whatever order it fetches pages.
 *
 * Certifying after every download would cost far more than the crawl's own bookkeeping. So the watch has a ledger of
 * its own and tightens it only now and then: far from the goal, each time the crawl has grown by a half; close to it,
 * where the goal is expected. What is missing falls nearly as a power of the number of facts, so the last two
 * measurements tell when it will have fallen enough (the secant rule on logarithms).
 *
 * Tightening never touches the order, so the path of a crawl does not depend on its goal.
 */
import { isEverything } from "./certificate.ts";
import type { CrawlFacts, RefusalReason } from "./facts.ts";
import { type LedgerOptions, MassLedger } from "./ledger.ts";
import { tighten } from "./tighten.ts";

/** Far from the goal, certify whenever the crawl has grown by this factor. */
const GROWTH = 1.5;
/** Close to the goal, wait for at least this growth between two measurements. */
const GROWTH_LEAST = 1.002;
/** How much of the way to the expected download passes before the next measurement: early rather than late. */
const CAUTION = 0.5;
/** A measurement is good enough for prediction if it is within this share of what is missing. */
const PRECISION = 0.05;
const NEARLY_ALL = 1 - 1e-9;

/** Tells a running crawl when its target coverage is certainly reached: report every fact to it, and call `reached`. */
export class CoverageWatch implements CrawlFacts {
  readonly #ledger: MassLedger;
  #goal: number;
  #certified = 0;
  #looks = 0;
  #facts = 0;
  #nextLook = 1;
  #before: Look | undefined;

  constructor(options: LedgerOptions & { readonly goal: number }) {
    this.#ledger = new MassLedger({ ...options, keepsRanks: false });
    this.#goal = options.goal;
  }

  /** The best bound proved so far. It may be behind the truth, never ahead of it. */
  get certified(): number {
    return this.#certified;
  }

  /** How often the bound was tightened, for measurements. */
  get looks(): number {
    return this.#looks;
  }

  get pushes(): number {
    return this.#ledger.pushes;
  }

  /** Whether the goal is certainly reached. Call it after every download: it nearly always costs nothing. */
  reached(): boolean {
    if (this.#facts >= this.#nextLook) this.look();
    return this.#certified >= this.#goal;
  }

  /** Changes the goal. What is proved stays proved; the next call of `reached` certifies again. */
  aim(goal: number): void {
    this.#goal = goal;
    this.#nextLook = this.#facts;
  }

  /** Certifies now, and returns the coverage. Call it when a crawl has ended. */
  look(): number {
    tighten(this.#ledger, { relativeGap: PRECISION });
    tighten(this.#ledger, { level: this.#goal });
    this.#certified = Math.max(this.#certified, this.#bound());
    this.#looks++;
    const now = { facts: this.#facts, missing: 1 - this.#certified };
    this.#nextLook = Math.ceil(nextLook(this.#before, now, 1 - this.#goal));
    this.#before = now;
    return this.#certified;
  }

  /** A bound is a little low because of rounding; a certificate can prove that nothing at all is missing. */
  #bound(): number {
    const isNearlyAll = this.#ledger.boundAtMost(0) > NEARLY_ALL;
    return isNearlyAll && isEverything(this.#ledger) ? 1 : this.#ledger.bound();
  }

  grow(pages: number): void {
    this.#ledger.grow(pages);
  }

  trusted(page: number, weight: number): void {
    this.#ledger.trusted(page, weight);
  }

  received(page: number, sender: number, total: number): void {
    this.#ledger.received(page, sender, total);
  }

  downloaded(page: number): void {
    this.#facts++;
    this.#ledger.downloaded(page);
  }

  linksUnknown(page: number): void {
    this.#facts++;
    this.#ledger.linksUnknown(page);
  }

  dead(page: number): void {
    this.#facts++;
    this.#ledger.dead(page);
  }

  refused(page: number, reason: RefusalReason): void {
    this.#ledger.refused(page, reason);
  }

  redirected(page: number, target: number): void {
    this.#facts++;
    this.#ledger.redirected(page, target);
  }
}

interface Look {
  readonly facts: number;
  readonly missing: number;
}

function nextLook(before: Look | undefined, now: Look, missingGoal: number): number {
  const far = now.facts * GROWTH;
  if (before === undefined || now.facts === before.facts || now.missing >= before.missing) return far;
  const slope = Math.log(now.missing / before.missing) / Math.log(now.facts / before.facts);
  const expected = now.facts * (missingGoal / now.missing) ** (CAUTION / slope);
  return Math.min(far, Math.max(expected, now.facts * GROWTH_LEAST));
}
