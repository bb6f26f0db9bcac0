export {
  type Archive,
  type CrawlStore,
  type Exchange,
  type Outcome,
  outcomes,
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
