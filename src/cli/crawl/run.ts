/** Runs a planned crawl, from opening its directory to its certificate. Everything is checked before it is created. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { compiledEntry } from "../../base/index.ts";
import type { MissingShare } from "../../coverage/index.ts";
import {
  type ArchivedResponse,
  certifyLog,
  checkSeedHosts,
  type Crawl,
  type CrawlEnd,
  type CrawlStatus,
  fetchRequisites,
  launchCrawl,
  type LaunchOptions,
  type Limits,
  type SampledClaim,
  openArchive,
  openRenderer,
  type RequisiteCounts,
} from "../../crawl/index.ts";
import type { Fetcher } from "../../fetch/index.ts";
import type { CrawlLog } from "../../log/index.ts";
import type { Renderer } from "../../render/index.ts";
import {
  createCrawl,
  isSqliteJob,
  openCrawl,
  openCrawlOfWorkers,
  reading,
  restartCrawl,
  type SqliteStore,
  WarcReader,
} from "../../store/index.ts";
import { Interruption, onInterrupt, unlessAborted } from "../terminal/interrupts.ts";
import { observed, type OnFetch } from "./fetches.ts";
import { type CrawlPlan, fetcherOf } from "./plan.ts";

/** `onStatus` gets what is committed by then; `progress` is called while a crawl is resumed. */
export interface RunOptions
  extends Pick<LaunchOptions, "readers" | "onStatus" | "onEvent" | "progress" | "walks" | "makeOrder"> {
  /** For a crawl that is resumed: the settings of the plan are not stored, they hold for this run only. */
  readonly keepsSettings?: boolean;
  /** Processes that crawl; one is this one (default: 1). */
  readonly workers?: number;
  /** Somebody looks at the directory while it is crawled (default: false). */
  readonly isServed?: boolean;
  /** Called with every reply. */
  readonly onFetch?: OnFetch | undefined;
  /** The directory is open, and locked for us. */
  readonly onOpen?: () => void;
  /** Some seeds cannot be fetched now. */
  readonly onNote?: (note: string) => void;
  /** Something about the network should be mended though the crawl goes on (default: printed at once). */
  readonly onWarning?: (warning: string) => void;
  /** The crawl is about to run; from now on it can be watched and controlled. */
  readonly onStart?: (crawl: Crawl) => void;
  /** The user asked to stop. */
  readonly onStopping?: () => void;
  /** Once the crawl has ended, archive what its archived pages need to be shown (default: false). */
  readonly requisites?: boolean;
  readonly onRequisites?: () => void;
  /** The crawl has ended, and proving what it covers will take a while. */
  readonly onCertifying?: () => void;
}

/** What is proved: certified from the log alone, if there was time. */
export interface CrawlResult extends Pick<CrawlStatus, "coverage" | "strict" | "valued" | "ceiling"> {
  readonly end: CrawlEnd;
  readonly missing?: readonly MissingShare[];
  /** What the universe leaves out. */
  readonly outside?: readonly MissingShare[];
  readonly sampled?: SampledClaim | undefined;
  /** What archived pages need to be shown, where it was wanted and the crawl was not cut short. */
  readonly requisites?: RequisiteCounts;
  /** Pages of this run. */
  readonly fetched: number;
  /** At the end: they may have been changed while it ran. */
  readonly limits: Limits;
}

/** An interrupted crawl with more URLs is not certified: it would take too long. */
const KNOWN_MAX_INTERRUPTED = 200_000;
/** A crawl with at most this many URLs is certified in less time than a thread takes to start. */
const KNOWN_MAX_AT_ONCE = 20_000;

/**
 * The first Ctrl-C stops what is being done: before the crawl has started it throws an `Interruption`; while the crawl
 * runs, it ends; while coverage is being proved, the proof is skipped.
 */
export async function runPlan(plan: CrawlPlan, options: RunOptions): Promise<CrawlResult> {
  const interrupt = new AbortController();
  const forget = onInterrupt(() => {
    options.onStopping?.();
    interrupt.abort(
      new Interruption(
        plan.isResumed
          ? "interrupted before it resumed: nothing was fetched"
          : "interrupted before it started: nothing was created",
      ),
    );
  });
  try {
    const crawled = await crawlInDirectory(plan, options, interrupt.signal);
    const requisites = await requisitesOf(plan, crawled.end, options, interrupt.signal);
    const certified = await certifiedOf(plan.dir, crawled.end, options, interrupt.signal);
    const { coverage, strict, valued, ceiling, sampled } = crawled.end.status;
    const worth = valued === undefined ? {} : { valued };
    return { ...crawled, coverage, strict, ...worth, ceiling, sampled, ...certified, ...requisites };
  } finally {
    forget();
  }
}

async function crawlInDirectory(
  plan: CrawlPlan,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Pick<CrawlResult, "end" | "fetched" | "limits">> {
  const { dir, isResumed, isRestarted, settings } = plan;
  const fetcher = observed(fetcherOf(plan), options.onFetch);
  if (options.onWarning !== undefined) fetcher.onNote?.(options.onWarning);
  let renderer: Renderer | undefined;
  try {
    const refused = isResumed ? undefined : await unlessAborted(signal, checkSeedHosts(settings, plan.proxy));
    renderer = await openRenderer(settings);
    const open = isRestarted ? restartCrawl : createCrawl;
    const store = isResumed ? openCrawlOfWorkers(dir) : open(dir, JSON.stringify(settings));
    options.onOpen?.();
    if (refused !== undefined) options.onNote?.(refused);
    let error: unknown;
    try {
      if (isResumed && isSqliteJob(dir)) {
        const { gatherLeftovers } = await import("../../cluster/index.ts");
        await gatherLeftovers({ dir, store, settings, signal });
      }
      const crawl = await launched({ plan, options, store, fetcher, renderer, signal });
      const before = crawl.status.pages;
      const end = await runUntilStopped(crawl, options, signal);
      error = end.error;
      return { end, fetched: end.status.pages - before, limits: crawl.limits };
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      closeStore(store, error);
    }
  } finally {
    await renderer?.close();
    await fetcher.close();
  }
}

interface LaunchParts {
  readonly plan: CrawlPlan;
  readonly options: RunOptions;
  readonly store: SqliteStore;
  readonly fetcher: Fetcher;
  readonly renderer: Renderer | undefined;
  readonly signal: AbortSignal;
}

async function launched({ plan, options, store, fetcher, renderer, signal }: LaunchParts): Promise<Crawl> {
  const { dir, isResumed, settings, session, proxy } = plan;
  const { workers = 1, isServed = false } = options;
  const shared = {
    ...options,
    settings,
    store,
    fetcher,
    ...(plan.sitemaps === undefined ? {} : { sitemaps: plan.sitemaps }),
    // A new crawl is ready soon: it starts, and ends at once.
    ...(isResumed ? { signal } : {}),
  };
  if (workers > 1) {
    const { launchLocalCrawl } = await import("../../cluster/index.ts");
    const { startWorkerProcess } = await import("./worker-processes.ts");
    return launchLocalCrawl({
      ...shared,
      dir,
      workers,
      gathersMeanwhile: isServed,
      startWorker: (name, onEvent) => startWorkerProcess({ dir, name, proxy, session: session.options }, onEvent),
    });
  }
  const archive = settings.network.warc ? openArchive(dir, store, settings.network) : undefined;
  return launchCrawl({
    ...shared,
    keepsSettings: isResumed && options.keepsSettings === true,
    ...(archive === undefined ? {} : { archive }),
    ...(renderer === undefined ? {} : { renderer }),
  });
}

async function runUntilStopped(crawl: Crawl, options: RunOptions, signal: AbortSignal): Promise<CrawlEnd> {
  options.onStart?.(crawl);
  const stop = (): void => crawl.stop("interrupted");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  try {
    return await crawl.run();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A disk that failed may fail again on closing; that error would say nothing new. */
function closeStore(store: SqliteStore, error: unknown): void {
  try {
    store.close();
  } catch (thrown) {
    if (error === undefined) throw thrown;
  }
}

async function requisitesOf(
  plan: CrawlPlan,
  { reason, error }: CrawlEnd,
  { requisites = false, onRequisites, onFetch, progress }: RunOptions,
  signal: AbortSignal,
): Promise<Pick<CrawlResult, "requisites">> {
  if (!requisites || reason === "interrupted" || error !== undefined) return {};
  onRequisites?.();
  const { dir, settings } = plan;
  const fetcher = observed(fetcherOf(plan), onFetch);
  const store = openCrawl(dir);
  let thrown: unknown;
  try {
    const archive = openArchive(dir, store, settings.network);
    const counts = await fetchRequisites({
      archived: () => archivedIn(dir),
      store,
      archive,
      fetcher,
      settings,
      signal,
      onProgress: ({ fetched }) => progress?.({ task: "fetching what pages need", done: fetched, unit: "files" }),
    });
    return { requisites: counts };
  } catch (error_) {
    thrown = error_;
    throw error_;
  } finally {
    closeStore(store, thrown);
    await fetcher.close();
  }
}

function* archivedIn(dir: string): Generator<ArchivedResponse> {
  const reader = new WarcReader(dir);
  for (const entry of reader.entries()) {
    const { url, status, mime } = entry;
    yield { url, status, mime, read: () => reader.body(entry) };
  }
}

export type Certified = Omit<CrawlResult, "end" | "fetched" | "limits" | "requisites">;

export function certifiedLog(log: CrawlLog): Certified {
  const { certificate, missing, outside, ceiling, sampled } = certifyLog(log);
  const { coverage, strict, valued } = certificate;
  const beside = { ...(valued === undefined ? {} : { valued }), ...(sampled === undefined ? {} : { sampled }) };
  return { coverage, strict, ceiling: ceiling.coverage, missing, outside, ...beside };
}

/** Undefined where the log cannot be certified, would take too long, or the user does not want to wait. */
async function certifiedOf(
  dir: string,
  { reason, status, error }: CrawlEnd,
  { onCertifying }: RunOptions,
  signal: AbortSignal,
): Promise<Certified | undefined> {
  const isInterrupted = reason === "interrupted";
  if (error !== undefined || (isInterrupted && status.known > KNOWN_MAX_INTERRUPTED)) return undefined;
  if (status.known <= KNOWN_MAX_AT_ONCE) return reading(dir, certifiedLog);
  onCertifying?.();
  // The signal that ended the crawl does not skip its certificate.
  return certifyInThread(dir, isInterrupted ? new AbortController().signal : signal);
}

/** A large crawl takes seconds to minutes. Undefined once `signal` is aborted. */
async function certifyInThread(dir: string, signal: AbortSignal): Promise<Certified | undefined> {
  const worker = new Worker(compiledEntry("cli/crawl/certify-worker.js"), { workerData: dir });
  try {
    const [certified] = (await unlessAborted(signal, once(worker, "message"))) as [Certified];
    return certified;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    await worker.terminate();
  }
}
