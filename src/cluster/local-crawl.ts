/**
 * A crawl in a directory by several workers on this machine. To whoever runs it, it is a crawl like any other.
 *
 * While workers crawl, the logs of their shards are in a file of their own beside the crawl (store/sqlite-jobs.ts). In
 * the end everything is gathered in the crawl, and that file goes. If all of this is killed meanwhile, the file stays,
 * and whoever opens the crawl to resume it gathers what is there first.
 */
import { join } from "node:path";
import { FailureError, systemTimers, type Timers, UsageError } from "../base/index.ts";
import {
  changeStored,
  checkedLimits,
  type Crawl,
  type CrawlEnd,
  type CrawlEvent,
  type CrawlState,
  type CrawlStatus,
  Fingerprinter,
  forgetEnd,
  type LaunchOptions,
  type Limits,
  plantSeeds,
  sitemapWriter,
  SOFTWARE,
  type StopReason,
  type StoredSettings,
  writeEnd,
} from "../crawl/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import {
  adoptWarc,
  createSqliteJob,
  dropSqliteJob,
  type FactLog,
  FactLogError,
  isSqliteJob,
  isSqliteJobInUse,
  isUnreachable,
  openSqliteJob,
  type SqliteStore,
  StoreError,
} from "../store/index.ts";
import { Scope } from "../web/index.ts";
import { gatheredIn, Gathering, setGathered } from "./gathering.ts";
import { JOB_VERSION, jobOf, type JobSettings } from "./job.ts";
import { type JobProgress, NO_COUNTS, progressOf } from "./job-progress.ts";
import { NoteReader } from "./shard-note.ts";
import { widenedBy, withScopeWidened } from "./settled-scope.ts";
import type { Sharding } from "./sharding.ts";
import { type Split, splitLog } from "./splitting.ts";
import { TextsInFile } from "./url-texts.ts";

/** What a worker that runs elsewhere is told. */
export type WorkerControl =
  /** Who is to leave stores what it has learnt, and ends. */
  { readonly kind: "pause" | "resume" | "leave" } | { readonly kind: "change-limits"; readonly limits: Limits };

/** A worker that runs, in a process of its own. */
export interface WorkerHandle {
  /** Fulfilled when it has ended: with what ended it against its will, or with nothing. Never rejected. */
  readonly ended: Promise<WorkerFailure | undefined>;
  control(control: WorkerControl): void;
}

export interface WorkerFailure {
  readonly kind: "failed" | "disk-full" | "died";
  readonly message: string;
}

export interface LocalCrawlOptions
  extends Pick<LaunchOptions, "onStatus" | "onEvent" | "progress" | "signal" | "sitemaps"> {
  readonly dir: string;
  /** The open store of the directory; the caller closes it. */
  readonly store: SqliteStore;
  readonly settings: StoredSettings;
  /** To see where the seeds lead; the caller closes it. */
  readonly fetcher: Fetcher;
  readonly workers: number;
  readonly startWorker: (name: string, onEvent: (event: CrawlEvent) => void) => WorkerHandle;
  /** Gather while workers crawl, so that the directory shows how far they are (default: only in the end). */
  readonly gathersMeanwhile?: boolean;
  readonly timers?: Timers;
}

/** No job of a database can be called so. */
const JOB_NAME = "workers.sqlite";
/** The more, the more evenly hosts are spread; the fewer, the less they have to tell each other. */
const SHARDS_PER_WORKER = 8;
/** How often the board is read. */
const LOOK_MS = 500;
/** A worker that dies is replaced, but not for ever. */
const DEATHS_MAX = 20;
/** Workers that have lost their parent end within this time, unless somebody has stopped them. */
const LEAVING_MS_MAX = 20_000;

export interface LeftoverOptions extends Pick<LocalCrawlOptions, "dir" | "store" | "settings" | "timers"> {
  readonly signal: AbortSignal;
}

/** Finishes what an earlier run with workers has left in a directory, if it was killed. */
export async function gatherLeftovers({ dir, store, settings, signal, timers }: LeftoverOptions): Promise<void> {
  if (!isSqliteJob(dir)) return;
  await workersEnded(dir, signal, timers);
  // Without this note, or with that of a job that was exported to here, the log was still being split when it was
  // killed: the store has everything.
  if (gatheredIn(store)?.job === JOB_NAME) {
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

function waited(timers: Timers, forMs: number): Promise<void> {
  return new Promise((resolve) => void timers.after(forMs, resolve));
}

interface GatherAllOptions extends Pick<LocalCrawlOptions, "dir" | "store" | "settings" | "signal"> {
  readonly log: FactLog;
  /** If some of it was gathered before; otherwise what the store has is read again. */
  readonly gathering?: Gathering | undefined;
}

/** Returns how many pages the store has then. */
async function gatherAll(options: GatherAllOptions): Promise<number> {
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

async function openGathering({ log, store, settings }: GatherAllOptions): Promise<Gathering> {
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  return Gathering.open({ log, store, settings, fingerprinter });
}

/** Prepares a crawl with workers, or resumes one. Call `run` on the result. */
export async function launchLocalCrawl(options: LocalCrawlOptions): Promise<Crawl> {
  const { dir, store, fetcher, onEvent, sitemaps = [], timers = systemTimers } = options;
  const widened = isNew(store) ? await widenedBy(options.settings, fetcher) : [];
  const settings = withScopeWidened(options.settings, widened);
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  plantSeeds({ settings, store, fingerprinter });
  if (sitemaps.length > 0) sitemaps.forEach(sitemapWriter({ settings, store, fingerprinter, timers }));
  store.replaceSettings(JSON.stringify(settings));
  store.commit();
  // Files of a crawl that was started anew are not of this one; workers find the folder made.
  if (settings.network.warc) adoptWarc(dir, store, new Map(), { software: SOFTWARE });
  const scope = new Scope(settings.web.scope).describe();
  for (const url of widened) onEvent?.({ name: "scope-widened", atMs: timers.wallMs(), url, scope });
  // What is read already need not be read again.
  const crawl = sitemaps.length > 0 ? { ...settings, sitemap: [] } : settings;
  const job: JobSettings = { crawl, shardBy: "host", secretHosts: [] };
  const sharding = { shards: SHARDS_PER_WORKER * options.workers, by: job.shardBy };
  const log = createSqliteJob(dir, {
    name: JOB_NAME,
    version: JOB_VERSION,
    shards: sharding.shards,
    settings: JSON.stringify(job),
  });
  let pages = 0;
  try {
    // Shards without a log begin with their seeds.
    let positions: readonly number[] = Array.from({ length: sharding.shards }, () => 0);
    if (!isNew(store)) ({ positions, pages } = await splitStore(options, log, sharding));
    // The time that splitting took is not part of `--max-time`.
    await log.restart(JSON.stringify(job));
    setGathered(store, { job: JOB_NAME, visits: store.nextVisit - 1, positions });
    store.commit();
  } catch (error) {
    await log.close();
    dropSqliteJob(dir);
    throw error;
  }
  return new LocalCrawl({ ...options, settings, timers }, log, pages);
}

async function splitStore(
  { dir, store, signal }: Pick<LocalCrawlOptions, "dir" | "store" | "signal">,
  log: FactLog,
  sharding: Sharding,
): Promise<Split> {
  // Beside what the workers will write: a temporary directory may lie in memory.
  const paths = new TextsInFile(join(dir, "splitting.tmp"));
  try {
    return await splitLog({ from: store, to: log, sharding, paths, signal });
  } finally {
    paths.close();
  }
}

function isNew(store: SqliteStore): boolean {
  return store.nextVisit === 1;
}

class LocalCrawl implements Crawl {
  state: CrawlState = "ready";
  status: CrawlStatus;
  readonly hosts = [];
  limits: Limits;
  readonly #options: LocalCrawlOptions & { readonly timers: Timers };
  readonly #log: FactLog;
  readonly #notes = new NoteReader();
  readonly #workers = new Set<WorkerHandle>();
  #named = 0;
  #deaths = 0;
  #failure: FailureError | undefined;
  #reason: StopReason | undefined;
  #isPaused = false;

  /** `pages`: how many the store has. */
  constructor(options: LocalCrawlOptions & { readonly timers: Timers }, log: FactLog, pages: number) {
    this.#options = options;
    this.#log = log;
    this.limits = options.settings.limits;
    this.status = { ...NO_STATUS, pages };
  }

  async run(): Promise<CrawlEnd> {
    try {
      const end = await this.#crawl();
      await this.#close();
      dropSqliteJob(this.#options.dir);
      return end;
    } catch (error) {
      // What could not be gathered stays for the next run.
      await this.#endWorkers();
      await this.#close();
      throw error;
    }
  }

  async #crawl(): Promise<CrawlEnd> {
    const { dir, store, settings, workers, timers } = this.#options;
    forgetEnd(store);
    if (this.#reason !== undefined) await this.#stopJob(this.#reason);
    if (this.state === "ready") this.state = "running";
    const startedMs = timers.nowMs();
    for (let k = 0; k < workers; k++) this.#start();
    const gathering = await this.#watch(startedMs);
    await this.#look(startedMs);
    const reason = ((await this.#log.job()).stopped ?? "failed") as StopReason;
    // A worker that was killed may have stored more than it could say.
    this.status = { ...this.status, pages: await gatherAll({ dir, log: this.#log, store, settings, gathering }) };
    writeEnd(store, { reason, atMs: timers.wallMs() });
    store.commit();
    return this.#end(this.#failure === undefined ? reason : this.#reasonOf(this.#failure));
  }

  /** They would crawl on, and nobody would gather it. The log may be what has failed, so they are told directly. */
  async #endWorkers(): Promise<void> {
    this.#reason ??= "failed";
    this.#control({ kind: "leave" });
    while (this.#workers.size > 0) await Promise.all(Array.from(this.#workers, ({ ended }) => ended));
  }

  async #close(): Promise<void> {
    if (this.state === "ended") return;
    this.state = "ended";
    await this.#log.close();
  }

  #end(reason: StopReason): CrawlEnd {
    const { status } = this;
    if (this.#failure !== undefined) return { reason, status, error: this.#failure };
    return reason === "coverage-reached" ? { reason, status, by: "proven" } : { reason, status };
  }

  #reasonOf(failure: FailureError): StopReason {
    return failure instanceof StoreError && failure.kind === "disk-full" ? "disk-full" : "failed";
  }

  /** Until all workers have ended. */
  async #watch(startedMs: number): Promise<Gathering | undefined> {
    const { timers, gathersMeanwhile = false } = this.#options;
    const gathering = gathersMeanwhile ? await openGathering({ ...this.#options, log: this.#log }) : undefined;
    while (this.#workers.size > 0) {
      await waited(timers, LOOK_MS);
      try {
        await gathering?.step();
        await this.#look(startedMs);
      } catch (error) {
        // A worker that somebody has stopped may hold the file: the next look will do.
        if (!isUnreachable(error)) throw error;
      }
    }
    return gathering;
  }

  async #look(startedMs: number): Promise<void> {
    const { timers, settings, onStatus } = this.#options;
    const board = await this.#log.board();
    // Before every shard was opened, less is known than the directory has.
    if (board.shards.some(({ note }) => note === null)) return;
    this.status = statusOf(progressOf(board, settings, this.#notes), timers.nowMs() - startedMs);
    onStatus?.(this.status);
  }

  #start(): void {
    const { startWorker, onEvent } = this.#options;
    const worker = startWorker(`worker ${++this.#named}`, (event) => onEvent?.(event));
    this.#workers.add(worker);
    if (this.#isPaused) worker.control({ kind: "pause" });
    if (this.limits !== this.#options.settings.limits) worker.control({ kind: "change-limits", limits: this.limits });
    void worker.ended.then((failure) => this.#ended(worker, failure));
  }

  #ended(worker: WorkerHandle, failure: WorkerFailure | undefined): void {
    // Once all are to end, nobody is missed.
    const isMissed = failure !== undefined && (failure.kind !== "died" || this.#reason === undefined);
    if (isMissed && failure.kind === "died" && ++this.#deaths <= DEATHS_MAX) this.#start();
    else if (isMissed) this.#fail(failure);
    this.#workers.delete(worker);
  }

  /** The others end, too: what made this one fail will not spare them. */
  #fail({ kind, message }: WorkerFailure): void {
    this.#failure ??= new StoreError(kind === "disk-full" ? "disk-full" : "failed", message);
    this.stop(kind === "disk-full" ? "disk-full" : "failed");
  }

  hostStatus(): null {
    return null;
  }

  pause(): void {
    if (this.#isPaused || this.#reason !== undefined) return;
    this.#isPaused = true;
    if (this.state === "running") this.state = "paused";
    this.#control({ kind: "pause" });
    this.#emit({ name: "paused", atMs: this.#options.timers.wallMs() });
  }

  resume(): void {
    if (!this.#isPaused || this.#reason !== undefined) return;
    this.#isPaused = false;
    if (this.state === "paused") this.state = "running";
    this.#control({ kind: "resume" });
    this.#emit({ name: "resumed", atMs: this.#options.timers.wallMs() });
  }

  changeLimits(limits: Limits): void {
    const checked = checkedLimits(limits);
    if (this.#reason !== undefined) return;
    this.limits = checked;
    changeStored(this.#options.store, () => ({ limits: checked }));
    this.#control({ kind: "change-limits", limits: checked });
    this.#emit({ name: "limits-changed", atMs: this.#options.timers.wallMs(), limits: checked });
  }

  stop(reason: StopReason): void {
    if (this.#reason === undefined) this.#emit({ name: "stopping", atMs: this.#options.timers.wallMs(), reason });
    this.#reason ??= reason;
    this.state = "stopping";
    this.#stopJob(reason).catch((error: unknown) => {
      this.#failure ??= error instanceof FailureError ? error : new FactLogError("failed", String(error));
    });
  }

  /** As often as it takes: otherwise the workers would go on. */
  async #stopJob(reason: StopReason): Promise<void> {
    for (;;) {
      try {
        return await this.#log.stop(reason);
      } catch (error) {
        if (!isUnreachable(error) || this.state === "ended") throw error;
        await waited(this.#options.timers, LOOK_MS);
      }
    }
  }

  receive(): void {
    throw new UsageError("a crawl with workers hears from its own workers only");
  }

  #emit(event: CrawlEvent): void {
    this.#options.onEvent?.(event);
  }

  #control(control: WorkerControl): void {
    for (const worker of this.#workers) worker.control(control);
  }
}

const NO_STATUS: CrawlStatus = {
  ...NO_COUNTS,
  known: 0,
  frontier: 0,
  hosts: 0,
  coverage: 0,
  strict: 0,
  ceiling: 1,
  guaranteed: null,
  elapsedMs: 0,
};

function statusOf(progress: JobProgress, elapsedMs: number): CrawlStatus {
  const { counts, known, frontier, hosts, coverage, strict, ceiling } = progress;
  return {
    ...counts,
    known,
    frontier,
    hosts,
    coverage,
    strict,
    ceiling: ceiling.coverage,
    guaranteed: null,
    elapsedMs,
  };
}
