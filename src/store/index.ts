export {
  type Archive,
  type CrawlStore,
  type Exchange,
  type Outcome,
  outcomes,
  type Reread,
  type RereadOutcome,
  rereadOutcomes,
  type RobotsRecord,
  type Source,
  StoreError,
  sources,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "./contract.ts";
export { MemoryStore } from "./memory-store.ts";
export { createCrawl, openCrawl, openCrawlReadOnly, SqliteStore, type StoreOptions } from "./sqlite-store.ts";
export { isCrawl } from "./crawl-directory.ts";
export { type CrawlWindow, type LogPiece, openWindow, type RereadPiece, type TextPiece } from "./window.ts";
export type { WindowLine, WindowReread, WindowVisit } from "./window-rows.ts";
export { openArchive, type WarcOptions } from "./warc.ts";
export { type PageRow, pageStates, type UrlVisitor } from "./sqlite-reader.ts";
export { pagesAsCsv } from "./export-csv.ts";
export { pagesAsJsonLines } from "./export-json-lines.ts";
export type { ExportOptions } from "./export-pages.ts";
export { type CrawlGraph, crawlGraph, type CrawlGraphOptions } from "./export-graph.ts";
