/**
 * `tidemark/lab`: compare crawl orders on a known graph, run the papers' experiments, and draw the results.
 *
 * @example
 * ```js
 * import { systemClock } from "tidemark";
 * import { generateGraph } from "tidemark/graph";
 * import { simulate } from "tidemark/lab";
 *
 * const { graph, hosts } = generateGraph({ pages: 1000, seed: 1 });
 * const input = { graph, hosts, selfLinks: 0, damping: 0.85, trust: [[0, 1]], clock: systemClock };
 * for (const { order, certified } of simulate({ ...input, orders: ["rankmass", "random:1"] }).runs) {
 *   console.log(order, certified["0.9"]);
 * }
 * ```
 *
 * It prints:
 *
 * ```text
 * rankmass 98
 * random:1 700
 * ```
 * @packageDocumentation
 */
export {
  type CostPoint,
  type CurvePoint,
  type ExperimentInput,
  experimentNames,
  type ExperimentResult,
  type Level,
  type Reached,
  runExperiment,
  simulate,
  type Simulation,
  type SimulationInput,
  type SimulationRun,
  type StartedTeam,
  startRankTeam,
} from "../lab/index.ts";
export { experimentReport, simulationReport, type SimulationReportOptions } from "../report/index.ts";
