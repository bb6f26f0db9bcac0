export * from "./select.ts";
export { type Covered, type PageFacts, paperValues, type SeedProblem } from "./problem.ts";
export { shareOut, sitesOf, subgraph } from "./sites.ts";
