/**
 * The sums of a ledger by parts of its pages. What is settled on a page is the probability of surfing paths that end
 * there, whichever pages they lead through. So the sums of one part are true of that part alone, and may be added up
 * with those of other ledgers that have other parts (sums.ts).
 */
import { type Parts, RunningSum } from "./accounts.ts";
import { PageState } from "./facts.ts";

/** What is settled in one part, and what was trusted; and how many additions that took. */
export class PartSums {
  readonly inside = new RunningSum();
  readonly dangling = new RunningSum();
  readonly dead = new RunningSum();
  /** What left its pages whose links are not all known. */
  readonly unknown = new RunningSum();
  readonly trust = new RunningSum();
  additions = 0;

  static of({ count }: Parts): PartSums[] {
    return Array.from({ length: count }, () => new PartSums());
  }

  settle(state: number, mass: number, isDangling: boolean, damping: number): void {
    if (state === PageState.Dead) return this.dead.add(mass);
    this.inside.add(mass);
    if (state === PageState.LinksUnknown) this.unknown.add(damping * mass);
    else if (isDangling) this.dangling.add(mass);
  }
}
