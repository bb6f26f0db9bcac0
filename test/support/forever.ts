/** A refresh that goes on, in simulated time on a timed web: days pass in milliseconds. */
import type { Timers } from "../../src/base/index.ts";
import {
  type CrawlSettings,
  type RefreshEnd,
  refreshForever,
  type RefreshForeverOptions,
} from "../../src/crawl/index.ts";
import type { CrawlStore } from "../../src/store/index.ts";
import type { TimedWeb } from "./timed-web.ts";

export interface ForeverOptions
  extends Omit<RefreshForeverOptions, "store" | "settings" | "fetcher" | "timers" | "signal"> {
  /** How far the clock on the wall is behind (default: 0). */
  readonly behindMs?: () => number;
  /** How long it runs before it is stopped. */
  readonly forMs: number;
  /** It dies at once instead: nothing that it waits for comes (default: false). */
  readonly dies?: boolean;
}

export async function refreshTimed(
  web: TimedWeb,
  store: CrawlStore,
  settings: CrawlSettings,
  { forMs, dies = false, behindMs = () => 0, ...options }: ForeverOptions,
): Promise<RefreshEnd | undefined> {
  const { timers } = web;
  const untilMs = timers.nowMs() + forMs;
  const stop = new AbortController();
  const { signal } = stop;
  const skewed: Timers = {
    nowMs: () => timers.nowMs(),
    wallMs: () => timers.wallMs() - behindMs(),
    after: (delayMs, callback) => timers.after(delayMs, callback),
  };
  const pending = refreshForever({
    store,
    settings,
    fetcher: web,
    timers: skewed,
    signal,
    commitMs: 60_000,
    ...options,
  });
  const outcome: { end?: RefreshEnd; bug?: unknown } = {};
  pending.then(
    (end) => (outcome.end = end),
    (bug: unknown) => (outcome.bug = bug),
  );
  while (outcome.end === undefined && outcome.bug === undefined) {
    const isOver = timers.nextMs === undefined ? false : timers.nextMs > untilMs;
    if (isOver && dies) {
      web.forget();
      return undefined;
    }
    if (isOver) stop.abort();
    if (!timers.step()) await new Promise((resolve) => setImmediate(resolve));
  }
  if (outcome.end === undefined) throw outcome.bug;
  return outcome.end;
}
