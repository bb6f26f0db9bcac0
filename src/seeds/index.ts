export {
  checkMethod,
  paperMethods,
  type SeedMethod,
  seedMethods,
  type SeedOptions,
  type SeedSelection,
  selectSeeds,
  selectSeedsBySite,
  type SiteSeedOptions,
  type SiteSeedSelection,
  type SiteShare,
} from "./select.ts";
export { type Covered, type PageFacts, paperValues, type SeedProblem } from "./problem.ts";
export { shareOut, sitesOf, subgraph } from "./sites.ts";
