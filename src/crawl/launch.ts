/** A crawl made ready: settings that agree with the directory, seeds planted, facts told again, readers started. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { noProgress, type Progress, systemTimers, type Timers, UsageError } from "../base/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { type CrawlEnd, type CrawlState, Engine, type EngineOptions } from "./engine.ts";
import type { CrawlEvent } from "./events.ts";
import { Fingerprinter } from "./fingerprint.ts";
import { InlineReader } from "./reader/inline-reader.ts";
import { ReaderPool } from "./reader/reader-pool.ts";
import { CrawlRecord } from "./record.ts";
import { plantSeeds } from "./seeds.ts";
import type { CrawlSettings, Limits, WebSettings } from "./settings/settings.ts";
import type { CrawlStatus } from "./status.ts";
import type { StopReason } from "./stop-reasons.ts";
import { parseSettings } from "./settings/stored-settings.ts";
import type { HostTreatment } from "./politeness/host-status.ts";
import { webInWords } from "./settings/web-words.ts";

export interface LaunchOptions {
  /** As `agreedSettings` answers. */
  readonly settings: CrawlSettings;
  /** Open, and the caller's to close. */
  readonly store: CrawlStore;
  /** The caller's to close. */
  readonly fetcher: Fetcher;
  /** Threads that read pages; 0 reads them on this one. */
  readonly readers: number;
  /** The settings hold for this run only: those of the directory, which has the same seeds, stay, whatever ends it. */
  readonly keepsSettings?: boolean;
  readonly timers?: Timers;
  readonly archive?: EngineOptions["archive"];
  /** How often facts are committed; once a second unless given. */
  readonly commitMs?: number;
  readonly onStatus?: (status: CrawlStatus) => void;
  /** As it happens: what it speaks of may not be committed yet. */
  readonly onEvent?: (event: CrawlEvent) => void;
  /** While facts are told again. */
  readonly progress?: Progress;
  /** Aborted: what is being told again is of no use any more. The launch is rejected with its reason, and nothing has begun. */
  readonly signal?: AbortSignal;
}

export interface Crawl {
  /** What the crawl knows; live. */
  readonly record: CrawlRecord;
  /** Crawls until there is a reason to stop. Called once. */
  run(): Promise<CrawlEnd>;
  readonly state: CrawlState;
  /** Those that hold now. */
  readonly limits: Limits;
  /** Null for a host that the crawl has not heard of. */
  treatmentOf(hostName: string): HostTreatment | null;

  // Controls: what was not run yet obeys them as soon as it is, what is stopping or has ended is not changed by them.

  /** Starts nothing new until `resume`; what is under way ends, limits of time go on counting, what is known is committed. */
  pause(): void;
  resume(): void;
  /**
   * All limits anew: one left out does not limit any more. They are stored with the next commit, unless settings are kept. Throws a
   * `UsageError` where they make no sense, and changes nothing then.
   */
  changeLimits(limits: Limits): void;
  stop(reason: StopReason): void;
}

export async function launchCrawl(options: LaunchOptions): Promise<Crawl> {
  const { settings, store, readers, archive, timers = systemTimers, keepsSettings = false } = options;
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const parts = { settings, store, fingerprinter, onEvent: options.onEvent };
  plantSeeds(parts);
  if (!keepsSettings && store.settings() !== JSON.stringify(settings)) {
    store.replaceSettings(JSON.stringify(settings));
    store.commit();
  }
  const record = new CrawlRecord(parts);
  const reader =
    readers === 0
      ? await InlineReader.create(settings)
      : await ReaderPool.start(settings, { threads: readers, keepsBodies: archive !== undefined });
  const engine = await engineOf({ ...options, ...parts, record, reader, timers });
  return {
    record,
    run: () => engine.run().finally(() => reader.close()),
    get state() {
      return engine.state;
    },
    get limits() {
      return engine.limits;
    },
    treatmentOf: (hostName) => engine.treatmentOf(hostName),
    pause: () => engine.pause(),
    resume: () => engine.resume(),
    changeLimits: (limits) => engine.changeLimits(limits),
    stop: (reason) => engine.stop(reason),
  };
}

/** An engine that knows what was told again, in turns with all else. Threads that were started end with a log that cannot be. */
async function engineOf(
  options: EngineOptions & Pick<LaunchOptions, "progress" | "signal">,
): Promise<Engine> {
  const { progress = noProgress, signal } = options;
  try {
    const engine = new Engine(options);
    for (const step of engine.prepare()) {
      progress(step);
      await nextTurn();
      signal?.throwIfAborted();
    }
    return engine;
  } catch (error) {
    await options.reader.close();
    throw error;
  }
}

/**
 * The settings of a crawl that is resumed: those given now, as long as the web that is measured stays the same. `stored` is what the
 * directory says.
 */
export function agreedSettings(stored: string, given: CrawlSettings): CrawlSettings {
  const before = parseSettings(stored);
  const web: WebSettings = { ...given.web, hashSeed: before.web.hashSeed };
  const then = webInWords(before.web);
  const changes = webInWords(web).flatMap(([option, value], k) =>
    value === then[k][1] ? [] : [`${option} ${then[k][1]}, now ${value}`],
  );
  if (changes.length > 0) {
    throw new UsageError(
      `this crawl was begun with ${changes.join("; ")}; ` +
        "what counts as its web cannot change: resume with the same, or begin another directory",
    );
  }
  return { ...given, web };
}
