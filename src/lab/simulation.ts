/**
 * The result of a simulation, in the form that `tidemark simulate --json` prints: fields may be added, never renamed.
 * Three values are measured while pages are downloaded:
 *
 * - `actual`: the true share of the rank on the downloaded pages, which only a simulation knows;
 * - `guaranteed`: the order's own running lower bound, if it has one;
 * - `certified`: the exact certificate of the pages downloaded so far.
 *
 * With values of pages there are also `valued`, the certified coverage of value (C10), and `actualValued`, the truth.
 *
 * With a confidence there is one more, which is not a proof: `sampled`, what a crawl with that confidence would claim.
 */

import type { Clock, Progress } from "../base/index.ts";
import type { Graph, Hosts } from "../graph/index.ts";

/** The levels of coverage for which the number of downloads is recorded. */
export const LEVELS = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999] as const;

/** A level of coverage, such as "0.98". */
export type Level = `${(typeof LEVELS)[number]}`;

/** The number of downloads at which each level was first reached; a level not reached is left out. */
export type Reached = { readonly [level in Level]?: number };

/** A point of the curves of a run; `guaranteed` is null if the order has no bound of its own. */
export type CurvePoint = readonly [downloads: number, actual: number, guaranteed: number | null, certified: number];

/** What choosing has cost so far: seconds of the order itself, and arc updates. */
export type CostPoint = readonly [downloads: number, seconds: number, pushes: number];

/** The result of one order. */
export interface SimulationRun {
  /** The order as the user named it: "windowed:10". */
  readonly order: string;
  readonly downloads: number;
  readonly seconds: number;
  /** Arc updates. */
  readonly pushes: number;
  readonly actual: Reached;
  readonly guaranteed: Reached;
  readonly certified: Reached;
  /**
   * Pages fetched in all, by crawl and walks, when each level was first claimed with the given confidence, as if it
   * alone had been the target. Only if a confidence was given.
   */
  readonly sampled?: Reached;
  /** Downloads at which the certified coverage of value first reached each level. Only if values were given. */
  readonly valued?: Reached;
  /** The same for the true coverage of value. */
  readonly actualValued?: Reached;
  readonly final: FinalCoverage;
  /** Downloads ascend strictly, no value falls. All runs are sampled at the same downloads, and at their last one. */
  readonly curve: readonly CurvePoint[];
  /** At the downloads of the curve. */
  readonly cost: readonly CostPoint[];
  /** Batches of downloads begun, for orders that work in batches; null for others. */
  readonly rounds: number | null;
}

/** What was covered in the end. */
interface FinalCoverage {
  readonly actual: number;
  readonly guaranteed: number | null;
  readonly certified: number;
  /** Certified coverage of value. Only if values were given. */
  readonly valued?: number;
  /** True coverage of value. Only if values were given. */
  readonly actualValued?: number;
}

/** How sampled levels are found. */
export interface Sampling {
  /** A claim is true with at least this probability; between 0 and 1. */
  readonly confidence: number;
  readonly seed: number;
}

/** The result of a simulation. */
export interface Simulation {
  /** `hosts` is null if the hosts of pages are unknown. */
  readonly graph: { readonly pages: number; readonly arcs: number; readonly hosts: number | null };
  readonly damping: number;
  /** The number of trusted pages and their total trust; if it is below 1, the rest could not be seeded. */
  readonly trust: { readonly pages: number; readonly total: number };
  /** The confidence of sampled levels, and the random seed. */
  readonly sampling?: Sampling;
  readonly runs: readonly SimulationRun[];
}

/** Input of `simulate`. */
export interface SimulationInput {
  /** Without self links. */
  readonly graph: Graph;
  /** How many self links were dropped; they count as arcs in the result. */
  readonly selfLinks: number;
  readonly hosts?: Hosts | undefined;
  /** At most one entry per page. */
  readonly trust: readonly (readonly [page: number, weight: number])[];
  readonly damping: number;
  readonly orders: readonly string[];
  /** The true rank of every page (default: computed from the trust). */
  readonly trueRanks?: Float64Array | undefined;
  /** Stop each order at this certified coverage. */
  readonly coverage?: number | undefined;
  /** Stop each order when its own guarantee reaches this. */
  readonly guarantee?: number | undefined;
  readonly maxPages?: number | undefined;
  /** Also find when levels would be claimed by sampling. */
  readonly sampling?: Sampling | undefined;
  /** What each page counts, from 0 to 1, once it is downloaded: also find when levels of value are certified. */
  readonly values?: Float64Array | undefined;
  readonly clock: Clock;
  readonly progress?: Progress | undefined;
}
