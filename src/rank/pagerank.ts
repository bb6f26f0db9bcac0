/**
 * PageRank, uniform or personalised (L. Page, S. Brin, R. Motwani, T. Winograd, The PageRank Citation Ranking, 1998),
 * as a linear system (A. N. Langville and C. D. Meyer, Deeper Inside PageRank, Internet Mathematics 1(3), 2004, section
 * 5.2; the treatment of dangling pages is their section 8.4).
 *
 * With d the damping factor, t the trust, D the rank that sits on pages without out-links, n the number of pages, the
 * ranks x satisfy
 *
 *     restart   x = (1-d) t + d W x + d D t          dangling pages lead back to the trusted ones
 *     uniform   x = (1-d) t + d W x + d D / n        dangling pages lead everywhere
 *     none      x = (1-d) t + d W x                  dangling pages lead nowhere
 *
 * All three are combinations of solutions of the last equation (solver.ts). Let u solve it. If the trust sums to 1 -
 * delta, summing it up gives `sum(u) + delta = 1 - d D_u / (1-d)`, hence `restart` is `u / (sum(u) + delta)`. If v
 * solves it for uniform trust, `uniform` is `u + g v` with `g = d D / (1-d)`; inserting `D = D_u + g D_v` gives g.
 *
 * Ranks are shares of the whole that t is part of. `restart` and `uniform` sum to 1 if the trust does. If it sums to
 * less, delta is on pages outside the graph. Under `restart` the ranks then sum to `sum(u) / (sum(u) + delta)`, which
 * is the coverage certified for the whole graph, and each is a lower bound of the page's rank in the whole; under
 * `uniform` they sum to the trust.
 *
 * u and v are solved on the condensed graph (condense.ts, pull-solver.ts). The residual is measured on the graph
 * itself; if it exceeds the tolerance, pushing residuals (solver.ts) does the rest. If the condensed graph would have
 * more than 2^27 arcs, pushing does all of the work.
 *
 * The residual is that of the rule's own equation, computed from the final ranks alone by one pass over all links. It
 * is above the tolerance only if the iterations ran out or rounding allows no less (about 1e-16).
 *
 * Memory: 8 (1 + threads) bytes per page, twice that for `uniform` with trust. The condensed graph takes 8 bytes for
 * each arc that is left, and about 60 per page while it is built.
 */
import { noProgress, type Progress, UsageError } from "../base/index.ts";
import type { Graph } from "../graph/index.ts";
import { condense } from "./condense.ts";
import type { Norm } from "./push.ts";
import { createSystem, type System, type Task, type Weights } from "./solver.ts";
import { solo, type Team, workTogether } from "./team.ts";
import { sharedCopy, trustTotal } from "./trust.ts";

/** Condensed graphs of more arcs are not built: they take 8 bytes per arc while they are built. */
const CONDENSED_ARCS_MAX = 2 ** 27;

export const DANGLING_RULES = ["restart", "uniform", "none"] as const;
/** Where a surfer goes from a page without links: to trusted pages (`restart`), any (`uniform`) or nowhere (`none`). */
export type DanglingRule = (typeof DANGLING_RULES)[number];

/** When to stop: when the residual in this norm is at most the tolerance, or after this many sweeps. */
export interface Stopping {
  readonly norm: Norm;
  readonly tolerance: number;
  readonly maxIterations: number;
}

/** Options of `pagerank`. */
export interface PagerankOptions {
  /** In (0, 1); default: 0.85. */
  readonly damping?: number;
  /** One weight per page, at most 1 in sum (default: the same for every page). */
  readonly trust?: Float64Array | undefined;
  /** Where the surfer goes from a page without links (default: `restart`). */
  readonly dangling?: DanglingRule;
  /** Ranks to start from, one per page: saves time if they are close, changes the result by the tolerance at most. */
  readonly start?: Float64Array | undefined;
  /** Default: L1 norm, tolerance 1e-10, 10,000 sweeps. */
  readonly stopping?: Partial<Stopping>;
  /** Threads that share the work (default: the calling thread alone). */
  readonly team?: Team;
  readonly progress?: Progress;
}

/** Ranks, with everything needed to interpret them. */
export interface Ranking extends Stopping {
  /** One rank per page, in shared memory. */
  readonly ranks: Float64Array;
  readonly damping: number;
  readonly trust: "uniform" | "personalised";
  readonly dangling: DanglingRule;
  /** Sweeps made; if components were solved one after another, those of the component that took most. */
  readonly iterations: number;
  readonly residual: number;
}

/** PageRank of every page: the share of time that a random surfer spends there. Drop self links first. */
export function pagerank(graph: Graph, options: PagerankOptions = {}): Ranking {
  const { damping = 0.85, dangling = "restart", team = solo, progress = noProgress } = options;
  const stopping: Stopping = { norm: "l1", tolerance: 1e-10, maxIterations: 10_000, ...options.stopping };
  checkNumbers(graph, damping, stopping);
  if (options.start !== undefined) checkStart(graph, options.start);
  const delta = options.trust === undefined ? 0 : 1 - trustTotal(options.trust, graph.pages);
  const trust = options.trust === undefined ? undefined : sharedCopy(options.trust);
  const { norm, tolerance, maxIterations } = stopping;
  // With uniform trust the rules restart and uniform are the same, and restart needs only one solution.
  const rule = trust === undefined && dangling === "uniform" ? "restart" : dangling;

  let iterations = 0;
  const work = (each: System, task: Task): number => {
    const before = iterations;
    const outcome = workTogether(team, each, task, (sweeps) =>
      progress({ task: "ranking", done: before + sweeps, unit: "sweeps" }),
    );
    iterations += outcome.iterations;
    return outcome.residual;
  };

  const { threads } = team;
  const condensed =
    options.start === undefined ? condense(graph, { damping, arcsMax: CONDENSED_ARCS_MAX, team }) : undefined;
  const system = createSystem(graph, { damping, trust, condensed, threads });
  const everywhere = rule === "uniform" ? createSystem(graph, { damping, condensed, threads }) : undefined;
  const systems = everywhere === undefined ? [system] : [system, everywhere];
  const start = { trustWeight: 1 - damping, uniformWeight: 0 };
  let weights: Weights = start;
  if (condensed === undefined) for (const each of systems) work(each, { kind: "restate", norm, ...start });
  if (options.start !== undefined) {
    system.x.set(options.start);
    weights = weightsUnder(rule, system);
    work(system, { kind: "restate", norm, ...weights });
  }

  let kind: "advance" | "solve" = condensed === undefined ? "advance" : "solve";
  let target = condensed === undefined ? tolerance / 2 : tolerance;
  let residual = Infinity;
  for (;;) {
    const previous = residual;
    for (const each of systems) work(each, { kind, norm, target, maxIterations: maxIterations - iterations });
    if (everywhere !== undefined) addUniform(system, weights, everywhere);
    else if (rule === "restart") normalise(system, weights, delta);
    weights = weightsUnder(rule, system);
    residual = work(system, { kind: "restate", norm, ...weights });
    const helps = residual < previous / 2 && iterations < maxIterations;
    if (residual <= tolerance || !helps) break;
    if (kind === "advance") {
      target *= tolerance / (2 * residual);
      continue;
    }
    kind = "advance";
    target = tolerance / 2;
    residual = Infinity;
    if (everywhere !== undefined) work(everywhere, { kind: "restate", norm, ...start });
  }
  const trusted = trust === undefined ? "uniform" : "personalised";
  return { ranks: system.x, damping, trust: trusted, dangling, ...stopping, iterations, residual };
}

function checkNumbers(graph: Graph, damping: number, { tolerance, maxIterations }: Stopping): void {
  if (graph.pages === 0) throw new UsageError("the graph has no pages, expected at least one");
  if (!(damping > 0 && damping < 1)) {
    throw new UsageError(`damping is ${damping}, expected a number between 0 and 1, both excluded`);
  }
  if (!(tolerance > 0)) throw new UsageError(`tolerance is ${tolerance}, expected a number above 0`);
  if (!(maxIterations >= 1)) throw new UsageError(`maximum of iterations is ${maxIterations}, expected at least 1`);
}

function checkStart({ pages }: Graph, start: Float64Array): void {
  if (start.length !== pages) {
    throw new UsageError(`got ${start.length} ranks to start from for ${pages} pages, expected one per page`);
  }
  if (!start.every((rank) => rank >= 0 && rank < Infinity)) {
    throw new UsageError("a rank to start from is negative or not a number, expected finite numbers of at least 0");
  }
}

/** The right-hand side of the rule's equation, for the rank of x on dangling pages. */
function weightsUnder(rule: DanglingRule, system: System): Weights {
  const flow = system.damping * danglingRank(system);
  return {
    trustWeight: 1 - system.damping + (rule === "restart" ? flow : 0),
    uniformWeight: rule === "uniform" ? flow : 0,
  };
}

/** Divides x by the whole. If x was solved for more trust than `(1-d) t`, then delta, a part of the whole, grew too. */
function normalise({ x, damping }: System, { trustWeight }: Weights, delta: number): void {
  const factor = 1 / (sum(x) + (delta * trustWeight) / (1 - damping));
  for (let page = 0; page < x.length; page++) x[page] *= factor;
}

/** Adds the right multiple of v, the solution in `everywhere`, to x, which may contain some of it already. */
function addUniform(system: System, { uniformWeight }: Weights, everywhere: System): void {
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
