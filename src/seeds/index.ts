export { checkMethod, paperMethods, type SeedMethod, seedMethods } from "./methods.ts";
export { type Covered, type SeedProblem } from "./problem.ts";
export {
  type Selection,
  type SelectOptions,
  selectSeeds,
  selectSeedsBySite,
  type SiteOptions,
  type SiteSelection,
  type SiteShare,
} from "./select.ts";
export { shareOut, type Site, sitesOf, subgraph } from "./sites.ts";
export { type PageFacts, paperValues } from "./values.ts";
