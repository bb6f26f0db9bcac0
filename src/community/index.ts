export * from "./global-pagerank.ts";
export { KnownWebReader } from "./known-web.ts";
export { pagesBeside, pagesOfHost, pagesWithin } from "./local-domain.ts";
export { checkSelection, type SelectionMethod, SELECTIONS } from "./select.ts";
export { scScores } from "./stochastic-complement.ts";
export * from "./survey.ts";
