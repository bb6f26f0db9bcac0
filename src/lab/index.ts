export * from "./experiments/index.ts";
export { simulate, trueRanks } from "./simulate.ts";
export * from "./simulation.ts";
export { measureSite, type SiteMeasures } from "./sites/measure.ts";
export { siteShapes } from "./sites/shapes.ts";
export { type StartedTeam, startRankTeam } from "./threads.ts";
export * from "./exhibits.ts";
export { plainSiteFile, scriptSiteFile } from "./sites/script-site.ts";
