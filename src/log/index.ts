export { decodeLinks, decodeReason, decodeRereadReason, encodeLinks, encodeReason, refusalReason } from "./codecs.ts";
export { DEPTH_MAX, Depths } from "./depths.ts";
export { type CrawlLog, LogFeed, type LogListener } from "./log-feed.ts";
export { LogRules, secondOutcome } from "./log-rules.ts";
export {
  isFinal,
  type Outcome,
  outcomes,
  NO_PAGE_FACTS,
  type PageFacts,
  type ReceivedRecord,
  type Reread,
  type RereadOutcome,
  rereadOutcomes,
  type RobotsRecord,
  type Source,
  sources,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "./records.ts";
export { asSeen, stateName, Tally, UrlView } from "./views.ts";
