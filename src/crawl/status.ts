/** What a crawl tells about itself while it runs and when it ends. */
import type { CrawlModel } from "./model.ts";

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
  /** URLs known, and those without a final outcome. */
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

export function statusOf({ tally, index, hosts, order, watch }: CrawlModel, elapsedMs: number): CrawlStatus {
  const { outcomes } = tally;
  const guaranteed = order.guaranteed();
  return {
    pages: tally.downloaded,
    dead: outcomes.dead,
    redirects: outcomes.redirected,
    refused: outcomes.refused,
    failed: outcomes.dead + tally.failed,
    retries: outcomes["try-again"],
    bytes: tally.bytes,
    known: index.size,
    frontier: index.open,
    hosts: hosts.all.length,
    coverage: Math.max(watch.certified, guaranteed ?? 0),
    guaranteed,
    elapsedMs,
  };
}
