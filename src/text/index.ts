export * from "./coverage.ts";
export * from "./crawl.ts";
export * from "./events.ts";
export * from "./figures.ts";
export { shortened, shown, shownInLine } from "./foreign.ts";
export { missingInWords, reasonFor, REASONS, type ReasonWords, withoutShareInWords } from "./reasons.ts";
export { orderRule } from "./orders.ts";
export * from "./states.ts";
