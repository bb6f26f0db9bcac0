/**
 * The dangling rules: where a surfer goes from a page without out-links. The header of pagerank.ts derives their
 * equations, and how a solution without dangling pages becomes one with them.
 */
import type { System } from "./solver.ts";

export const DANGLING_RULES = ["restart", "uniform", "none"] as const;
/**
 * Where the surfer goes from a page without links: back to the trusted pages (`restart`), to any page (`uniform`), or
 * nowhere (`none`).
 */
export type DanglingRule = (typeof DANGLING_RULES)[number];

/** The right-hand side `trustWeight t + uniformWeight / n`. */
export interface Weights {
  readonly trustWeight: number;
  readonly uniformWeight: number;
}

/** The right-hand side of the rule's equation, for the rank of x on dangling pages. */
export function weightsUnder(rule: DanglingRule, system: System): Weights {
  const flow = system.damping * danglingRank(system);
  return {
    trustWeight: 1 - system.damping + (rule === "restart" ? flow : 0),
    uniformWeight: rule === "uniform" ? flow : 0,
  };
}

/**
 * Divides x by the whole. If x was solved for more trust than `(1-d) t`, then delta, which is part of the whole, grew
 * too.
 */
export function normalise({ x, damping }: System, { trustWeight }: Weights, delta: number): void {
  const factor = 1 / (sum(x) + (delta * trustWeight) / (1 - damping));
  for (let page = 0; page < x.length; page++) x[page] *= factor;
}

/** Adds the right multiple of v, the solution in `everywhere`, to x, which may contain some of it already. */
export function addUniform(system: System, { uniformWeight }: Weights, everywhere: System): void {
  const { x, damping } = system;
  const odds = damping / (1 - damping);
  const contained = uniformWeight / (1 - damping);
  const danglingOfV = danglingRank(everywhere);
  const danglingOfU = danglingRank(system) - contained * danglingOfV;
  const missing = (odds * danglingOfU) / (1 - odds * danglingOfV) - contained;
  for (let page = 0; page < x.length; page++) x[page] += missing * everywhere.x[page];
}

function danglingRank({ graph: { pages, offsets }, x }: System): number {
  let total = 0;
  for (let page = 0; page < pages; page++) if (offsets[page] === offsets[page + 1]) total += x[page];
  return total;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}
