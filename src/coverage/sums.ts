/**
 * The bound (C7) by a few sums. Each is a sum of probabilities of surfing paths with distinct ends, and so is what
 * comes of adding up those of several ledgers that have no page in common: the bound holds for all of them together.
 * What is under way from one ledger to another is counted nowhere, which makes the bound lower, never too high.
 */
import { RunningSum } from "./accounts.ts";
import type { Universe } from "./facts.ts";

export interface MassSums {
  readonly damping: number;
  /** R: what is settled on downloaded pages. */
  readonly rankInside: number;
  /** What is settled on downloaded pages without links. */
  readonly rankDangling: number;
  /** What is settled on dead pages. */
  readonly rankDead: number;
  /** What has arrived at forbidden pages. */
  readonly flowForbidden: number;
  readonly trust: number;
  /** Additions that may have been rounded: final pages, and what was received. */
  readonly additions: number;
}

/** Rounding along one path: a product of a few hundred factors. */
const PATH_ROUNDING = 2e-13;
/** Rounding of one addition: 2^-53 and a little. */
const SUM_ROUNDING = 1.2e-16;
/** Trust that rounding may leave unseeded: seeds that share 1/k each sum to 1. */
const TRUST_ROUNDING = 1e-15;

/**
 * What rounding could have added to a bound. The totals are compensated, but what waits on a page is a plain sum of at
 * most one share per link, and equal shares may all round the same way: an error of the last bit for each page that
 * handed something on, carried on by a surfer for 1/(1-d) steps on average.
 */
export function roundingOf({ additions, damping }: Pick<MassSums, "additions" | "damping">): number {
  return (PATH_ROUNDING + SUM_ROUNDING * additions) / (1 - damping);
}

/** Trust that exists but has not been seeded. */
export function unseededOf({ trust }: Pick<MassSums, "trust">): number {
  const unseeded = 1 - trust;
  return unseeded < TRUST_ROUNDING ? 0 : unseeded;
}

/**
 * The largest that the whole can be, of which R is a part: all surfing, minus what would have followed after certain
 * ends.
 */
export function wholeOf(sums: MassSums, universe: Universe): number {
  const { damping: d, rankDangling, rankDead, flowForbidden, trust } = sums;
  const followed = universe === "everything" ? rankDead * d : rankDead + flowForbidden;
  return Math.max(1, trust) - (rankDangling * d + followed) / (1 - d);
}

/** The coverage proved (C7). True at any moment, best when nothing waits inside. */
export function boundOf(sums: MassSums, universe: Universe): number {
  const whole = wholeOf(sums, universe);
  const rounding = roundingOf(sums);
  if (universe === "everything") return Math.max(0, Math.min(1, sums.rankInside / whole) - rounding);
  // Where most is forbidden the whole is small, and rounding counts for more. The strict bound holds here too.
  const bound = whole <= rounding ? 0 : Math.min(1, sums.rankInside / whole) - rounding / whole;
  return Math.max(boundOf(sums, "everything"), bound);
}

/** The sums of ledgers of one web that have no page in common. */
export function addedUp(all: readonly MassSums[], damping: number): MassSums {
  const sum = (part: Exclude<keyof MassSums, "damping">): number => {
    const total = new RunningSum();
    for (const each of all) total.add(each[part]);
    return total.value;
  };
  return {
    damping,
    rankInside: sum("rankInside"),
    rankDangling: sum("rankDangling"),
    rankDead: sum("rankDead"),
    flowForbidden: sum("flowForbidden"),
    trust: sum("trust"),
    // Each addition here may be rounded, too.
    additions: sum("additions") + 8 * all.length,
  };
}
