/** Runs a planned crawl from opening its directory to its last word. Nothing is created before all that can be checked was checked. */
import type { MissingShare } from "../../coverage/index.ts";
import {
  conclude,
  type Crawl,
  type CrawlEnd,
  type CrawlStatus,
  launchCrawl,
  type SeedLoss,
} from "../../crawl/index.ts";
import { requestHeaders } from "../../fetch/index.ts";
import { createCrawl, openArchive, openCrawl, type SqliteStore } from "../../store/index.ts";
import { packageVersion } from "../version.ts";
import type { HostProgress } from "./display.ts";
import { onInterrupt } from "./interrupts.ts";
import { checkSeedHosts, type NetworkSettings, openFetcher } from "./network.ts";
import type { CrawlPlan } from "./plan.ts";

export interface RunOptions {
  readonly readers: number;
  readonly onStart?: (hosts: () => readonly HostProgress[]) => void;
  /** With what is committed by then. */
  readonly onStatus?: (status: CrawlStatus) => void;
  readonly onSeedLost?: (loss: SeedLoss, url: string) => void;
  /** The user asked to stop. */
  readonly onStopping?: () => void;
}

export interface CrawlResult {
  readonly end: CrawlEnd;
  /** Certified from the log alone where there was time to. */
  readonly coverage: number;
  readonly missing?: readonly MissingShare[];
}

/** Of an interrupted crawl that knows more URLs, finding out where the rest is would take too long. */
const KNOWN_MAX_INTERRUPTED = 200_000;

export async function runPlan(plan: CrawlPlan, options: RunOptions): Promise<CrawlResult> {
  const { dir, isResumed, settings } = plan;
  const fetcher = openFetcher(settings.network, settings.politeness.perHost);
  try {
    if (!isResumed) await checkSeedHosts(settings, settings.network);
    const store = isResumed ? openCrawl(dir) : createCrawl(dir, JSON.stringify(settings));
    let error: unknown;
    try {
      const archive = settings.network.warc ? archiveOf(dir, store, settings.network) : undefined;
      const crawl = await launchCrawl({
        settings,
        store,
        fetcher,
        readers: options.readers,
        ...(archive === undefined ? {} : { archive }),
        ...(options.onStatus === undefined ? {} : { onStatus: options.onStatus }),
      });
      const end = await runUntilStopped(crawl, options);
      error = end.error;
      return resultOf(end, store);
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

async function runUntilStopped(crawl: Crawl, options: RunOptions): Promise<CrawlEnd> {
  const { record } = crawl;
  record.onSeedLost = (loss) => options.onSeedLost?.(loss, record.textOf(loss.url));
  options.onStart?.(() => record.hosts.all);
  const forget = onInterrupt(() => {
    options.onStopping?.();
    crawl.stop("interrupted");
  });
  try {
    return await crawl.run();
  } finally {
    forget();
  }
}

function resultOf(end: CrawlEnd, store: SqliteStore): CrawlResult {
  const { reason, status, error } = end;
  const isHasty = reason === "interrupted" && status.known > KNOWN_MAX_INTERRUPTED;
  if (error !== undefined || isHasty) return { end, coverage: status.coverage };
  const { certificate, missing } = conclude(store);
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
  const archive = openArchive(dir, store, { software: `tidemark/${packageVersion()}` });
  const headers = requestHeaders({ url: "http://host.invalid/", purpose: "page" }, userAgent);
  return {
    keep: archive.keep.bind(archive),
    requestHeaders: Object.fromEntries(headers.filter(([name]) => name !== "host")),
  };
}
