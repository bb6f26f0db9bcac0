/**
 * Why crawls stop, and why the last run of a crawl did: stored with the last commit of a run and removed when the next
 * begins, so a crawl that was killed, or whose disk failed, has none.
 */
import type { CrawlStore } from "../store/index.ts";

/** Why a crawl stops. */
const stopReasons = [
  "coverage-reached",
  "frontier-empty",
  "page-limit",
  "depth-limit",
  "time-limit",
  "byte-limit",
  "interrupted",
  "disk-full",
  "failed",
] as const;
/** Why a crawl stopped. */
export type StopReason = (typeof stopReasons)[number];

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
