/** The steps that every PageRank is made of, on one team, with one stopping rule and one count of sweeps. */
import type { Progress } from "../base/index.ts";
import type { Graph } from "../graph/index.ts";
import type { Norm, System } from "./solver.ts";
import { type Team, workTogether } from "./team.ts";

export const DANGLING_RULES = ["restart", "uniform", "none"] as const;
export type DanglingRule = (typeof DANGLING_RULES)[number];

/** Stop when the residual in this norm is at most the tolerance, or after so many sweeps. */
export interface Stopping {
  readonly norm: Norm;
  readonly tolerance: number;
  readonly maxIterations: number;
}

/** The right-hand side `trustWeight t + uniformWeight / n`. */
export interface Weights {
  readonly trustWeight: number;
  readonly uniformWeight: number;
}

export class Run {
  iterations = 0;
  readonly #team: Team;
  readonly #stopping: Stopping;
  readonly #progress: Progress;

  constructor(team: Team, stopping: Stopping, progress: Progress) {
    this.#team = team;
    this.#stopping = stopping;
    this.#progress = progress;
  }

  /** Sets the right-hand side; answers the residual of x, computed from x alone. */
  state(system: System, weights: Weights): number {
    const task = { kind: "restate", norm: this.#stopping.norm, ...weights } as const;
    return workTogether(this.#team, system, task).residual;
  }

  advance(system: System, target: number): void {
    const before = this.iterations;
    const maxIterations = this.#stopping.maxIterations - before;
    const task = { kind: "advance", norm: this.#stopping.norm, target, maxIterations } as const;
    const outcome = workTogether(this.#team, system, task, (sweeps) =>
      this.#progress({ task: "ranking", done: before + sweeps, unit: "sweeps" }),
    );
    this.iterations += outcome.iterations;
  }

  /**
   * The residual of x in the equation of its rule. Where combining solutions has left it above the tolerance, the
   * equation is advanced as it stands, with the dangling rank of the moment, as long as that helps.
   */
  verify(system: System, rule: DanglingRule): number {
    const { tolerance, maxIterations } = this.#stopping;
    let previous = Infinity;
    for (;;) {
      const residual = this.state(system, rightHandSide(system, rule));
      const helps = residual < previous / 2 && this.iterations < maxIterations;
      if (residual <= tolerance || !helps) return residual;
      previous = residual;
      this.advance(system, tolerance / 4);
    }
  }
}

function rightHandSide({ graph, damping, x }: System, rule: DanglingRule): Weights {
  const dangling = damping * danglingSum(graph, x);
  return {
    trustWeight: 1 - damping + (rule === "restart" ? dangling : 0),
    uniformWeight: rule === "uniform" ? dangling : 0,
  };
}

export function danglingSum({ pages, offsets }: Graph, x: Float64Array): number {
  let total = 0;
  for (let page = 0; page < pages; page++) if (offsets[page] === offsets[page + 1]) total += x[page];
  return total;
}
