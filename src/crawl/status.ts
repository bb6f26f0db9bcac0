/** What a crawl tells about itself while it runs and when it ends. */
import type { CrawlRecord } from "./record.ts";

export interface CrawlStatus {
  /** Pages downloaded and stored, all runs together. */
  readonly pages: number;
  readonly dead: number;
  readonly redirects: number;
  /** URLs that were refused, for whatever reason. */
  readonly refused: number;
  /** URLs that were asked for in vain: dead, or failed for good. */
  readonly failed: number;
  /** Attempts that failed and were or will be repeated. */
  readonly retries: number;
  /** Bytes of bodies over the wire. */
  readonly bytes: number;
  /** URLs known, and those whose last word is not spoken. */
  readonly known: number;
  readonly frontier: number;
  readonly hosts: number;
  /** Certified coverage: a lower bound that may lag behind. */
  readonly coverage: number;
  /** What the order itself guarantees, which never exceeds it; null where the order keeps no bound. */
  readonly guaranteed: number | null;
  /** Since this run began. */
  readonly elapsedMs: number;
}

export function statusOf(record: CrawlRecord, elapsedMs: number): CrawlStatus {
  const { outcomes } = record;
  const guaranteed = record.order.guaranteed();
  return {
    pages: record.pages,
    dead: outcomes.dead,
    redirects: outcomes.redirected,
    refused: outcomes.refused,
    failed: outcomes.dead + record.failed,
    retries: outcomes["try-again"],
    bytes: record.wireBytes,
    known: record.urls.size,
    frontier: record.open,
    hosts: record.hosts.all.length,
    coverage: Math.max(record.watch.certified, guaranteed ?? 0),
    guaranteed,
    elapsedMs,
  };
}
