export {
  type CrawlStore,
  type EngineStore,
  type HttpExchange,
  type KeptVisits,
  type Scratch,
  type ScratchUse,
  StoreError,
} from "./contract.ts";
export { MemoryStore } from "./memory-store.ts";
export {
  createCrawl,
  openCrawl,
  openCrawlOfWorkers,
  openCrawlReadOnly,
  reading,
  restartCrawl,
} from "./open-crawl.ts";
export { SqliteStore, type StoreOptions } from "./sqlite-store.ts";
export type { ReadOptions } from "./moment.ts";
export { isCrawl } from "./crawl-directory.ts";
export { expectWritable, makeFolder } from "./folders.ts";
export { named } from "./growing-file.ts";
export { type CrawlWindow, openWindow } from "./window.ts";
export type { WindowLine, WindowVisit } from "./window-rows.ts";
export { openWarc } from "./warc-archive.ts";
export { ScratchFile } from "./scratch-file.ts";
export { adoptWarc } from "./warc-adoption.ts";
export { type Collection, collectWarc, type MissingWarc } from "./warc-collection.ts";
export { ShardWarc, type WarcMark } from "./shard-warc.ts";
export { REMEMBERED_MAX } from "./warc-writer.ts";
export { payloadDigest } from "./warc-record.ts";
export { REVISIT } from "./cdxj.ts";
export { WarcReader } from "./warc-reader.ts";
export type { PageVersion } from "./page-changes.ts";
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
export { lockDirectory } from "./directory-lock.ts";
export { closedOnError, type Database, openDatabase, SqliteFailure } from "./sqlite.ts";
export {
  type Append,
  type AppendResult,
  type Board,
  type BoardShard,
  type FactLog,
  FactLogError,
  isUnreachable,
  JobGoneError,
  type JobRecord,
  type Lease,
  type Message,
  type NewJob,
  type NewLease,
  type Reservation,
  type ShardNote,
  type StoredBatch,
} from "./fact-log.ts";
export { JobState, MemoryFactLog } from "./memory-fact-log.ts";
export { createSqliteJob, dropSqliteJob, isSqliteJob, isSqliteJobInUse, openSqliteJob } from "./sqlite-jobs.ts";
export { describeLocation, type PostgresLocation } from "./postgres-location.ts";
export { createPostgresJob, dropPostgresJob, openPostgresJob } from "./postgres-jobs.ts";
