/**
 * The sums of a ledger by parts of its pages. What is settled on a page is the probability of surfing paths that end
 * there, whichever pages they lead through. So the sums of one part are true of that part alone, and may be added up
 * with those of other ledgers that have other parts (sums.ts).
 */
import { RunningSum } from "./accounts.ts";
import { PageState } from "./facts.ts";
import type { MassSums } from "./sums.ts";

/** How the pages of a ledger are divided. */
export interface Parts {
  readonly count: number;
  /** The part of a page, from 0 on. */
  readonly of: (page: number) => number;
}

/** What is settled in one part, what has arrived at its forbidden pages, and what was trusted. */
export class PartSums {
  readonly inside = new RunningSum();
  readonly dangling = new RunningSum();
  readonly dead = new RunningSum();
  /** What left its pages whose links are not all known. */
  readonly unknown = new RunningSum();
  readonly trust = new RunningSum();
  forbidden = 0;
  additions = 0;

  static of({ count }: Parts): PartSums[] {
    return Array.from({ length: count }, () => new PartSums());
  }

  get values(): Omit<MassSums, "damping"> {
    return {
      rankInside: this.inside.value,
      rankDangling: this.dangling.value,
      rankDead: this.dead.value,
      flowForbidden: this.forbidden,
      trust: this.trust.value,
      additions: this.additions,
    };
  }

  settle(state: number, mass: number, isDangling: boolean, damping: number): void {
    if (state === PageState.Dead) return this.dead.add(mass);
    this.inside.add(mass);
    if (state === PageState.LinksUnknown) this.unknown.add(damping * mass);
    else if (isDangling) this.dangling.add(mass);
  }
}
