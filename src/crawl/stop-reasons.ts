/**
 * Why a crawl stops: the reasons, the limits that end it, and the reason that is stored for the next run. That nothing
 * is left to fetch is decided in crawl-work.ts; the words for people are in text/crawl.ts.
 */
import type { CoverageWatch } from "../coverage/index.ts";
import type { Tally } from "../log/index.ts";
import type { CrawlOrder } from "../order/index.ts";
import type { CrawlStore } from "../store/index.ts";
import type { Limits } from "./settings/settings.ts";

/** Why a crawl stops. */
const stopReasons = [
  "coverage-reached",
  "frontier-empty",
  // An order of a program's own gave nothing more, though URLs wait.
  "order-empty",
  "page-limit",
  "depth-limit",
  "time-limit",
  "byte-limit",
  "interrupted",
  "disk-full",
  "failed",
  // No run of ours: another crawler has fetched what there is.
  "imported",
] as const;
/** Why a crawl stopped. */
export type StopReason = (typeof stopReasons)[number];

interface LimitedModel {
  readonly tally: Tally;
  readonly watch: CoverageWatch;
  readonly order: CrawlOrder;
  /** What sampling shows. */
  readonly sampler: { readonly claim: { readonly coverage: number } } | undefined;
}

export function limitReached(
  { coverage, pages, bytes, timeMs }: Limits,
  { tally, watch, order, sampler }: LimitedModel,
  { elapsedMs, pendingBytes }: { readonly elapsedMs: number; readonly pendingBytes: number },
): StopReason | undefined {
  // The watch looks only now and then; what the order guarantees meanwhile is as good.
  if (coverage !== undefined) {
    const isProven = watch.reached() || (order.guaranteed() ?? 0) >= coverage;
    if (isProven || (sampler?.claim.coverage ?? 0) >= coverage) return "coverage-reached";
  }
  if (pages !== undefined && tally.downloaded >= pages) return "page-limit";
  if (bytes !== undefined && tally.bytes + pendingBytes >= bytes) return "byte-limit";
  if (timeMs !== undefined && elapsedMs >= timeMs) return "time-limit";
  return undefined;
}

/**
 * Why the last run stopped: stored with its last commit and removed when the next run begins, so a crawl that was
 * killed, or whose disk failed, has none.
 */
export interface RunEnd {
  readonly reason: StopReason;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

const KEY = "end";

/** On disk with the next commit. */
export function writeEnd(store: CrawlStore, { reason, atMs }: RunEnd): void {
  store.putMeta(KEY, JSON.stringify({ reason, atMs }));
}

/** On disk when this returns. */
export function forgetEnd(store: CrawlStore): void {
  if (store.meta(KEY) === undefined) return;
  store.putMeta(KEY, undefined);
  store.commit();
}

/** Undefined for a crawl that runs, was cut off, or was last run by a version that did not keep it. */
export function endOfLastRun(store: Pick<CrawlStore, "meta">): RunEnd | undefined {
  const json = store.meta(KEY);
  if (json === undefined) return undefined;
  try {
    const { reason, atMs } = JSON.parse(json) as { readonly reason?: unknown; readonly atMs?: unknown };
    const known = stopReasons.find((each) => each === reason);
    return known === undefined || typeof atMs !== "number" ? undefined : { reason: known, atMs };
  } catch {
    return undefined;
  }
}
