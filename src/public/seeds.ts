/** `tidemark/seeds`: where to start a crawl. */
export {
  type Covered,
  type PageFacts,
  paperValues,
  type SeedMethod,
  seedMethods,
  type SeedOptions,
  type SeedProblem,
  type SeedSelection,
  selectSeeds,
  selectSeedsBySite,
  type SiteSeedOptions,
  type SiteSeedSelection,
  type SiteShare,
} from "../seeds/index.ts";
