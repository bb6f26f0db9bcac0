/** A crawl made ready: settings that agree with the directory, seeds planted, the log read, readers started. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { noProgress, type Progress, systemTimers, type Timers, UsageError } from "../base/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import type { CrawlOrder } from "../order/index.ts";
import type { Renderer } from "../render/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { Engine, type CrawlState } from "./engine.ts";
import type { CrawlEvent, DownloadedPage, RemoteRecord } from "./machine.ts";
import { forgetEnd, type StopReason, writeEnd } from "./stop-reasons.ts";
import { Fingerprinter } from "./fingerprint.ts";
import { HostPauses } from "./politeness/host-pauses.ts";
import { HostSchedule } from "./politeness/host-schedule.ts";
import type { EarlierRequests } from "./politeness/past-requests.ts";
import type { CrawlArchive } from "./open.ts";
import type { HostStatus } from "./politeness/host-status.ts";
import type { PageReader } from "./reader/contract.ts";
import { InlineReader } from "./reader/inline-reader.ts";
import { ReaderPool } from "./reader/reader-pool.ts";
import { type CrawlStatus, statusOf, StatusReporter } from "./status.ts";
import { Runner, type RunnerEnd } from "./runner.ts";
import { checkedLimits } from "./settings/crawl-settings.ts";
import type { CrawlSettings, Limits, StoredSettings } from "./settings/settings.ts";
import { CrawlModel, type CrawlModelOptions } from "./model.ts";
import type { OwnOrderContext } from "./own-order.ts";
import type { ValueOfPage } from "./page-values.ts";
import { renderModeOf } from "./rendering/render-choice.ts";
import type { SampleStop } from "./sampling/sampler.ts";
import { sitemapWriter, type SitemapUrls } from "./sitemap-list.ts";
import { readIndex } from "./url-index.ts";
import { FactWriter } from "./fact-writer.ts";

/** What a crawl needs to run. */
export interface LaunchOptions {
  /** From `crawlSettings`. */
  readonly settings: CrawlSettings | StoredSettings;
  /** The open store; the caller closes it. */
  readonly store: CrawlStore;
  /** Gets the pages; the caller closes it. */
  readonly fetcher: Fetcher;
  /** Threads that extract links from pages; 0 uses the calling thread. */
  readonly readers: number;
  /** Use the settings for this run only and leave the stored ones, which must have the same seeds (default: false). */
  readonly keepsSettings?: boolean;
  /** Fetch only what the walks of a sample need. `keepsSettings` must be set. */
  readonly walks?: WalkOptions;
  /** Sitemaps that were read to make the seeds: what they list is stored, and this run does not read them again. */
  readonly sitemaps?: readonly SitemapUrls[];
  /** Renders pages, where the settings want it; from `openRenderer`. The caller closes it. */
  readonly renderer?: Renderer;
  readonly timers?: Timers;
  /** Keeps pages as they came; from `openArchive`. */
  readonly archive?: CrawlArchive;
  /** How often facts are committed (default: 1000). */
  readonly commitMs?: number;
  readonly onStatus?: (status: CrawlStatus) => void;
  /** Called as events happen; the facts may not be committed yet. */
  readonly onEvent?: (event: CrawlEvent) => void;
  /** Called with each page that is downloaded; it may not be committed yet. It must return at once. */
  readonly onPage?: (page: DownloadedPage) => void;
  /**
   * What a page counts in coverage of value (`valued` of the certificate), from 0 to 1. Called once per page, when it
   * is stored, and the value is stored with it. It must return at once and depend on nothing but the page. If it throws
   * or returns anything else, the page is stored and counts 0, and the event `value-failed` says so once. Pages stored
   * without it count 1 (default: all pages count 1).
   */
  readonly valueOfPage?: ValueOfPage;
  /**
   * Makes the order of this run, which decides what is fetched next; default: the one that the settings name. Nothing
   * is proven by its own bound.
   */
  readonly makeOrder?: (context: OwnOrderContext) => CrawlOrder;
  /** Called while the log is read. */
  readonly progress?: Progress;
  /** Aborts the launch while the log is read: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A sample of coverage, taken at once. */
export interface WalkOptions {
  readonly confidence: number;
  /** Pages that may be fetched at most. */
  readonly budget: number;
  /** Of the dice (default: random). */
  readonly seed?: number | undefined;
}

/** How a run ended. */
export interface CrawlEnd extends RunnerEnd {
  /** What is on disk. */
  readonly status: CrawlStatus;
  /** How it is known that the target was reached; left out for other reasons. */
  readonly by?: "proven" | "sampled";
  /** Of a sample with a budget: why it ended; left out where the user or the disk ended it. */
  readonly sample?: SampleStop;
}

/** What has become of the pages of a host. */
export interface HostCounts {
  readonly name: string;
  readonly pages: number;
  readonly dead: number;
  readonly errors: number;
}

/** A crawl that is ready to run, runs, or has ended. */
export interface Crawl {
  /** Crawls until there is a reason to stop. Called once. */
  run(): Promise<CrawlEnd>;
  /** Life of a crawl: ready until it is run, paused and resumed any number of times, then stopping, then ended. */
  readonly state: CrawlState;
  /** What the crawl knows now, committed or not. */
  readonly status: CrawlStatus;
  /**
   * Hosts of which something was requested, or was to be, with their counts at this moment: iterate again to see later
   * ones. How many hosts are known is in `status`.
   */
  readonly hosts: Iterable<HostCounts>;
  /** The current limits. */
  readonly limits: Limits;
  /** Null for a host that the crawl does not know. */
  hostStatus(hostName: string): HostStatus | null;

  // Controls. Before a run they hold as soon as it starts; a crawl that is stopping or has ended ignores them.

  /** Starts nothing new until `resume`. Requests in flight end, time limits keep counting, facts are committed. */
  pause(): void;
  resume(): void;
  /**
   * Replaces all limits, stored with the next commit unless `keepsSettings`. Throws a `UsageError` if one makes no
   * sense.
   */
  changeLimits(limits: Limits): void;
  stop(reason: StopReason): void;
  /** Takes in what another process knows about URLs of this crawl. */
  receive(record: RemoteRecord): void;
}

/** Prepares a crawl, or resumes one: reads the log of the store and starts the readers. Call `run` on the result. */
export async function launchCrawl(options: LaunchOptions): Promise<Crawl> {
  const { sitemaps = [], timers = systemTimers } = options;
  // Whoever has read sitemaps to make the seeds has requested some of its hosts just now.
  return launchAfter(sitemaps.length === 0 ? {} : { takenOverMs: timers.nowMs() }, options);
}

/** The same where this process may have requested hosts just now. */
export async function launchAfter(earlier: EarlierRequests, options: LaunchOptions): Promise<Crawl> {
  const { store, readers, archive, walks, onPage, valueOfPage, makeOrder } = options;
  const { timers = systemTimers, keepsSettings = false } = options;
  const settings = walks === undefined ? options.settings : walkSettings(options.settings, walks);
  const walkBudget = walks?.budget;
  if ((settings as Partial<StoredSettings>).network?.warc === true && archive === undefined) {
    throw new UsageError(
      "this crawl stores WARC files: give launchCrawl an archive from openArchive, or set warc: false",
    );
  }
  const render = renderModeOf(settings.web);
  if (render !== "never" && options.renderer === undefined) {
    throw new UsageError(
      `this crawl renders pages (render: ${render}): give launchCrawl a renderer from openRenderer, or set ` +
        "render: never",
    );
  }
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  plantSeeds({ settings, store, fingerprinter });
  const { sitemaps = [] } = options;
  if (sitemaps.length > 0) sitemaps.forEach(sitemapWriter({ settings, store, fingerprinter, timers }));
  if (!keepsSettings && store.settings() !== JSON.stringify(settings)) {
    store.replaceSettings(JSON.stringify(settings));
    store.commit();
  }
  const reader =
    readers === 0
      ? await InlineReader.create(settings)
      : await ReaderPool.start(settings, {
          threads: readers,
          keepsBodies: archive !== undefined || onPage !== undefined || render !== "never",
        });
  try {
    const model = new CrawlModel({ settings, store, fingerprinter, walkBudget, valueOfPage, makeOrder, earlier });
    const readSitemaps =
      sitemaps.length === 0 ? [] : [...(settings.sitemap ?? []), ...sitemaps.map(({ address }) => address)];
    const engine = new Engine({
      settings,
      model,
      store,
      keepsSettings,
      walkBudget,
      readSitemaps,
      showsPages: onPage !== undefined,
    });
    await prepare(engine, options);
    return crawlOf(engine, { ...options, timers, reader, model });
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** What ends a crawl does not end a sample of it. */
function walkSettings(settings: LaunchOptions["settings"], { confidence, seed }: WalkOptions): CrawlSettings {
  const { depth, pagesPerHost } = settings.limits;
  const limits = { ...(depth === undefined ? {} : { depth }), ...(pagesPerHost === undefined ? {} : { pagesPerHost }) };
  const { seed: _, ...others } = settings;
  return { ...others, limits, confidence, ...(seed === undefined ? {} : { seed }) };
}

export interface PlantOptions extends Pick<CrawlModelOptions, "settings" | "fingerprinter"> {
  readonly store: CrawlStore;
}

/** Makes the seeds in the store agree with the settings. What is derived from them is computed when the log is read. */
export function plantSeeds({ store, settings, fingerprinter }: PlantOptions): void {
  if (storedSeeds(store) === JSON.stringify(settings.seeds)) return;
  const { feed, index } = readIndex(store, new HostSchedule(settings.politeness, settings.hosts), fingerprinter);
  const facts = new FactWriter({ store, feed, index });
  const weights = new Map<number, number>();
  for (const { url, weight } of settings.seeds) {
    const id = facts.discover(url, { source: "seed", depth: 0, onVisit: false });
    weights.set(id, (weights.get(id) ?? 0) + weight);
  }
  store.replaceTrust([...weights].sort(([a], [b]) => a - b).map(([url, weight]) => ({ url, weight })));
  store.replaceSettings(JSON.stringify(settings));
  store.commit();
}

function storedSeeds(store: CrawlStore): string | undefined {
  const [first] = store.trust();
  if (first === undefined) return undefined;
  const { seeds } = JSON.parse(store.settings()) as Partial<CrawlSettings>;
  return JSON.stringify(seeds);
}

/** Reads the log in turns with everything else that wants to run. */
async function prepare(engine: Engine, { store, progress = noProgress, signal }: LaunchOptions): Promise<void> {
  for (const step of engine.prepare(store)) {
    progress(step);
    await nextTurn();
    signal?.throwIfAborted();
  }
}

export interface CrawlParts extends LaunchOptions {
  readonly timers: Timers;
  readonly reader: PageReader;
  readonly model: CrawlModel;
}

/** A crawl around an engine that was prepared; ends the reader. */
export function crawlOf(engine: Engine, parts: CrawlParts): Crawl {
  const { store, timers, reader, model, onStatus, walks } = parts;
  const reporter = new StatusReporter(model, timers, onStatus);
  const commit = (): void => {
    model.saveScope();
    store.commit();
  };
  const pauses = new HostPauses(store);
  const runner = new Runner(engine, {
    ...parts,
    pauses,
    store: { commit },
    takeDirty: () => model.facts.takeDirty(),
    beforeStart: () => {
      // A sample does not change why the crawl itself ended.
      if (walks === undefined) forgetEnd(store);
      pauses.apply(model.hosts, { nowMs: timers.nowMs(), wallMs: timers.wallMs() });
      reporter.started();
    },
    beforeEnd: (reason) => {
      if (walks === undefined) writeEnd(store, { reason, atMs: timers.wallMs() });
    },
    committed: () => reporter.committed(),
  });
  return {
    run: async () => {
      try {
        const end = await runner.run();
        const { status } = reporter;
        const sample = walks === undefined || end.reason !== "page-limit" ? undefined : model.sampler?.stop;
        if (sample !== undefined) return { ...end, status, sample };
        if (end.reason !== "coverage-reached") return { ...end, status };
        return { ...end, status, by: status.coverage >= (engine.limits.coverage ?? 1) ? "proven" : "sampled" };
      } finally {
        await reader.close();
      }
    },
    get state() {
      return runner.isOver ? "ended" : engine.state;
    },
    get status() {
      return statusOf(model, 0);
    },
    hosts: { [Symbol.iterator]: () => countsOf(model.hosts.active) },
    get limits() {
      return engine.limits;
    },
    hostStatus: (hostName) => engine.hostStatus(hostName, timers.nowMs()),
    pause: () => runner.input({ kind: "pause" }),
    resume: () => runner.input({ kind: "resume" }),
    changeLimits: (limits) => runner.input({ kind: "change-limits", limits: checkedLimits(limits) }),
    stop: (reason) => runner.input({ kind: "stop", reason }),
    receive: (record) => runner.input({ kind: "remote", records: [record] }),
  };
}

/** Copies, which whoever gets them may keep. The name is made when somebody asks for it. */
function* countsOf(hosts: Iterable<HostCounts>): Iterator<HostCounts> {
  for (const host of hosts) {
    yield {
      get name() {
        return host.name;
      },
      pages: host.pages,
      dead: host.dead,
      errors: host.errors,
    };
  }
}
