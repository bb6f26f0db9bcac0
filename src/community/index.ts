export { type Distances, distancesBetween } from "./distances.ts";
export {
  checkLocal,
  findGlobalPagerank,
  type GlobalEstimate,
  type GlobalPagerankInput,
  restrictedTo,
} from "./global-pagerank.ts";
export { impacts } from "./impact.ts";
export { type KnownWeb, KnownWebReader } from "./known-web.ts";
export { pagesBeside, pagesOfHost, pagesWithin } from "./local-domain.ts";
export { checkSelection, type Selection, SELECTIONS } from "./select.ts";
export { scScores, type ScOptions } from "./stochastic-complement.ts";
export { type Frontier, frontierOf, type Survey, surveyCommunity, type SurveyInput } from "./survey.ts";
