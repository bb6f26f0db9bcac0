/**
 * Gathers in a crawl directory what workers of this machine have learnt: those of this run, or of one that was killed
 * before it could.
 */
import { systemTimers, type Timers, UsageError, waited } from "../base/index.ts";
import { Fingerprinter, SOFTWARE, type StoredSettings } from "../crawl/index.ts";
import {
  adoptWarc,
  dropSqliteJob,
  type FactLog,
  isSqliteJob,
  isSqliteJobInUse,
  openSqliteJob,
  type SqliteStore,
} from "../store/index.ts";
import { gatheredIn, Gathering, setGathered } from "./gathering.ts";
import { jobOf } from "./job.ts";

/** No job of a database can be called so. */
export const LOCAL_JOB_NAME = "workers.sqlite";
/** Workers that have lost their parent end within this time, unless somebody has stopped them. */
const LEAVING_MS_MAX = 20_000;
/** How often somebody looks what workers do. */
export const LOOK_MS = 500;

interface CrawlPlace {
  readonly dir: string;
  /** The open store of the directory; the caller closes it. */
  readonly store: SqliteStore;
  readonly settings: StoredSettings;
}

export interface LeftoverOptions extends CrawlPlace {
  readonly signal: AbortSignal;
  readonly timers?: Timers | undefined;
}

/** Finishes what an earlier run with workers has left in a directory, if it was killed. */
export async function gatherLeftovers({ dir, store, settings, signal, timers }: LeftoverOptions): Promise<void> {
  if (!isSqliteJob(dir)) return;
  await workersEnded(dir, signal, timers);
  // Without this note, or with that of a job that was exported to here, the log was still being split when it was
  // killed: the store has everything.
  if (gatheredIn(store)?.job === LOCAL_JOB_NAME) {
    const log = openSqliteJob(dir);
    try {
      await gatherAll({ dir, log, store, settings, signal });
    } finally {
      await log.close();
    }
  }
  dropSqliteJob(dir);
}

/** Workers whose parent was killed write what they have learnt, and end. What they write later would be lost. */
async function workersEnded(dir: string, signal: AbortSignal, timers: Timers = systemTimers): Promise<void> {
  for (const untilMs = timers.nowMs() + LEAVING_MS_MAX; isSqliteJobInUse(dir); ) {
    signal.throwIfAborted();
    if (timers.nowMs() >= untilMs) {
      throw new UsageError(`${dir} is in use by workers of a run that was killed: end these processes first`);
    }
    await waited(timers, LOOK_MS);
  }
}

interface GatherAllOptions extends CrawlPlace {
  readonly log: FactLog;
  readonly signal?: AbortSignal | undefined;
  /** If some of it was gathered before; otherwise what the store has is read again. */
  readonly gathering?: Gathering | undefined;
}

/** Returns how many pages the store has then. */
export async function gatherAll(options: GatherAllOptions): Promise<number> {
  const { dir, log, store, signal } = options;
  const gathering = options.gathering ?? (await openGathering(options));
  while (await gathering.step()) signal?.throwIfAborted();
  // The settings of now may differ from those with which the workers have crawled.
  const { settings: job } = jobOf(await log.job());
  if (job.crawl.network.warc) adoptWarc(dir, store, gathering.archived, { software: SOFTWARE });
  setGathered(store, undefined);
  store.commit();
  return gathering.pages;
}

export async function openGathering({ log, store, settings }: GatherAllOptions): Promise<Gathering> {
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  return Gathering.open({ log, store, settings, fingerprinter });
}
