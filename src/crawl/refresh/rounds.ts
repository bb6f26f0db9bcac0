/**
 * The two turns of a crawl that goes on: known pages are read again, and new pages are read. Each works on an open
 * store, reads its log first, and leaves it committed; they may take turns in one process for as long as it runs.
 * Nothing derived is kept between them, because a page that was read again may have changed any of it (C5).
 */
import { systemTimers, type Timers } from "../../base/index.ts";
import type { Fetcher } from "../../fetch/index.ts";
import { ContentCopies, type Reread } from "../../log/index.ts";
import type { Renderer } from "../../render/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { FactWriter } from "../fact-writer.ts";
import { digestSeedOf, Fingerprinter } from "../fingerprint.ts";
import { GrowingScope } from "../growing-scope.ts";
import { type CrawlEnd, launchAfter, type LaunchOptions } from "../launch.ts";
import { ListEngine, runList } from "../list-work.ts";
import { inTurns } from "../in-turns.ts";
import { EffectQueue } from "../machine.ts";
import type { CrawlArchive } from "../open.ts";
import { PageValues, type ValueOfPage } from "../page-values.ts";
import { HostPauses } from "../politeness/host-pauses.ts";
import { HostSchedule } from "../politeness/host-schedule.ts";
import type { EarlierRequests, PastRequests } from "../politeness/past-requests.ts";
import { InlineReader } from "../reader/inline-reader.ts";
import { ReaderPool } from "../reader/reader-pool.ts";
import { renderModeOf } from "../rendering/render-choice.ts";
import type { CrawlSettings } from "../settings/settings.ts";
import { readingIndex } from "../url-index.ts";
import type { Reading } from "./reading.ts";
import type { RefreshPage } from "./refresh-facts.ts";
import type { RoundSource } from "./round-source.ts";
import { SourcedWork } from "./sourced-work.ts";
import {
  type KnownRefreshPage,
  nothingRead,
  type RefreshModel,
  type RefreshResult,
  RefreshWork,
} from "./refresh-work.ts";

export interface RefreshOptions extends EarlierRequests {
  /** Open to be written; the caller closes it. */
  readonly store: CrawlStore;
  /** The caller closes it. It may be closed when the round ends, if it was interrupted. */
  readonly fetcher: Fetcher;
  readonly settings: CrawlSettings;
  readonly timers?: Timers;
  /** From `refreshFacts`; the first of a host is read first. Those that were never read are left out. */
  readonly pages: readonly RefreshPage[];
  /** Threads that extract links from pages; 0 uses the calling thread (default: 0). */
  readonly readers?: number;
  /** Renders pages, where the settings want it. */
  readonly renderer?: Renderer | undefined;
  /** Keeps pages as they came. */
  readonly archive?: CrawlArchive | undefined;
  readonly valueOfPage?: ValueOfPage | undefined;
  /** Ends the refresh: what is under way may finish for a moment. */
  readonly signal?: AbortSignal | undefined;
  readonly onReread?: (reread: Reread, text: string) => void;
}

/** Reads known pages again, politely: with the politeness, dispatcher, readers and runner of a crawl. */
export async function refreshPages(options: RefreshOptions): Promise<RefreshResult> {
  const pages = options.pages.filter((page): page is KnownRefreshPage & RefreshPage => page.visit !== null);
  const result = await runRound(options, (model) => new RefreshWork(model, options.settings, pages));
  return result ?? nothingRead(pages.length);
}

export interface SourcedOptions extends Omit<RefreshOptions, "pages" | "onReread"> {
  readonly source: RoundSource;
  /** Called after each commit. */
  readonly committed?: () => void;
  /** How often facts are committed (default: 1000). */
  readonly commitMs?: number | undefined;
}

/** Reads what a source gives, known pages and new ones, until it is closed. */
export async function refreshFrom(options: SourcedOptions): Promise<void> {
  const { source, settings } = options;
  const onReread = (reread: Reread, _text: string, reading: Reading): void => source.reread(reread, reading);
  await runRound({ ...options, onReread }, (model) => new SourcedWork(model, settings, source));
}

interface RoundOptions
  extends Omit<RefreshOptions, "pages" | "onReread">,
    Pick<SourcedOptions, "committed" | "commitMs"> {
  readonly onReread?: (reread: Reread, text: string, reading: Reading) => void;
}

/** Undefined if it was interrupted before it began. */
async function runRound(
  options: RoundOptions,
  workOf: (model: RefreshModel) => RefreshWork,
): Promise<RefreshResult | undefined> {
  const { store, fetcher, settings, timers = systemTimers, signal, renderer, archive, readers = 0 } = options;
  const keepsBodies = archive !== undefined || renderModeOf(settings.web) !== "never";
  const reader =
    readers === 0
      ? await InlineReader.create(settings)
      : await ReaderPool.start(settings, { threads: readers, keepsBodies });
  try {
    const model = await modelOf(options);
    if (model === undefined) return undefined;
    const work = workOf(model);
    const { hosts, index, effects } = model;
    const pauses = new HostPauses(store);
    const now = { nowMs: timers.nowMs(), wallMs: timers.wallMs() };
    work.leaveAlone(new Set(Array.from(pauses.left(now.wallMs), ([host]) => host)));
    pauses.apply(hosts, now);
    const engine = new ListEngine({ settings, hosts, origins: index, store }, work, effects);
    await runList(engine, {
      store,
      fetcher,
      reader,
      renderer,
      archive,
      timers,
      signal,
      commitMs: options.commitMs,
      pauses,
      takeDirty: () => model.takeDirty(),
      ...(options.committed === undefined ? {} : { committed: options.committed }),
    });
    return work.result;
  } finally {
    await reader.close();
  }
}

/** Undefined if it was interrupted. */
async function modelOf(options: RoundOptions): Promise<RefreshModel | undefined> {
  const { store, settings, valueOfPage, onReread, takenOverMs, past, signal } = options;
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed, digestSeedOf(settings.web));
  const hosts = new HostSchedule({ ...settings.politeness, takenOverMs, past }, settings.hosts);
  let hostOf = (_url: number): number => -1;
  const copies = new ContentCopies((url) => hostOf(url));
  const reading = readingIndex(store, hosts, fingerprinter, (read) => {
    hostOf = (url) => read.hostIdOf(url);
    return [copies];
  });
  const read = await inTurns(reading, () => signal?.aborted === true);
  if (read === undefined) return undefined;
  const { feed, index } = read;
  // The index counts the URLs that the crawl left waiting; here only the planned pages wait.
  hosts.forgetWaiting();
  const effects = new EffectQueue();
  const facts = new FactWriter({ store, feed, index });
  let number = store.rereadCount;
  let isWritten = false;
  return {
    hosts,
    index,
    feed,
    effects,
    copies,
    facts,
    scope: new GrowingScope(settings.web.scope),
    values: valueOfPage === undefined ? undefined : new PageValues(valueOfPage, effects),
    attempts: new Map(),
    seeds: { delayed: () => {} },
    digestOf: (body) => fingerprinter.digest(body),
    write: (found, text, readAs) => {
      const reread = { number: ++number, ...found };
      store.addReread(reread);
      isWritten = true;
      onReread?.(reread, text, readAs);
    },
    takeDirty: () => {
      const isDirty = facts.takeDirty() || isWritten;
      isWritten = false;
      return isDirty;
    },
  };
}

export interface NewPagesOptions extends Omit<LaunchOptions, "keepsSettings" | "walks" | "sitemaps"> {
  /** How many new pages to read at most: the order of the crawl chooses them. */
  readonly pages: number;
  /** What is known of requests that were made just now: hosts rest first (default: there were none). */
  readonly past?: PastRequests | undefined;
}

/** Resumes the crawl for some new pages. Its own limits of pages, bytes, time and coverage do not hold for this. */
export async function readNewPages(
  options: NewPagesOptions,
): Promise<{ readonly downloaded: number; readonly end: CrawlEnd }> {
  const { pages, settings, signal, past, timers = systemTimers } = options;
  const { depth, pagesPerHost } = settings.limits;
  const limits = { ...(depth === undefined ? {} : { depth }), ...(pagesPerHost === undefined ? {} : { pagesPerHost }) };
  const earlier = { past, takenOverMs: past?.restedMs(timers.nowMs()) };
  const crawl = await launchAfter(earlier, { ...options, settings: { ...settings, limits }, keepsSettings: true });
  const before = crawl.status.pages;
  crawl.changeLimits({ ...limits, pages: before + pages });
  const stop = (): void => crawl.stop("interrupted");
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  try {
    const end = await crawl.run();
    return { downloaded: end.status.pages - before, end };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
