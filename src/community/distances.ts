/**
 * How far an estimate is from the truth (Communities, section 6.1): L1, L-infinity, Kendall's tau-a. Both rankings sum
 * to 1 over the same local pages.
 *
 * Pages with the same in-links have the same rank, but a solver leaves them about 1e-12 of it apart, and tau would
 * count the order of that noise. So ranks are compared as 32-bit floats (six parts in 1e8): closer ones are ties, which
 * tau-a counts as neither agreement nor disagreement.
 */
import { kendallTau, l1Distance, lInfinityDistance } from "../rank/index.ts";

/** How far two rankings are apart, by three measures. */
export interface Distances {
  readonly l1: number;
  readonly linf: number;
  /** NaN for a single page. */
  readonly kendall: number;
}

/** Compares an estimated ranking of a community with the true one. */
export function distancesBetween(estimate: Float64Array, truth: Float64Array): Distances {
  return {
    l1: l1Distance(estimate, truth),
    linf: lInfinityDistance(estimate, truth),
    kendall: kendallTau(coarse(estimate), coarse(truth)),
  };
}

function coarse(ranks: Float64Array): Float64Array {
  return ranks.map(Math.fround);
}
