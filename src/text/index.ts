export {
  closingInWords,
  type CrawlEnd,
  endInWords,
  headline,
  limitsInWords,
  limitTexts,
  outlook,
  runInWords,
  type RunState,
  runStateNames,
  targetInWords,
} from "./crawl.ts";
export {
  eventInWords,
  reasonInWords,
  refusalInWords,
  seedLossInWords,
  shortReason,
  unreachableShare,
  visitInWords,
} from "./events.ts";
export {
  clockInWords,
  hundredthsAtMost,
  type Interval,
  intervalFigures,
  intervalInWords,
  isNegligible,
  momentInWords,
  onLogScale,
  roughlyInWords,
  SCALE_WORDS,
  shareAtLeast,
  shareAtMost,
  shareFigure,
  shareInWords,
  spanInWords,
} from "./figures.ts";
export { shortened, shown, shownInLine } from "./foreign.ts";
export { missingInWords, reasonFor, REASONS, type ReasonWords, withoutShareInWords } from "./reasons.ts";
export { orderRule } from "./orders.ts";
export {
  type EventName,
  eventTexts,
  hostStatusInWords,
  sourceTexts,
  stateTexts,
} from "./states.ts";
