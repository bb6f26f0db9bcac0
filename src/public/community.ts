/**
 * `tidemark/community`: what the pages of a local collection are worth in the whole web.
 *
 * @example
 * ```js
 * import { distancesBetween, findGlobalPagerank, pagesOfHost, restrictedTo } from "tidemark/community";
 * import { generateGraph } from "tidemark/graph";
 * import { pagerank } from "tidemark/rank";
 *
 * const { graph: web, hosts } = generateGraph({ pages: 2000, seed: 1 });
 * const local = pagesOfHost(hosts, hosts.names[0]);
 * const truth = restrictedTo(local, pagerank(web, { dangling: "uniform" }).ranks);
 * const rounds = findGlobalPagerank({ web, local, select: "sc", rounds: 3, pagesPerRound: 200 });
 * for (const { crawled, ranks } of rounds) {
 *   console.log(crawled.length, distancesBetween(ranks, truth).l1.toFixed(3));
 * }
 * ```
 *
 * It prints:
 *
 * ```text
 * 0 0.255
 * 12 0.258
 * 155 0.219
 * 355 0.141
 * ```
 * @packageDocumentation
 */
export {
  type CommunityEstimate,
  type CommunitySurvey,
  type CommunitySurveyInput,
  type Distances,
  distancesBetween,
  type EstimateChoice,
  type EstimatorOptions,
  findGlobalPagerank,
  type Frontier,
  frontierOf,
  type FrontierScore,
  type GlobalEstimate,
  type GlobalPagerankInput,
  impacts,
  pagesOfHost,
  restrictedTo,
  type SelectionMethod,
  surveyCommunity,
} from "../community/index.ts";
