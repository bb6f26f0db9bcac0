/** `tidemark/community`: what the pages of a local collection are worth in the whole web. */
export {
  type CommunitySurvey,
  type CommunitySurveyInput,
  type Distances,
  distancesBetween,
  findGlobalPagerank,
  type Frontier,
  frontierOf,
  type GlobalEstimate,
  type GlobalPagerankInput,
  impacts,
  pagesOfHost,
  restrictedTo,
  type SelectionMethod,
  surveyCommunity,
} from "../community/index.ts";
