/** Runs a planned crawl from opening its directory to its last word. Nothing is created before all that can be checked was checked. */
import { VERSION, type Progress } from "../../base/index.ts";
import type { MissingShare } from "../../coverage/index.ts";
import {
  certifyLog,
  checkSeedHosts,
  type Crawl,
  type CrawlEnd,
  type CrawlEvent,
  type CrawlStatus,
  launchCrawl,
  type Limits,
  type NetworkSettings,
} from "../../crawl/index.ts";
import { requestHeaders } from "../../fetch/index.ts";
import { createCrawl, openArchive, openCrawl, type SqliteStore } from "../../store/index.ts";
import { concludeElsewhere } from "./conclusion.ts";
import { Interruption, onInterrupt, unlessAborted } from "../terminal/interrupts.ts";
import { fetcherOf } from "./network.ts";
import type { CrawlPlan } from "./plan.ts";

export interface RunOptions {
  readonly readers: number;
  /** Of a crawl that is resumed: the settings of the plan hold for this run only. */
  readonly keepsSettings?: boolean;
  /** The directory is ours. */
  readonly onOpen?: () => void;
  /** It is about to run, and may be looked at and controlled from now on. */
  readonly onStart?: (crawl: Crawl) => void;
  /** With what is committed by then. */
  readonly onStatus?: (status: CrawlStatus) => void;
  readonly onEvent?: (event: CrawlEvent) => void;
  /** The user asked to stop. */
  readonly onStopping?: () => void;
  /** The crawl has ended, and it will take a while to prove what it covers. */
  readonly onConcluding?: () => void;
  /** While a crawl is resumed. */
  readonly progress?: Progress;
}

export interface CrawlResult {
  readonly end: CrawlEnd;
  /** Certified from the log alone where there was time to. */
  readonly coverage: number;
  readonly missing?: readonly MissingShare[];
  /** Pages of this run. */
  readonly fetched: number;
  /** Those that held when it ended: they may have been changed while it ran. */
  readonly limits: Limits;
}

/** Of an interrupted crawl that knows more URLs, finding out where the rest is would take too long. */
const KNOWN_MAX_INTERRUPTED = 200_000;
/** Of a crawl that knows no more, it is found out in less time than a thread takes to start. */
const KNOWN_MAX_AT_ONCE = 20_000;

/**
 * The first Ctrl-C stops whatever it meets: before the crawl has begun that is an `Interruption`; while it runs, it ends; while what it
 * covers is being proved, that is left out.
 */
export async function runPlan(plan: CrawlPlan, options: RunOptions): Promise<CrawlResult> {
  const interrupt = new AbortController();
  const forget = onInterrupt(() => {
    options.onStopping?.();
    interrupt.abort(
      new Interruption(
        plan.isResumed
          ? "interrupted before it went on: nothing was fetched"
          : "interrupted before it began: nothing was created",
      ),
    );
  });
  try {
    const result = await crawlInDirectory(plan, options, interrupt.signal);
    if (result.coverage !== undefined) return { ...result, coverage: result.coverage };
    options.onConcluding?.();
    const { end, fetched, limits } = result;
    // What was interrupted while it ran is to be told all the same.
    const patience = end.reason === "interrupted" ? new AbortController().signal : interrupt.signal;
    const concluded = await concludeElsewhere(plan.dir, patience);
    return { end, fetched, limits, coverage: end.status.coverage, ...concluded };
  } finally {
    forget();
  }
}

/** Without its coverage where that is still to be proved. */
type Crawled = Omit<CrawlResult, "coverage"> & { readonly coverage?: number };

async function crawlInDirectory(plan: CrawlPlan, options: RunOptions, signal: AbortSignal): Promise<Crawled> {
  const { dir, isResumed, settings } = plan;
  const fetcher = fetcherOf(settings.network, settings.politeness.perHost, plan.proxy);
  try {
    if (!isResumed) await unlessAborted(signal, checkSeedHosts(settings, plan.proxy));
    const store = isResumed ? openCrawl(dir) : createCrawl(dir, JSON.stringify(settings));
    options.onOpen?.();
    let error: unknown;
    try {
      const archive = settings.network.warc ? archiveOf(dir, store, settings.network) : undefined;
      const crawl = await launchCrawl({
        settings,
        store,
        fetcher,
        readers: options.readers,
        keepsSettings: isResumed && options.keepsSettings === true,
        ...(archive === undefined ? {} : { archive }),
        ...(options.onStatus === undefined ? {} : { onStatus: options.onStatus }),
        ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
        ...(options.progress === undefined ? {} : { progress: options.progress }),
        // A crawl just created is soon ready; it runs, and ends at once.
        ...(isResumed ? { signal } : {}),
      });
      const before = crawl.status.pages;
      const end = await runUntilStopped(crawl, options, signal);
      error = end.error;
      return { ...crawledOf(end, store), fetched: end.status.pages - before, limits: crawl.limits };
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      closeStore(store, error);
    }
  } finally {
    await fetcher.close();
  }
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

function crawledOf(end: CrawlEnd, store: SqliteStore): Omit<Crawled, "fetched" | "limits"> {
  const { reason, status, error } = end;
  const isHasty = reason === "interrupted" && status.known > KNOWN_MAX_INTERRUPTED;
  if (error !== undefined || isHasty) return { end, coverage: status.coverage };
  if (status.known > KNOWN_MAX_AT_ONCE) return { end };
  const { certificate, missing } = certifyLog(store);
  return { end, coverage: certificate.coverage, missing };
}

/** A disk that failed once may fail again when all is closed, which says nothing new. */
function closeStore(store: SqliteStore, error: unknown): void {
  try {
    store.close();
  } catch (thrown) {
    if (error === undefined) throw thrown;
  }
}

function archiveOf(dir: string, store: SqliteStore, { userAgent }: NetworkSettings) {
  const archive = openArchive(dir, store, { software: `tidemark/${VERSION}` });
  const headers = requestHeaders({ url: "http://host.invalid/", purpose: "page" }, userAgent);
  return {
    keep: archive.keep.bind(archive),
    requestHeaders: Object.fromEntries(headers.filter(([name]) => name !== "host")),
  };
}
