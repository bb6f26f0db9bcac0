/**
 * Compares crawl orders on a graph whose true ranks are known. An order is the same module that a live crawl runs; here
 * its downloads are free and its choices are scored.
 *
 * Measured for each order: actual coverage (the true ranks of what was downloaded), the order's own guarantee, the
 * exact certificate of the same pages, arc updates, and the seconds that the order itself took. That time does not
 * include true ranks and certificates; it includes a little bookkeeping after each download, which is negligible.
 */
import { noProgress, type Progress, UsageError } from "../base/index.ts";
import type { Graph } from "../graph/index.ts";
import { checkOrder } from "../order/index.ts";
import { pagerank } from "../rank/index.ts";
import type { Simulation, SimulationInput } from "./simulation.ts";
import { Trial } from "./trial.ts";

/** Runs crawl orders on a graph and compares what they cover. */
export function simulate(input: SimulationInput): Simulation {
  const { graph, damping } = input;
  // Sorted by id, so that a result does not depend on the order of lines in a file.
  const trust = input.trust.toSorted(([a], [b]) => a - b);
  checkValues(input);
  for (const name of input.orders) checkOrder(name, { hasHosts: input.hosts !== undefined });
  const truth = input.trueRanks ?? trueRanks(graph, trust, damping, input.progress);
  return { ...describe(input), runs: input.orders.map((name) => new Trial(name, { ...input, trust }, truth).run()) };
}

function checkValues({ graph, values }: SimulationInput): void {
  if (values === undefined) return;
  if (values.length !== graph.pages) {
    throw new UsageError(`there are ${values.length} values for ${graph.pages} pages; expected one per page`);
  }
  const wrong = values.findIndex((value) => !(value >= 0 && value <= 1));
  if (wrong >= 0) {
    throw new UsageError(`the value of page ${wrong} is ${values[wrong]}, expected a number from 0 to 1`);
  }
}

/** What a simulation is about. */
export function describe(input: Omit<SimulationInput, "orders">): Omit<Simulation, "runs"> {
  const { graph, selfLinks, hosts, damping, trust, sampling } = input;
  const total = trust.reduce((sum, [, weight]) => sum + weight, 0);
  return {
    graph: { pages: graph.pages, arcs: graph.arcs + selfLinks, hosts: hosts?.names.length ?? null },
    damping,
    trust: { pages: trust.length, total: Math.abs(1 - total) < 1e-12 ? 1 : total },
    ...(sampling === undefined ? {} : { sampling }),
  };
}

/** The true ranks of all pages; unseeded trust is on pages outside the graph. */
export function trueRanks(
  graph: Graph,
  trust: SimulationInput["trust"] | Float64Array,
  damping: number,
  progress: Progress = noProgress,
): Float64Array {
  const weights = trust instanceof Float64Array ? trust : weightsByPage(trust, graph.pages);
  return pagerank(graph, { damping, trust: weights, stopping: { tolerance: 1e-12 }, progress }).ranks;
}

function weightsByPage(trust: SimulationInput["trust"], pages: number): Float64Array {
  const weights = new Float64Array(pages);
  for (const [page, weight] of trust) weights[page] = weight;
  return weights;
}
