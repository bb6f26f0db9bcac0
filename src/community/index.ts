export {
  CommunityOrder,
  type CommunityOrderOptions,
  type CommunityResult,
  type CommunityRound,
} from "./community-order.ts";
export * from "./distances.ts";
export { type EstimateChoice, TRIAL_WEIGHTS } from "./estimate-choice.ts";
export * from "./global-pagerank.ts";
export { knownPart } from "./known-web.ts";
export { pagesBeside, pagesOfHost, pagesWithin } from "./local-domain.ts";
export { runStarts } from "./page-runs.ts";
export {
  checkSelection,
  type FrontierScore,
  scoresOf,
  type SelectionMethod,
  SELECTIONS,
} from "./select.ts";
export * from "./survey.ts";
