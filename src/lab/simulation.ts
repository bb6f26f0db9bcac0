/**
 * What a simulation yields, in the very shape that `tidemark simulate --json` prints: fields may be added, never renamed.
 * Three values are followed while pages are downloaded:
 *
 * - `actual`: the true share of the rank that the downloaded pages hold, which only a simulation knows;
 * - `guaranteed`: the order's own running lower bound, where it keeps one;
 * - `certified`: the exact certificate of the pages downloaded so far.
 */

import type { Clock, Progress } from "../base/index.ts";
import type { Graph, Hosts } from "../graph/index.ts";

/** The levels of coverage whose first download is recorded. */
export const LEVELS = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999] as const;

export type Level = `${(typeof LEVELS)[number]}`;

/** Downloads at which each level was first reached; a level not reached is left out. */
export type Reached = { readonly [level in Level]?: number };

/** `guaranteed` is null where the order keeps no bound of its own. */
export type CurvePoint = readonly [
  downloads: number,
  actual: number,
  guaranteed: number | null,
  certified: number,
];

/** What choosing had cost by then: seconds of the order itself, and arc updates. */
export type CostPoint = readonly [downloads: number, seconds: number, pushes: number];

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
  readonly final: { readonly actual: number; readonly guaranteed: number | null; readonly certified: number };
  /**
   * Downloads ascend strictly; none of the three values ever falls. All runs of a simulation are sampled at the same
   * downloads, and each at its own last one too, so that values can be compared between orders.
   */
  readonly curve: readonly CurvePoint[];
  /** At the downloads of the curve. */
  readonly cost: readonly CostPoint[];
  /** Batches of downloads begun, for orders that work in batches; null for others. */
  readonly rounds: number | null;
}

export interface Simulation {
  /** `hosts` is null where the graph has no URLs. */
  readonly graph: { readonly pages: number; readonly arcs: number; readonly hosts: number | null };
  readonly damping: number;
  /** Trusted pages, and their trust together: what is missing to 1 is trust that could not be seeded. */
  readonly trust: { readonly pages: number; readonly total: number };
  readonly runs: readonly SimulationRun[];
}

export interface SimulationInput {
  /** Self links dropped. */
  readonly graph: Graph;
  /** How many self links were dropped: they count as arcs of the graph in the result. */
  readonly selfLinks: number;
  readonly hosts?: Hosts | undefined;
  /** At most one entry a page. */
  readonly trust: readonly (readonly [page: number, weight: number])[];
  readonly damping: number;
  readonly orders: readonly string[];
  /** The true rank of every page; computed from the trust unless given. */
  readonly trueRanks?: Float64Array | undefined;
  /** Stop each order at this certified coverage. */
  readonly coverage?: number | undefined;
  /** Stop each order where its own guarantee reaches this. */
  readonly guarantee?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly clock: Clock;
  readonly progress?: Progress | undefined;
}
