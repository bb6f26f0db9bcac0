export {
  checkExperiment,
  type ExperimentInput,
  experimentNames,
  type ExperimentResult,
  runExperiment,
} from "./experiments/index.ts";
export { simulate, trueRanks } from "./simulate.ts";
export {
  type CostPoint,
  type CurvePoint,
  type Level,
  LEVELS,
  type Reached,
  type Simulation,
  type SimulationInput,
  type SimulationRun,
} from "./simulation.ts";
export { type StartedTeam, startRankTeam } from "./threads.ts";
export {
  type Axis,
  type AxisKind,
  type Cell,
  type Chart,
  type Column,
  coverageChart,
  type Line,
  type Series,
  simulationFacts,
  simulationTable,
  type Table,
  type Verdict,
} from "./exhibits.ts";
