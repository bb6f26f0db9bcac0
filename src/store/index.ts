export { type CrawlStore, type HttpExchange, StoreError } from "./contract.ts";
export { MemoryStore } from "./memory-store.ts";
export {
  createCrawl,
  openCrawl,
  openCrawlReadOnly,
  reading,
  restartCrawl,
  SqliteStore,
  type StoreOptions,
} from "./sqlite-store.ts";
export { isCrawl } from "./crawl-directory.ts";
export { type CrawlWindow, openWindow } from "./window.ts";
export type { WindowLine, WindowVisit } from "./window-rows.ts";
export { openWarc } from "./warc-archive.ts";
export { payloadDigest } from "./warc-record.ts";
export { REVISIT } from "./cdxj.ts";
export { WarcReader } from "./warc-reader.ts";
export type { PageRow } from "./page-rows.ts";
export { csvLine, inChunks } from "./csv.ts";
export {
  pagesAsCsv,
  pagesAsJsonLines,
  type PageTable,
  pageTable,
  type RankColumns,
  rankColumns,
  type RankOf,
} from "./export-pages.ts";
export { type CrawlGraph, crawlGraph, urlTexts } from "./export-graph.ts";
export { closedOnError, type Database, openDatabase, SqliteFailure } from "./sqlite.ts";
