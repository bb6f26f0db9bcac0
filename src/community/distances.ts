/** How far an estimated ranking of a community is from the true one (Communities, section 6.1). */
import { kendallTau, l1Distance, lInfinityDistance } from "../rank/index.ts";
import { shares } from "./frontier-rank.ts";

/** How far two rankings are apart, by three measures. */
export interface Distances {
  readonly l1: number;
  readonly linf: number;
  /** NaN for a single page. */
  readonly kendall: number;
}

/**
 * Compares an estimated ranking of a community with the true one. Both sum to 1 over the same local pages.
 *
 * Pages with the same in-links have the same rank, but a solver leaves them about 1e-12 of it apart, and tau would
 * count the order of that noise. So tau compares ranks as 32-bit floats (six parts in 1e8): closer ones are ties, which
 * tau-a counts as neither agreement nor disagreement.
 */
export function distancesBetween(estimate: Float64Array, truth: Float64Array): Distances {
  return {
    l1: l1Distance(estimate, truth),
    linf: lInfinityDistance(estimate, truth),
    kendall: kendallTau(estimate.map(Math.fround), truth.map(Math.fround)),
  };
}

/** The ranks of some pages, divided by their sum: E_L g / |E_L g|. */
export function restrictedTo(pages: Uint32Array, ranks: Float64Array): Float64Array {
  return shares(
    Float64Array.from(pages, (page) => ranks[page]),
    pages.length,
  );
}
