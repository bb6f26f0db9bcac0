/** A small inline web in simulated time: waits of hours pass at once, and every request is noted with its time. */
import {
  type Crawl,
  type CrawlEnd,
  type CrawlSettings,
  launchCrawl,
  type LaunchOptions,
} from "../../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { type Fate, fatesIn, inlineSettings, replyOf, type Served, type SettingsChanges } from "./inline-web.ts";
import { SimulatedTimers } from "./simulation/timers.ts";

export interface TimedRequest {
  readonly url: string;
  readonly atMs: number;
}

export interface TimedWebOptions {
  /** What is undefined is not found. `nth` counts the requests of one URL from 1. */
  readonly serve: (url: URL, nth: number, atMs: number) => Served | undefined;
  readonly addressOf?: (url: URL, nth: number) => string | null;
  /** Until the answer; 10 unless given. */
  readonly latencyMs?: (url: URL) => number;
}

const STEPS_MAX = 2_000_000;

export class TimedWeb implements Fetcher {
  readonly timers = new SimulatedTimers();
  readonly requests: TimedRequest[] = [];
  readonly #options: TimedWebOptions;
  readonly #counts = new Map<string, number>();
  readonly #underWay = new Set<(reply: Reply) => void>();

  constructor(options: TimedWebOptions) {
    this.#options = options;
  }

  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const { serve, addressOf, latencyMs = () => 10 } = this.#options;
    const parsed = new URL(url);
    const atMs = this.timers.nowMs();
    this.requests.push({ url, atMs });
    const nth = (this.#counts.get(url) ?? 0) + 1;
    this.#counts.set(url, nth);
    this.#underWay.add(done);
    this.timers.after(latencyMs(parsed), () => {
      if (!this.#underWay.delete(done)) return;
      done(replyOf(serve(parsed, nth, atMs) ?? { status: 404 }, addressOf?.(parsed, nth) ?? null));
    });
  }

  async close(): Promise<void> {
    for (const done of this.#underWay) {
      this.#underWay.delete(done);
      done(replyOf({ failure: "aborted" }));
    }
  }

  /** The crawler died: nothing that it waited for comes. */
  forget(): void {
    this.#underWay.clear();
    this.timers.forget();
  }

  /** When a URL was requested. */
  times(url: string): number[] {
    return this.requests.filter((each) => each.url === url).map(({ atMs }) => atMs);
  }
}

export interface TimedCrawl {
  readonly end: CrawlEnd;
  readonly store: MemoryStore;
  readonly settings: CrawlSettings;
  readonly fates: ReadonlyMap<string, Fate>;
}

export interface TimedOptions extends Pick<LaunchOptions, "onEvent" | "onStatus" | "keepsSettings" | "renderer"> {
  /** Before it is run. */
  readonly onLaunch?: (crawl: Crawl) => void;
}

/** Crawls a timed web to its end; a store that was crawled into before is resumed. */
export async function crawlTimed(
  web: TimedWeb,
  seeds: readonly string[],
  changes: SettingsChanges = {},
  store = new MemoryStore("{}"),
  { onLaunch, ...options }: TimedOptions = {},
): Promise<TimedCrawl> {
  const settings = inlineSettings(seeds, changes);
  const { timers } = web;
  const crawl = await launchCrawl({ store, settings, fetcher: web, readers: 0, timers, ...options });
  onLaunch?.(crawl);
  const end = await inTime(timers, crawl.run());
  return { end, store, settings, fates: fatesIn(store) };
}

/** Lets simulated time pass until something is settled. */
export async function inTime<T>(timers: SimulatedTimers, promise: Promise<T>): Promise<T> {
  const pending = new Set([promise]);
  const settle = (): void => void pending.delete(promise);
  promise.then(settle, settle);
  while (pending.size > 0) {
    if (timers.steps > STEPS_MAX) throw new Error(`no end after ${STEPS_MAX} steps`);
    if (!timers.step()) await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}
