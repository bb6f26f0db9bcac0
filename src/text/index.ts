export { eventInWords, seedLossInWords, unreachableShare, visitInWords } from "./events.ts";
export { shortened, shown, shownInLine } from "./foreign.ts";
export { headline, outlook } from "./headline.ts";
export { missingInWords, reasonFor, REASONS, type ReasonWords } from "./missing.ts";
export { clockInWords, momentInWords, roughlyInWords, spanInWords } from "./moments.ts";
export { orderRule } from "./orders.ts";
export { reasonInWords, refusalInWords, shortReason } from "./outcomes.ts";
export {
  type Interval,
  intervalFigures,
  intervalInWords,
  isNegligible,
  onLogScale,
  SCALE_WORDS,
  shareAtLeast,
  shareAtMost,
  shareFigure,
  shareInWords,
} from "./shares.ts";
export {
  type EventName,
  eventTexts,
  hostStatusInWords,
  isDownloaded,
  rereadNames,
  runInWords,
  type RunState,
  runStateNames,
  sourceTexts,
  stateTexts,
} from "./states.ts";
export {
  closingInWords,
  type CrawlEnd,
  endInWords,
  limitsInWords,
  limitTexts,
  targetInWords,
} from "./stops.ts";
