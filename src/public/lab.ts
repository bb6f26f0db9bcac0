/** `tidemark/lab`: compare crawl orders on a known graph, run the papers' experiments, and draw the results. */
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
