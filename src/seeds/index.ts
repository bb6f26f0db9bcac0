export { checkMethod, paperMethods, type SeedMethod, seedMethods } from "./select.ts";
export { type Covered, type PageFacts, paperValues, type SeedProblem } from "./problem.ts";
export {
  type SeedSelection,
  type SeedOptions,
  selectSeeds,
  selectSeedsBySite,
  type SiteSeedOptions,
  type SiteSeedSelection,
  type SiteShare,
} from "./select.ts";
export { shareOut, sitesOf, subgraph } from "./sites.ts";
