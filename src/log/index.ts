export { BATCH_VERSION, BatchWriter, type LogSink, replayBatch, SILENT_SINK } from "./batch.ts";
export { skimBatch, type SkimmedUrl } from "./batch-skim.ts";
export { decodeLinks, decodeReason, decodeRereadReason, encodeLinks, encodeReason, refusalReason } from "./codecs.ts";
export { ContentCopies } from "./content-copies.ts";
export { DeletedFirstReads } from "./deleted-first-reads.ts";
export { DEPTH_MAX, type DepthColumn, Depths } from "./depths.ts";
export {
  decodeEarlierReads,
  earlierCount,
  earlierReads,
  encodeEarlierReads,
} from "./earlier-reads.ts";
export { type CrawlLog, type FeedOptions, LogFeed, type LogListener } from "./log-feed.ts";
export { LoginPages, type LoginWall } from "./login-wall.ts";
export { LogRules, noSuchOutcome, secondOutcome } from "./log-rules.ts";
export * from "./records.ts";
export { type FoldableReread, type RereadFolds, RereadFolding } from "./reread-folding.ts";
export { asSeen, stateName, Tally, UrlView } from "./views.ts";
