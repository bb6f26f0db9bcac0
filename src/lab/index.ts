export * from "./experiments/index.ts";
export { simulate, trueRanks } from "./simulate.ts";
export * from "./simulation.ts";
export { type StartedTeam, startRankTeam } from "./threads.ts";
export * from "./exhibits.ts";
