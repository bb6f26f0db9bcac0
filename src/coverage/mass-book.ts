/**
 * The sums of what is settled, and the bounds that follow from them: (C7) for importance, (C10) for value. Settled
 * probability is that of surfing paths, each counted once, so all bounds are true at any moment, no matter how much was
 * pushed and in what order. Who extends it knows what waits where, and pushes it.
 */
import { assert } from "../base/index.ts";
import { ReceivedTotals, RunningSum, Worth } from "./accounts.ts";
import { FactFollower } from "./fact-follower.ts";
import { PageState } from "./facts.ts";
import { boundOf, type MassSums, roundingOf, unseededOf, wholeOf } from "./sums.ts";

/** A book of surfing probability, of which the sums are kept here. */
export abstract class MassBook extends FactFollower implements MassSums {
  /** Arc updates made so far. */
  pushes = 0;
  protected readonly totals = new ReceivedTotals();
  readonly #inside = new RunningSum();
  readonly #dangling = new RunningSum();
  readonly #dead = new RunningSum();
  readonly #unknown = new RunningSum();
  readonly #trust = new RunningSum();
  /** Kept from the first value on. */
  #worth: Worth | undefined;

  /** What has arrived at forbidden pages; perhaps more by now. */
  abstract get flowForbidden(): number;
  /** Brings what waits on final pages, and what has arrived at forbidden ones, up to date with the facts. */
  abstract measure(): void;
  /** What waits on final pages: how far the bound is from the best that these facts allow. */
  abstract waitingInside(): number;
  /** Pushes each final page on which this much waits, in the order in which they became final. */
  abstract pushFrom(threshold: number): void;
  /** What has certainly arrived at a page that is not final: a lower bound of its unnormalised rank. */
  abstract arrived(page: number): number;
  /** Visits all pages that are not open and on which something waits; perhaps open ones. */
  abstract forEachWaiting(visit: (page: number, mass: number) => void): void;
  /** Visits all pages that surfers are known to reach, if no others then by their links; perhaps more. */
  abstract forEachReached(visit: (page: number) => void): void;

  /** R: what is settled on downloaded pages. */
  get rankInside(): number {
    return this.#inside.value;
  }

  /** X: what is settled where surfing ends for certain, on pages without links and on dead ones. */
  get rankEnded(): number {
    return this.#dangling.value + this.#dead.value;
  }

  /** What is settled on downloaded pages without links. */
  get rankDangling(): number {
    return this.#dangling.value;
  }

  /** What is settled on dead pages. */
  get rankDead(): number {
    return this.#dead.value;
  }

  get trust(): number {
    return this.#trust.value;
  }

  get additions(): number {
    return this.finalCount + this.totals.raised;
  }

  /** The largest that the whole can be, of which `rankInside` is a part. */
  get whole(): number {
    return wholeOf(this, this.universe);
  }

  /** What left pages whose links are not all known. */
  get flowUnknown(): number {
    return this.#unknown.value;
  }

  /** Trust that exists but has not been seeded. */
  get delta(): number {
    return unseededOf(this);
  }

  /** What rounding could have added to a bound. */
  get rounding(): number {
    return roundingOf(this);
  }

  /** The coverage proved by what was pushed so far (C7). True at any moment, best when nothing waits inside. */
  bound(universe = this.universe): number {
    return boundOf(this, universe);
  }

  /** The most that the bound could reach if all that waits on final pages were pushed. */
  boundAtMost(waitingInside: number, universe = this.universe): number {
    const most = this.rankInside + waitingInside / (1 - this.damping);
    return most === 0 ? 0 : Math.min(1, most / wholeOf(this, universe));
  }

  /** Whether any page was given a value. */
  get hasValues(): boolean {
    return this.#worth !== undefined;
  }

  /** V: what is settled on downloaded pages, each counted with its value. */
  get rankValued(): number {
    return this.#worth?.value ?? this.rankInside;
  }

  /**
   * The proved coverage of value (C10), V of V and G: as if every page that was not downloaded had the full value, dead
   * ones none. True at any moment, whatever the values of unseen pages. 0 where nothing of value was downloaded.
   */
  valuedBound(): number {
    const worth = this.rankValued - this.rounding;
    // What is outside is a difference of two sums that rounding may have changed.
    return worth <= 0 ? 0 : worth / (worth + this.#outside() + 2 * this.rounding);
  }

  /** The most that the coverage of value could reach if all that waits on final pages were pushed. */
  valuedAtMost(waitingInside: number): number {
    const most = this.rankValued + waitingInside / (1 - this.damping);
    return most === 0 ? 0 : Math.min(1, most / (this.rankValued + this.#outside()));
  }

  /** G: the most that pages of the universe can hold that were neither downloaded nor are dead. */
  #outside(): number {
    const dead = this.universe === "everything" ? this.#dead.value : 0;
    return Math.max(0, this.whole - this.rankInside - dead);
  }

  override grow(pages: number): void {
    super.grow(pages);
    if (this.#worth !== undefined && this.#worth.pages < this.pages) this.#worth = this.#worth.resized(this.pages);
  }

  trusted(page: number, weight: number): void {
    this.checkRoom(page);
    this.#trust.add(weight);
    assert(weight >= 0 && this.#trust.value <= 1 + 1e-9, "trust is not negative and sums to at most 1");
  }

  received(page: number, sender: number, total: number): void {
    this.raise(page, sender, total);
  }

  /** Sound however messages come: each total is the probability of paths that the sender has settled (C5). */
  protected raise(page: number, sender: number, total: number): number {
    this.checkRoom(page);
    assert(total >= 0 && total < Number.POSITIVE_INFINITY, "what arrives is a probability");
    return this.totals.raise(page, sender, total);
  }

  /**
   * Fixed before the page is downloaded: what is settled has been counted. Pages that are downloaded later without a
   * value count fully, those that were downloaded before the first value nothing.
   */
  valued(page: number, value: number): void {
    this.checkRoom(page);
    assert(value >= 0 && value <= 1, "a value is a number from 0 to 1");
    assert(!this.isFinal(page), `page ${page} is final, and so is its value`);
    this.#worth ??= new Worth(this.pages, this.finalPages.subarray(0, this.finalCount));
    this.#worth.set(page, value);
  }

  /** Counts mass as settled on a final page. Returns what each of its links carries on; 0 where none does. */
  protected settle(page: number, mass: number): number {
    const state = this.state[page];
    if (state === PageState.Dead) {
      this.#dead.add(mass);
      return 0;
    }
    this.#inside.add(mass);
    this.#worth?.settle(page, mass);
    if (state === PageState.LinksUnknown) {
      this.#unknown.add(this.damping * mass);
      return 0;
    }
    const count = this.links.count(page);
    if (count === 0) {
      this.#dangling.add(mass);
      return 0;
    }
    this.pushes += count;
    return (this.damping * mass) / count;
  }

  protected copySums(other: MassBook): void {
    this.pushes = other.pushes;
    this.totals.copyFrom(other.totals);
    this.#inside.copyFrom(other.#inside);
    this.#dangling.copyFrom(other.#dangling);
    this.#dead.copyFrom(other.#dead);
    this.#unknown.copyFrom(other.#unknown);
    this.#trust.copyFrom(other.#trust);
    this.#worth = other.#worth?.resized(other.pages);
  }
}
