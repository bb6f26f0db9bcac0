/**
 * `tidemark/seeds`: where to start a crawl.
 *
 * @example
 * ```js
 * import { generateGraph } from "tidemark/graph";
 * import { selectSeeds } from "tidemark/seeds";
 *
 * const { graph } = generateGraph({ pages: 2000, seed: 1 });
 * for (const method of ["random", "greedy"]) {
 *   const { covered } = selectSeeds({ graph, count: 3, hops: 3 }, { method });
 *   console.log(method, covered.pages);
 * }
 * ```
 *
 * It prints:
 *
 * ```text
 * random 466
 * greedy 1768
 * ```
 * @packageDocumentation
 */
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
